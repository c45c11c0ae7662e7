import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonObject, recordsIn, textIn } from '../../../playground/n8n/rest.mts';
import { npmCommand, npmEnvironment } from '../../../playground/setup/install/npm.mts';
import { ROOT } from '../../../playground/setup/paths.mts';

/** A version of the package, as npm publishes it. */
export interface Release {
	version: string;
	manifest: JsonObject;
	file: Buffer;
	/** As registries state it. */
	integrity: string;
}

/**
 * Packs the built package as these versions, the oldest first.
 *
 * @param versions what is added to the action node's file in each, to tell one version from another
 */
export function packReleases(versions: Record<string, string>): Release[] {
	const [listed] = npmPack(ROOT, '--dry-run');
	const files = recordsIn(listed, 'files').map((entry) => textIn(entry, 'path'));
	return Object.entries(versions).map(([version, addition]) => pack(version, files, addition));
}

function pack(version: string, files: string[], addition: string): Release {
	const folder = mkdtempSync(join(tmpdir(), 'calls-install-'));
	try {
		copyFiles(files, folder);
		const path = join(folder, 'package.json');
		const manifest = { ...JSON.parse(readFileSync(path, 'utf8')), version };
		writeFileSync(path, JSON.stringify(manifest));
		const [node = ''] = manifest.n8n.nodes;
		appendFileSync(join(folder, node), addition);
		const [packed] = npmPack(folder);
		const file = readFileSync(join(folder, textIn(packed, 'filename')));
		const integrity = `sha512-${createHash('sha512').update(file).digest('base64')}`;
		return { version, manifest, file, integrity };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function copyFiles(files: string[], folder: string): void {
	for (const file of files) {
		mkdirSync(join(folder, file, '..'), { recursive: true });
		cpSync(join(ROOT, file), join(folder, file));
	}
}

function npmPack(folder: string, ...more: string[]): JsonObject[] {
	const { command, args } = npmCommand(['pack', '--json', '--ignore-scripts', ...more]);
	const maxBuffer = 16 * 1024 * 1024;
	const options = { cwd: folder, env: npmEnvironment(), encoding: 'utf8', maxBuffer } as const;
	const packed: unknown = JSON.parse(execFileSync(command, args, options));
	// npm 12 returns an object keyed by name.
	return recordsIn(Array.isArray(packed) ? packed : Object.values(Object(packed)));
}
