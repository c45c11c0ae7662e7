import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isInstalled } from '../../playground/setup/install/install.mts';
import { npmCommand, npmEnvironment } from '../../playground/setup/install/npm.mts';
import { n8nFolder, PLAYGROUND } from '../../playground/setup/paths.mts';
import { knownDifference, leftOut } from './differences.mts';
import type { FileResult } from './reporter.mts';

const ROOT = resolve(import.meta.dirname, '..', '..');

/** What runs with each n8n: Jest's project, and the variable that tells it where that n8n is. */
export const SUITES = [
	{ name: 'main jobs', project: 'versions', variable: 'CARRIER_TEST_N8N' },
	{ name: 'engine tests', project: 'engine', variable: 'CARRIER_TEST_ENGINE' },
];

export interface SuiteResult {
	passed: number;
	known: { test: string; why: string }[];
	unexpected: { test: string; message: string }[];
	minutes: number;
}

/**
 * Runs one suite with this n8n, and prints a line per test file. Those lines are also kept in the
 * cache as versions/<version>-<project>.jsonl, with the messages of what failed.
 */
export function runSuite(
	{ project, variable }: (typeof SUITES)[number],
	{ version, folder }: Installed,
): SuiteResult {
	const file = join(cacheFolder(), `${version}-${project}.jsonl`);
	mkdirSync(cacheFolder(), { recursive: true });
	rmSync(file, { force: true });
	const start = performance.now();
	const without = leftOut(version).map((one) => one.file);
	spawnSync(
		process.execPath,
		[
			...[join(ROOT, 'node_modules/jest/bin/jest.js'), '--selectProjects', project],
			// With an older n8n-core, Jest keeps running after some failures.
			...['--forceExit', `--reporters=${join(import.meta.dirname, 'reporter.mts')}`],
			...['/node_modules/', ...without].map((path) => `--testPathIgnorePatterns=${path}`),
		],
		{
			...{ cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
			env: {
				...process.env,
				...{ [variable]: folder, CARRIER_TEST_RESULTS: file },
				// The default of n8n 2; n8n 1 keeps files in memory.
				N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			},
		},
	);
	const minutes = Math.round((performance.now() - start) / 6000) / 10;
	return { ...summary(version, resultsIn(file)), minutes };
}

function resultsIn(file: string): FileResult[] {
	if (!existsSync(file)) return [];
	const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
	return lines.map((line) => JSON.parse(line) as FileResult);
}

function summary(version: string, files: FileResult[]): Omit<SuiteResult, 'minutes'> {
	const failures = files.flatMap((file) => file.failures);
	const known = failures.flatMap((failure) => {
		const why = knownDifference(version, failure);
		return why === undefined ? [] : [{ test: failure.test, why }];
	});
	const unexpected = failures.filter((one) => knownDifference(version, one) === undefined);
	const missing = (files[0]?.of ?? 1) - files.length;
	if (missing > 0) {
		unexpected.push({ test: 'all files', message: `Jest ended before ${missing} files had run` });
	}
	return { passed: files.reduce((sum, { passed }) => sum + passed, 0), known, unexpected };
}

/** How many versions are tried if one can't be installed because a package of it is missing. */
const TRIES = 5;

export interface Installed {
	version: string;
	/** Its node_modules holds n8n. */
	folder: string;
}

/** All versions of n8n in the registry, oldest first. */
export function registryVersions(): string[] {
	const { command, args } = npmCommand(['view', 'n8n', 'versions', '--json']);
	const output = execFileSync(command, args, { env: npmEnvironment(), encoding: 'utf8' });
	return (JSON.parse(output) as string[]).filter((version) => /^\d+\.\d+\.\d+$/.test(version));
}

/** What to test, each with the versions to try if it can't be installed. */
export function versionsOf(all: string[]): string[][] {
	const ofMajor = (major: number) => all.filter((one) => one.startsWith(`${major}.`)).sort(compare);
	const two = ofMajor(2);
	const n8n = playgroundVersion();
	const newer = two.filter((one) => compare(one, n8n) > 0).reverse();
	return [
		two.slice(0, TRIES),
		[n8n],
		// The newest that can be installed may be the playground's.
		[...newer.slice(0, TRIES), n8n],
		ofMajor(1).reverse().slice(0, TRIES),
	];
}

function playgroundVersion(): string {
	const manifest = JSON.parse(readFileSync(join(PLAYGROUND, 'package.json'), 'utf8'));
	const { n8n } = manifest.dependencies as { n8n: string };
	return n8n;
}

function compare(one: string, other: string): number {
	return one.localeCompare(other, 'en', { numeric: true });
}

/** Installs the first of these versions that can be installed. Says why others can't. */
export async function installVersion(
	candidates: string[],
	say: (line: string) => void,
): Promise<Installed | undefined> {
	for (const version of candidates) {
		if (version === playgroundVersion() && isInstalled(n8nFolder())) {
			return { version, folder: n8nFolder() };
		}
		const folder = join(cacheFolder(), `n8n-${version}`);
		if (existsSync(join(folder, 'complete'))) return { version, folder };
		const problem = install(version, folder);
		if (problem === undefined) return { version, folder };
		say(`n8n ${version} can't be installed: ${problem}`);
		rmSync(folder, { recursive: true, force: true });
	}
	return undefined;
}

/** The folder with the other versions, and with the results. */
function cacheFolder(): string {
	const cache = process.env['CARRIER_PLAYGROUND_CACHE'];
	return join(cache || join(homedir(), '.cache', 'carrier-load-communications'), 'versions');
}

function install(version: string, folder: string): string | undefined {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const overrides = overridesOf(version);
	const manifest = { private: true, dependencies: { n8n: version }, overrides };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	console.log(`Installing n8n ${version} (2.2 GB)`);
	const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
	const problem = npm(folder, 'install', ...flags) ?? npm(folder, 'rebuild', 'sqlite3');
	if (problem === undefined) writeFileSync(join(folder, 'complete'), '');
	return problem;
}

/**
 * Packages that have to be held back: newer ones can't be resolved, or need others that this n8n
 * doesn't bring.
 */
function overridesOf(version: string): Record<string, string> {
	const manifest = JSON.parse(readFileSync(join(PLAYGROUND, 'package.json'), 'utf8'));
	if (compare(version, '2.40.0') >= 0) return manifest.overrides;
	// Its own xlsx is not in a registry; a newer checkpoint needs a newer @langchain/core.
	return { linkedom: '0.18.12', xlsx: '0.18.5', '@langchain/langgraph-checkpoint': '1.0.0' };
}

/** Runs npm in a folder. Returns what went wrong, if anything did. */
function npm(folder: string, ...asked: string[]): string | undefined {
	const { command, args } = npmCommand(asked);
	const run = spawnSync(command, args, { cwd: folder, env: npmEnvironment(), encoding: 'utf8' });
	if (run.status === 0) return undefined;
	const lines = run.stderr.split('\n').filter((line) => /^npm (error|ERR!) /.test(line));
	const line = lines.find((one) => !/ code /.test(one)) ?? `npm ${asked[0]} failed`;
	return line.replace(/^npm (error|ERR!) /, '');
}
