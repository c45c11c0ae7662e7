import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { knownDifference, leftOut } from './differences.mts';
import { cacheFolder, type Installed } from './install.mts';
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
