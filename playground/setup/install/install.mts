import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
	clearProgress,
	errorCode,
	errorMessage,
	EXIT_FAILED,
	printProgress,
	printStep,
	type Shutdown,
	UserError,
} from '../../cli/terminal.mts';
import { acquireLock } from '../../process/lock-file.mts';
import { lockfileHash, makeFolder, PLAYGROUND } from '../paths.mts';
import { runNpm } from './npm.mts';
import { installedPaths, installPackages, readLockfile } from './packages.mts';

const COPIED_INTO_CACHE = ['package.json', 'package-lock.json', '.npmrc'];

/** Whether n8n is completely installed from this lockfile: the installation writes the marker last. */
export function isInstalled(folder: string): boolean {
	const marker = completionMarker(folder);
	return existsSync(marker) && readFileSync(marker, 'utf8').trim() === lockfileHash();
}

/**
 * Installs n8n in a folder and shows the progress. First removes what an interrupted installation left.
 * @throws UserError when npm or the compiler fails
 */
export async function install(folder: string, shutdown: Shutdown): Promise<void> {
	const release = acquireLock(join(folder, '.installing'), 'is installing n8n');
	shutdown.add(release);
	const modules = join(folder, 'node_modules');
	if (existsSync(modules)) {
		printStep(`Removing ${modules}: it is incomplete or from another version`);
		rmSync(modules, { recursive: true, force: true });
	}
	printStep(`Installing n8n in ${folder} (2.2 GB, takes a minute or more, needed only once)`);
	const packages = readLockfile(folder);
	const stopProgress = showProgress(folder, installedPaths(packages));
	try {
		await installPackages(folder, packages, shutdown);
		// n8n's other install scripts are skipped because they would download more.
		await buildDriver(folder, shutdown);
	} finally {
		stopProgress();
	}
	writeFileSync(completionMarker(folder), lockfileHash());
	release();
	printStep('n8n is installed');
}

/**
 * Creates the folder to install n8n in.
 * @throws UserError when it can't be written
 */
export function prepareInstallation(folder: string): void {
	try {
		makeFolder(folder);
		if (!statSync(folder).isDirectory()) throw new Error('it is a file');
		if (folder === PLAYGROUND) return;
		for (const file of COPIED_INTO_CACHE) copyFileSync(join(PLAYGROUND, file), join(folder, file));
	} catch (error) {
		throw new UserError(
			`n8n cannot be installed in ${folder} (${errorCode(error) ?? errorMessage(error)}). Check who owns the folder, or choose another one.`,
		);
	}
}

/** Shows how many packages there are, until the returned function is called. */
function showProgress(folder: string, paths: string[]): () => void {
	const startedAt = Date.now();
	const show = () => {
		const installed = paths.filter((path) => existsSync(join(folder, path, 'package.json'))).length;
		const seconds = Math.round((Date.now() - startedAt) / 1000);
		const what =
			installed < paths.length
				? `${installed} of ${paths.length} packages`
				: 'compiling the database driver (sqlite3)';
		printProgress(`${seconds} s: ${what}`);
	};
	const timer = setInterval(show, process.stdout.isTTY ? 1_000 : 15_000);
	return () => {
		clearInterval(timer);
		clearProgress();
	};
}

function completionMarker(folder: string): string {
	return join(folder, 'node_modules', '.installed-to-the-end');
}

const DRIVER = 'sqlite3';
/** What the driver looks for a prebuilt one with. */
const FINDER = 'prebuild-install';
/** If set, allows the one download of native code that the lockfile has no checksum for. */
const PREBUILT = 'CARRIER_PLAYGROUND_PREBUILT';

/**
 * Compiles n8n's database driver in a folder in which n8n's packages are: its source came with them.
 * @throws UserError when npm or the compiler fails
 */
export async function buildDriver(folder: string, shutdown: Shutdown): Promise<void> {
	const { CFLAGS = '-O0', CXXFLAGS = '-O0', JOBS = 'max' } = process.env;
	const fromSource = { npm_config_build_from_source: 'true' };
	const env = { CFLAGS, CXXFLAGS, JOBS, ...(process.env[PREBUILT] !== '1' && fromSource) };
	const args = ['rebuild', FINDER, DRIVER, '--foreground-scripts'];
	try {
		await runNpm({ folder, args, shutdown, env });
		await promisify(execFile)(process.execPath, ['-e', `require('${DRIVER}')`], { cwd: folder });
	} catch (error) {
		throw new UserError(
			`n8n's database driver (${DRIVER}) could not be compiled in ${folder}. Install python3, make and a C++ compiler, or set ${PREBUILT}=1 to download it from GitHub, without a checksum; then try again. (${errorMessage(error)})`,
			EXIT_FAILED,
		);
	}
}
