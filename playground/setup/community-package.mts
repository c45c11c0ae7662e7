import {
	cpSync,
	existsSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isRecord, textIn } from '../n8n/rest.mts';
import { errorMessage, EXIT_FAILED, UserError } from '../cli/terminal.mts';
import { makeFolder } from './paths.mts';

/**
 * Copies a built package to where n8n keeps installed community packages, with exactly the files that
 * would be published. When n8n 2.41 starts, it loads every n8n-nodes-* folder it finds there
 * (n8n-core: scanDirectoryForPackages) under the package's real name.
 * @param packageDir the folder with package.json and dist/
 * @param userFolder n8n's user folder, in which .n8n/nodes/node_modules is made
 * @throws UserError when the package isn't built or can't be copied
 */
export function installPackage(packageDir: string, userFolder: string): void {
	const { name, files } = filesToPublish(packageDir);
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
export function updateInstalledPackage(packageDir: string, userFolder: string): number {
	const { name, files } = filesToPublish(packageDir);
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

/** Listed here, because "npm pack" takes a quarter of the CPU time that n8n's start takes. */
function filesToPublish(packageDir: string): { name: string; files: string[] } {
	const manifest: unknown = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'));
	const files = ['package.json', ...listedFiles(packageDir, manifest)];
	const missing = missingBuildOutput(packageDir, manifest, files);
	if (missing !== undefined) {
		throw new UserError(
			`${missing} is missing in ${packageDir}. Run "npm run build", then try again.`,
		);
	}
	return { name: textIn(manifest, 'name'), files };
}

/** The files and folders of the manifest's "files", without patterns, which this package doesn't use. */
function listedFiles(packageDir: string, manifest: unknown): string[] {
	const listed = isRecord(manifest) && Array.isArray(manifest['files']) ? manifest['files'] : [];
	return listed
		.filter((path) => typeof path === 'string')
		.filter((path) => existsSync(join(packageDir, path)))
		.flatMap((path) => filesIn(packageDir, path));
}

function filesIn(packageDir: string, path: string): string[] {
	if (!statSync(join(packageDir, path)).isDirectory()) return [path];
	return readdirSync(join(packageDir, path)).flatMap((name) =>
		filesIn(packageDir, `${path}/${name}`),
	);
}

/** A node or credential that package.json lists but that would not be published. */
function missingBuildOutput(
	packageDir: string,
	manifest: unknown,
	files: string[],
): string | undefined {
	const n8n = isRecord(manifest) ? manifest['n8n'] : undefined;
	if (!isRecord(n8n)) return 'the "n8n" section of package.json';
	return ['nodes', 'credentials']
		.flatMap((kind) => (Array.isArray(n8n[kind]) ? n8n[kind] : []))
		.filter((file) => typeof file === 'string')
		.find((file) => !files.includes(file) || !existsSync(join(packageDir, file)));
}
