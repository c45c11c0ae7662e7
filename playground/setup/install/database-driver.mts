import { execFile } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EXIT_FAILED, errorMessage, UserError } from '../../process/user-error.mts';
import type { Shutdown } from '../../process/shutdown.mts';
import { makeFolder } from '../folders.mts';
import { type Lockfile, lockfileText, onlyPackage } from './lockfile.mts';
import { runNpm } from './run-npm.mts';

const DRIVER = 'sqlite3';

/**
 * Downloads n8n's database driver, or compiles it where there is no prebuilt one, in a folder of its
 * own: on one core, while npm unpacks n8n on the other.
 * @param packages n8n's lockfile, which says which version
 * @returns a function that puts the driver into the folder's node_modules, once n8n is there
 * @throws UserError when npm or the compiler fails
 */
export async function buildDriver(
	folder: string,
	packages: Lockfile,
	shutdown: Shutdown,
): Promise<() => void> {
	const apart = join(folder, '.cache', DRIVER);
	makeFolder(apart);
	const only = onlyPackage(packages, DRIVER);
	const manifest = { private: true, ...only[''], allowScripts: { [DRIVER]: true } };
	writeFileSync(join(apart, 'package.json'), JSON.stringify(manifest));
	writeFileSync(join(apart, 'package-lock.json'), lockfileText(only));
	const args = ['install', '--foreground-scripts', '--no-audit', '--no-fund'];
	// With -O3, which the driver asks for, SQLite's one file takes more than twice as long.
	const env = { CFLAGS: process.env['CFLAGS'] ?? '-O1' };
	try {
		await runNpm({ folder: apart, args, shutdown, env });
		await promisify(execFile)(process.execPath, ['-e', `require('${DRIVER}')`], { cwd: apart });
	} catch (error) {
		throw new UserError(
			`n8n's database driver (${DRIVER}) could not be compiled in ${apart}. Install python3, make and a C++ compiler, then try again. (${errorMessage(error)})`,
			EXIT_FAILED,
		);
	}
	return () => {
		const build = join('node_modules', DRIVER, 'build');
		cpSync(join(apart, build), join(folder, build), { recursive: true });
		rmSync(apart, { recursive: true, force: true });
	};
}
