import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	watch,
	writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage, EXIT_FAILED, printError, printStep, UserError } from '../cli/terminal.mts';
import { isRecord } from '../n8n/rest.mts';
import { updateInstalledPackage } from './community-package.mts';
import { npmCommand, npmEnvironment } from './install/npm.mts';
import { ROOT } from './paths.mts';

/** What a build reads. The lockfile stands for the compiler and the libraries. */
const SOURCES = [
	...['nodes', 'credentials', 'icons', 'scripts/third-party.mts', 'gulpfile.js'],
	...['package.json', 'package-lock.json', 'tsconfig.json'],
];

/** Not in node_modules, which a clone may share with another. */
const noteOf = (root: string) => join(root, '.cache/build.json');

/** Whether dist/ is, byte by byte, what a build of these sources has written. */
export function isBuilt(root: string = ROOT): boolean {
	const { sources, built } = readNote(root);
	return sources === hashOf(root, SOURCES) && built === hashOf(root, ['dist']);
}

/** The first step of a build: notes the sources, which may change while they are compiled. */
export function noteSources(root: string = ROOT): void {
	writeNote(root, { sources: hashOf(root, SOURCES) });
}

/** The last step of a build: notes what was built, unless a source has changed meanwhile. */
export function noteBuild(root: string = ROOT): void {
	const { sources } = readNote(root);
	if (sources !== hashOf(root, SOURCES)) return;
	writeNote(root, { sources, built: hashOf(root, ['dist']) });
}

function readNote(root: string): Record<string, unknown> {
	if (!existsSync(noteOf(root))) return {};
	const note: unknown = JSON.parse(readFileSync(noteOf(root), 'utf8'));
	return isRecord(note) ? note : {};
}

function writeNote(root: string, note: Record<string, unknown>): void {
	mkdirSync(dirname(noteOf(root)), { recursive: true });
	writeFileSync(noteOf(root), JSON.stringify(note));
}

/** A hash of files and folders: names and contents. */
function hashOf(root: string, names: string[]): string {
	const hash = createHash('sha256');
	for (const file of names.flatMap((name) => filesIn(join(root, name))).sort()) {
		const content = readFileSync(file);
		hash.update(`${relative(root, file)} ${content.length}\n`).update(content);
	}
	return hash.digest('hex');
}

/** The files in a folder, at any depth; a file is its own only one. */
function filesIn(path: string): string[] {
	if (!existsSync(path)) return [];
	if (!statSync(path).isDirectory()) return [path];
	const entries = readdirSync(path, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
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

function firstError(error: unknown): string {
	const output = isRecord(error) ? `${error['stdout']}\n${error['stderr']}` : '';
	const line = output.split('\n').find((one) => /error/i.test(one));
	return (line ?? errorMessage(error)).replace(/^\W+/, '').trim().slice(0, 200);
}

const WATCHED = ['nodes', 'credentials', 'icons'];
/** An editor saves several files at the same time, and some save one file in several steps. */
const QUIET_MS = 200;

/**
 * Rebuilds the package whenever a source changes and copies it to a running n8n, which reloads it
 * (n8n 2.41: N8N_DEV_RELOAD). A build that fails is reported, and n8n keeps the last good one.
 * @returns a function that stops watching
 */
export function rebuildOnChange(userFolder: string): () => void {
	let timer: NodeJS.Timeout | undefined;
	let queue = Promise.resolve();
	const onChange = () => {
		clearTimeout(timer);
		timer = setTimeout(() => (queue = queue.then(() => rebuild(userFolder))), QUIET_MS);
	};
	const watchers = WATCHED.map((folder) =>
		watch(join(ROOT, folder), { recursive: true }, onChange),
	);
	return () => {
		clearTimeout(timer);
		for (const watcher of watchers) watcher.close();
	};
}

async function rebuild(userFolder: string): Promise<void> {
	try {
		printStep('A source changed: building the package');
		await build();
		const changed = updateInstalledPackage(ROOT, userFolder);
		printStep(changed === 0 ? 'The build is the same' : `n8n reloads ${changed} changed files`);
	} catch (error) {
		printError(errorMessage(error));
	}
}
