import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isRecord, recordsIn, textIn } from '../n8n/rest.mts';
import { npmCommand, npmEnvironment } from './npm.mts';
import { FAILED, Problem, textOf } from '../process/problem.mts';
import { makeFolder } from './folders.mts';

const run = promisify(execFile);

/**
 * Puts a built package where n8n keeps the community packages that a user installed, with exactly
 * the files that would be published. n8n 2.41 loads every n8n-nodes-* folder found there when it
 * starts (n8n-core: scanDirectoryForPackages) under the package's real name.
 * @param packageDir the folder with package.json and dist/
 * @param userFolder n8n's user folder, in which .n8n/nodes/node_modules is made
 * @throws Problem when npm cannot tell the package's files or they cannot be copied
 */
export async function installPackage(packageDir: string, userFolder: string): Promise<void> {
	const { name, files } = await publishedFiles(packageDir);
	const modules = join(userFolder, '.n8n', 'nodes', 'node_modules');
	const target = join(modules, name);
	// n8n looks at n8n-nodes-* only, so a half-copied folder under this name is never loaded.
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
		throw new Problem(`The package could not be copied to ${target}: ${textOf(error)}`, FAILED);
	}
}

async function publishedFiles(packageDir: string): Promise<{ name: string; files: string[] }> {
	const { command, args } = npmCommand(['pack', '--dry-run', '--json', '--ignore-scripts']);
	const { stdout } = await run(command, args, {
		cwd: packageDir,
		env: npmEnvironment(),
		maxBuffer: 16 * 1024 * 1024,
	}).catch((error: unknown) => {
		throw new Problem(`"npm pack" failed in ${packageDir}: ${textOf(error)}`, FAILED);
	});
	const packed = firstPackage(JSON.parse(stdout));
	const name = textIn(packed, 'name');
	const files = recordsIn(packed, 'files').map((file) => textIn(file, 'path'));
	const missing = unbuilt(packageDir, files);
	if (missing !== undefined) {
		throw new Problem(
			`${missing} is missing in ${packageDir}: run "npm run build", then start again`,
		);
	}
	return { name, files };
}

/** npm 11 lists the packed packages, npm 12 names them: both are read. */
function firstPackage(packed: unknown): unknown {
	return Array.isArray(packed)
		? packed[0]
		: isRecord(packed)
			? Object.values(packed)[0]
			: undefined;
}

/** A node or credential that package.json promises and that would not be published. */
function unbuilt(packageDir: string, files: string[]): string | undefined {
	const manifest: unknown = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'));
	const n8n = isRecord(manifest) ? manifest['n8n'] : undefined;
	if (!isRecord(n8n)) return 'the "n8n" part of package.json';
	return ['nodes', 'credentials']
		.flatMap((kind) => (Array.isArray(n8n[kind]) ? n8n[kind] : []))
		.filter((file) => typeof file === 'string')
		.find((file) => !files.includes(file) || !existsSync(join(packageDir, file)));
}
