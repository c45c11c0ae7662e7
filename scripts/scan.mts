// The verification scan of n8n's community packages, before publishing: n8n's own scanner over the
// source and the packed tarball, and the rules that n8n checks by hand.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Check } from './scan/check.mts';
import { checkManifest, type Manifest } from './scan/manifest.mts';
import { checkSilencers, copySources } from './scan/source.mts';
import { checkLoading, checkRepeatable, checkTarball, packInto, unpack } from './scan/tarball.mts';

interface Scanner {
	SOURCE_FILE_PATTERNS: string[];
	analyzePackage(
		directory: string,
		patterns: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}

const root = resolve(import.meta.dirname, '..');
const scannerModule = '@n8n/scan-community-package/scanner/scanner.mjs';

async function lint(name: string, directory: string, patterns: string[]): Promise<Check> {
	const { analyzePackage } = (await import(scannerModule)) as Scanner;
	const { passed, message, details } = await analyzePackage(directory, patterns);
	return { name, problems: passed ? [] : [details ?? message ?? 'the scanner gave no reason'] };
}

async function scan(directory: string): Promise<Check[]> {
	const { SOURCE_FILE_PATTERNS } = (await import(scannerModule)) as Scanner;
	const source = join(directory, 'source');
	const packed = join(directory, 'packed');
	const packedAgain = join(directory, 'packed-again');
	for (const folder of [source, packed, packedAgain]) await mkdir(folder);
	const tarball = packInto(root, packed);
	const content = unpack(tarball);
	const manifest = JSON.parse(readFileSync(join(content, 'package.json'), 'utf8')) as Manifest;
	return [
		await lint("n8n's scan of the source", copySources(root, source), SOURCE_FILE_PATTERNS),
		// Patterns of the scanner's second stage, which it does not export.
		await lint("n8n's scan of the tarball", content, ['**/*.js', 'package.json']),
		...checkManifest(manifest),
		...checkTarball(content, manifest, root),
		await checkLoading(content, manifest, root),
		checkRepeatable(tarball, packInto(root, packedAgain)),
		...checkSilencers(root),
	];
}

if (!existsSync(join(root, 'dist'))) {
	console.error('scan: there is no dist/: run "npm run build" first');
	process.exit(2);
}
const directory = mkdtempSync(join(tmpdir(), 'carrier-scan-'));
try {
	const checks = await scan(directory);
	for (const { name, problems } of checks) {
		console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'}  ${name}`);
		for (const problem of problems) console.log(`        ${problem}`);
	}
	const failed = checks.filter(({ problems }) => problems.length > 0).length;
	console.log(`scan: ${checks.length - failed} checks passed, ${failed} failed`);
	process.exitCode = failed > 0 ? 1 : 0;
} finally {
	rmSync(directory, { recursive: true, force: true });
}
