import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Child, exitingWithParent, startChild } from '../process/child.mts';
import { isRecord } from '../n8n/rest.mts';
import { npmCommand, npmEnvironment } from './npm.mts';
import { lockfileHash, PLAYGROUND } from './paths.mts';
import { errorCode, EXIT_FAILED, UserError, errorMessage } from '../process/user-error.mts';
import { acquireLock } from '../process/lock-file.mts';
import type { Shutdown } from '../process/shutdown.mts';
import { clearProgress, printProgress, printStep } from '../cli/terminal.mts';
import { makeFolder } from './folders.mts';

const COPIED_INTO_CACHE = ['package.json', 'package-lock.json', '.npmrc'];

/** Whether n8n is completely installed from this lockfile: the installation writes the marker last. */
export function isInstalled(folder: string): boolean {
	const marker = completionMarker(folder);
	return existsSync(marker) && readFileSync(marker, 'utf8').trim() === lockfileHash();
}

/**
 * Installs n8n in a folder and shows the progress. First removes what an interrupted installation
 * left, because npm takes a half-written package folder for a complete one.
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
	printStep(`Installing n8n in ${folder} (2.2 GB, takes several minutes, needed only once)`);
	await installPackages(folder, shutdown);
	// Install scripts are skipped because they would download more; only the database driver needs its own.
	await runNpm(
		folder,
		['rebuild', 'sqlite3', '--foreground-scripts'],
		shutdown,
		() => 'compiling the database driver (sqlite3)',
	);
	await checkDatabaseDriver(folder);
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

async function installPackages(folder: string, shutdown: Shutdown): Promise<void> {
	const paths = packagePaths(folder);
	const args = [
		'install',
		'--ignore-scripts',
		'--legacy-peer-deps',
		'--no-save',
		'--no-audit',
		'--no-fund',
	];
	await runNpm(folder, [...args, '--loglevel=warn'], shutdown, () => {
		const installed = paths.filter((path) => existsSync(join(folder, path, 'package.json'))).length;
		return installed === 0 ? 'resolving packages' : `${installed} of ${paths.length} packages`;
	});
}

function packagePaths(folder: string): string[] {
	const lock: unknown = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
	const packages = isRecord(lock) ? lock['packages'] : undefined;
	return isRecord(packages)
		? Object.entries(packages)
				.filter(([path, entry]) => path !== '' && !(isRecord(entry) && entry['optional'] === true))
				.map(([path]) => path)
		: [];
}

async function runNpm(
	folder: string,
	args: string[],
	shutdown: Shutdown,
	describeProgress: () => string,
) {
	const npm = npmCommand(args);
	const logFile = join(folder, 'install.log');
	const child = startChild({
		command: npm.command,
		args: npm.command === process.execPath ? exitingWithParent(npm.args) : npm.args,
		cwd: folder,
		env: npmEnvironment(),
		logFile,
	});
	shutdown.add(child.stop);
	const startedAt = Date.now();
	const show = () =>
		printProgress(`${Math.round((Date.now() - startedAt) / 1000)} s: ${describeProgress()}`);
	const timer = setInterval(show, process.stdout.isTTY ? 1_000 : 15_000);
	const exit = await child.exited;
	clearInterval(timer);
	clearProgress();
	if (exit === 'exit code 0') return;
	throw new UserError(
		`"npm ${args[0]}" failed in ${folder} (${npmFailureReason(child, exit)}). Fix that and try again. Log: ${logFile}`,
		EXIT_FAILED,
	);
}

function npmFailureReason(child: Child, exit: string): string {
	const line = child
		.lastLines()
		.find((one) => /^npm (error|ERR!) \S/.test(one) && !/ code | path /.test(one));
	const code = child.lastLines().find((one) => /^npm (error|ERR!) code /.test(one));
	const parts = [code, line].map((one) => one?.replace(/^npm (error|ERR!) /, '').trim());
	return parts.filter(Boolean).join(', ').slice(0, 240) || exit;
}

async function checkDatabaseDriver(folder: string): Promise<void> {
	try {
		await promisify(execFile)(process.execPath, ['-e', "require('sqlite3')"], { cwd: folder });
	} catch {
		throw new UserError(
			`n8n's database driver (sqlite3) could not be compiled in ${folder}. Install python3, make and a C++ compiler, then try again.`,
			EXIT_FAILED,
		);
	}
}

function completionMarker(folder: string): string {
	return join(folder, 'node_modules', '.installed-to-the-end');
}
