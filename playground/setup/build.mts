import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isRecord } from '../n8n/rest.mts';
import { npmCommand, npmEnvironment } from './install/npm.mts';
import { ROOT } from './paths.mts';
import { EXIT_FAILED, UserError, errorMessage } from '../process/user-error.mts';

const SOURCES = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json', 'gulpfile.js'];

/** Whether every built file exists and no compiled file is older than a source. */
export function isBuilt(root: string = ROOT): boolean {
	const compiled = compiledFiles(root).map((file) => join(root, file));
	const built = [...compiled, ...copiedFiles(root).map((file) => join(root, file))];
	if (compiled.length === 0 || !built.every((file) => existsSync(file))) return false;
	const oldestBuilt = Math.min(...compiled.map((file) => statSync(file).mtimeMs));
	// Folders too: deleting a source only changes its folder.
	const newestSource = Math.max(
		...SOURCES.filter((source) => existsSync(join(root, source)))
			.flatMap((source) => [source, ...globSync(`${source}/**/*`, { cwd: root })])
			.map((file) => statSync(join(root, file)).mtimeMs),
	);
	return oldestBuilt >= newestSource;
}

/**
 * Builds the package into dist/.
 * @throws UserError with the build's first error
 */
export async function build(root: string = ROOT): Promise<void> {
	const { command, args } = npmCommand(['run', 'build']);
	try {
		await promisify(execFile)(command, args, {
			cwd: root,
			env: npmEnvironment(),
			maxBuffer: 64 * 1024 * 1024,
		});
	} catch (error) {
		throw new UserError(
			`The package could not be built (${firstError(error)}). Run "npm run build" to see everything.`,
			EXIT_FAILED,
		);
	}
}

/** The files that package.json lists for n8n. */
function compiledFiles(root: string): string[] {
	const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const n8n = isRecord(manifest) ? manifest['n8n'] : undefined;
	if (!isRecord(n8n)) return [];
	return ['nodes', 'credentials']
		.flatMap((kind) => n8n[kind] ?? [])
		.filter((file) => typeof file === 'string');
}

/** What the last step of the build copies, with the dates of the sources. */
function copiedFiles(root: string): string[] {
	return globSync('nodes/**/*.node.json', { cwd: root }).map((file) => join('dist', file));
}

function firstError(error: unknown): string {
	const output = isRecord(error) ? `${error['stdout']}\n${error['stderr']}` : '';
	const line = output.split('\n').find((one) => /error/i.test(one));
	return (line ?? errorMessage(error)).replace(/^\W+/, '').trim().slice(0, 200);
}
