import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isRecord, recordsIn, textIn } from '../n8n/rest.mts';
import { npmCommand, npmEnvironment } from './npm.mts';
import { EXIT_FAILED, UserError, errorMessage } from '../process/user-error.mts';
import { makeFolder } from './folders.mts';

const run = promisify(execFile);

/**
 * Copies a built package to where n8n keeps installed community packages, with exactly the files that
 * would be published. When n8n 2.41 starts, it loads every n8n-nodes-* folder it finds there
 * (n8n-core: scanDirectoryForPackages) under the package's real name.
 * @param packageDir the folder with package.json and dist/
 * @param userFolder n8n's user folder, in which .n8n/nodes/node_modules is made
 * @throws UserError when npm can't list the package's files or they can't be copied
 */
export async function installPackage(packageDir: string, userFolder: string): Promise<void> {
	const { name, files } = await filesToPublish(packageDir);
	const modules = modulesFolder(userFolder);
	const target = join(modules, name);
	// n8n only looks at n8n-nodes-*, so it never loads a half-copied folder with this name.
	const fresh = join(modules, `.fresh-${name}`);
	try {
		rmSync(fresh, { recursive: true, force: true });
		for (const file of files) {
			makeFolder(dirname(join(fresh, file)));
			cpSync(join(packageDir, file), join(fresh, file));
		}
		rmSync(target, { recursive: true, force: true });
		renameSync(fresh, target);
	} catch (error) {
		throw new UserError(
			`The package could not be copied to ${target}: ${errorMessage(error)}.`,
			EXIT_FAILED,
		);
	}
}

/**
 * Copies the files that changed over the installed package, in place: the running n8n watches them
 * and reloads the package. Files that are gone stay until the next start.
 * @returns how many files changed
 */
export async function updateInstalledPackage(
	packageDir: string,
	userFolder: string,
): Promise<number> {
	const { name, files } = await filesToPublish(packageDir);
	const target = join(modulesFolder(userFolder), name);
	const changed = files.filter(
		(file) => !haveSameContent(join(packageDir, file), join(target, file)),
	);
	for (const file of changed) {
		makeFolder(dirname(join(target, file)));
		cpSync(join(packageDir, file), join(target, file));
	}
	return changed.length;
}

function modulesFolder(userFolder: string): string {
	return join(userFolder, '.n8n', 'nodes', 'node_modules');
}

function haveSameContent(one: string, other: string): boolean {
	return existsSync(other) && readFileSync(one).equals(readFileSync(other));
}

async function filesToPublish(packageDir: string): Promise<{ name: string; files: string[] }> {
	const { command, args } = npmCommand(['pack', '--dry-run', '--json', '--ignore-scripts']);
	const { stdout } = await run(command, args, {
		cwd: packageDir,
		env: npmEnvironment(),
		maxBuffer: 16 * 1024 * 1024,
	}).catch((error: unknown) => {
		throw new UserError(`"npm pack" failed in ${packageDir}: ${errorMessage(error)}.`, EXIT_FAILED);
	});
	const packed = firstPackage(JSON.parse(stdout));
	const name = textIn(packed, 'name');
	const files = recordsIn(packed, 'files').map((file) => textIn(file, 'path'));
	const missing = missingBuildOutput(packageDir, files);
	if (missing !== undefined) {
		throw new UserError(
			`${missing} is missing in ${packageDir}. Run "npm run build", then try again.`,
		);
	}
	return { name, files };
}

/** npm 11 returns a list of packages, npm 12 an object keyed by name. */
function firstPackage(packed: unknown): unknown {
	return Array.isArray(packed)
		? packed[0]
		: isRecord(packed)
			? Object.values(packed)[0]
			: undefined;
}

/** A node or credential that package.json lists but that would not be published. */
function missingBuildOutput(packageDir: string, files: string[]): string | undefined {
	const manifest: unknown = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'));
	const n8n = isRecord(manifest) ? manifest['n8n'] : undefined;
	if (!isRecord(n8n)) return 'the "n8n" section of package.json';
	return ['nodes', 'credentials']
		.flatMap((kind) => (Array.isArray(n8n[kind]) ? n8n[kind] : []))
		.filter((file) => typeof file === 'string')
		.find((file) => !files.includes(file) || !existsSync(join(packageDir, file)));
}
