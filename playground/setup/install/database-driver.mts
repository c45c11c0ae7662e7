import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EXIT_FAILED, errorMessage, UserError } from '../../process/user-error.mts';
import type { Shutdown } from '../../process/shutdown.mts';
import { runNpm } from './run-npm.mts';

const DRIVER = 'sqlite3';
/** What the driver looks for a prebuilt one with; without a prebuilt one, it is compiled. */
const FINDER = 'prebuild-install';

/**
 * Downloads n8n's database driver, or compiles it where there is no prebuilt one, in a folder in which
 * n8n's packages are.
 * @throws UserError when npm or the compiler fails
 */
export async function buildDriver(folder: string, shutdown: Shutdown): Promise<void> {
	const { CFLAGS = '-O0', CXXFLAGS = '-O0', JOBS = 'max' } = process.env;
	const args = ['rebuild', FINDER, DRIVER, '--foreground-scripts'];
	try {
		await runNpm({ folder, args, shutdown, env: { CFLAGS, CXXFLAGS, JOBS } });
		await promisify(execFile)(process.execPath, ['-e', `require('${DRIVER}')`], { cwd: folder });
	} catch (error) {
		throw new UserError(
			`n8n's database driver (${DRIVER}) could not be compiled in ${folder}. Install python3, make and a C++ compiler, then try again. (${errorMessage(error)})`,
			EXIT_FAILED,
		);
	}
}
