import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Child, guarded, startChild } from '../process/child.mts';
import { isRecord } from '../n8n/rest.mts';
import { npmCommand, npmEnvironment } from './npm.mts';
import { lockfileHash, PLAYGROUND } from './paths.mts';
import { codeOf, FAILED, Problem, textOf } from '../process/problem.mts';
import { holdAlone } from '../process/single-instance.mts';
import type { Stops } from '../process/shutdown.mts';
import { endProgress, progress, step } from '../cli/terminal.mts';
import { makeFolder } from './folders.mts';

const COPIED_INTO_CACHE = ['package.json', 'package-lock.json', '.npmrc'];

/** Whether an n8n of this lockfile is installed, to the end: the mark is what the installation writes last. */
export function isInstalled(folder: string): boolean {
	const mark = markIn(folder);
	return existsSync(mark) && readFileSync(mark, 'utf8').trim() === lockfileHash();
}

/**
 * Installs n8n into a folder, with its progress on the terminal. What an aborted installation left is
 * thrown away first: npm takes a package folder that was half written for a whole one.
 * @throws Problem when npm or the compiler fails
 */
export async function install(folder: string, stops: Stops): Promise<void> {
	const release = holdAlone(join(folder, '.installing'), 'installs n8n');
	stops.add(release);
	const modules = join(folder, 'node_modules');
	if (existsSync(modules)) {
		step(`${modules} is not finished or of another version: removing it`);
		rmSync(modules, { recursive: true, force: true });
	}
	step(`Installing n8n into ${folder}: only this once, several minutes, 2.2 GB`);
	await installPackages(folder, stops);
	// n8n's own scripts are left out (they would fetch more); its database driver needs its one.
	await runNpm(
		folder,
		['rebuild', 'sqlite3', '--foreground-scripts'],
		stops,
		() => 'compiling the database driver (sqlite3)',
	);
	await checkDatabaseDriver(folder);
	writeFileSync(markIn(folder), lockfileHash());
	release();
	step('n8n is installed');
}

/**
 * Makes the folder that n8n is to be installed in.
 * @throws Problem when it cannot be written
 */
export function prepareInstallation(folder: string): void {
	try {
		makeFolder(folder);
		if (!statSync(folder).isDirectory()) throw new Error('it is a file');
		if (folder === PLAYGROUND) return;
		for (const file of COPIED_INTO_CACHE) copyFileSync(join(PLAYGROUND, file), join(folder, file));
	} catch (error) {
		throw new Problem(
			`${folder}, where n8n is to be installed, cannot be written (${codeOf(error) ?? textOf(error)}): give it another owner or place`,
		);
	}
}

async function installPackages(folder: string, stops: Stops): Promise<void> {
	const paths = packagePaths(folder);
	const args = [
		'install',
		'--ignore-scripts',
		'--legacy-peer-deps',
		'--no-save',
		'--no-audit',
		'--no-fund',
	];
	await runNpm(folder, [...args, '--loglevel=warn'], stops, () => {
		const there = paths.filter((path) => existsSync(join(folder, path, 'package.json'))).length;
		return there === 0 ? 'asking for what is needed' : `${there} of ${paths.length} packages`;
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

async function runNpm(folder: string, args: string[], stops: Stops, done: () => string) {
	const npm = npmCommand(args);
	const logFile = join(folder, 'install.log');
	const child = startChild({
		command: npm.command,
		args: npm.command === process.execPath ? guarded(npm.args) : npm.args,
		cwd: folder,
		env: npmEnvironment(),
		logFile,
	});
	stops.add(child.stop);
	const startedAt = Date.now();
	const show = () => progress(`${Math.round((Date.now() - startedAt) / 1000)} s: ${done()}`);
	const timer = setInterval(show, process.stdout.isTTY ? 1_000 : 15_000);
	const ended = await child.exited;
	clearInterval(timer);
	endProgress();
	if (ended === 'exit code 0') return;
	throw new Problem(
		`"npm ${args[0]}" failed in ${folder} (${whyNpmFailed(child, ended)}): mend that and start again; all of it is in ${logFile}`,
		FAILED,
	);
}

function whyNpmFailed(child: Child, ended: string): string {
	const line = child
		.lastLines()
		.find((one) => /^npm (error|ERR!) \S/.test(one) && !/ code | path /.test(one));
	const code = child.lastLines().find((one) => /^npm (error|ERR!) code /.test(one));
	const parts = [code, line].map((one) => one?.replace(/^npm (error|ERR!) /, '').trim());
	return parts.filter(Boolean).join(', ').slice(0, 240) || ended;
}

async function checkDatabaseDriver(folder: string): Promise<void> {
	try {
		await promisify(execFile)(process.execPath, ['-e', "require('sqlite3')"], { cwd: folder });
	} catch {
		throw new Problem(
			`n8n's database driver (sqlite3) could not be compiled in ${folder}: install python3, make and a C++ compiler, then start again`,
			FAILED,
		);
	}
}

function markIn(folder: string): string {
	return join(folder, 'node_modules', '.installed-to-the-end');
}
