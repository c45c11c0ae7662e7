// Runs the package on several versions of n8n: npm run test:versions, or with versions of your choice,
// npm run test:versions -- 2.0.0 2.41.1. Each is installed once (2.2 GB), next to the playground's n8n.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build, isBuilt } from '../playground/setup/build.mts';
import { knownDifference, leftOut } from './versions/differences.mts';
import { installVersion, registryVersions, versionsOf } from './versions/install.mts';

/** What runs with each n8n: Jest's project, and the variable that tells it where that n8n is. */
const SUITES = [
	{ name: 'main jobs', project: 'versions', variable: 'CARRIER_TEST_N8N', options: '' },
	// Older versions of n8n-core require packages that are ES modules.
	{
		...{ name: 'engine tests', project: 'engine', variable: 'CARRIER_TEST_ENGINE' },
		options: '--experimental-vm-modules',
	},
] as const;

interface Result {
	passed: number;
	failed: number;
	failures: string[];
}

const root = resolve(import.meta.dirname, '..');
const results = mkdtempSync(join(tmpdir(), 'carrier-versions-'));

function runSuite(project: string, without: string[], environment: Record<string, string>): Result {
	const file = join(results, 'result.json');
	rmSync(file, { force: true });
	const jest = resolve(root, 'node_modules/jest/bin/jest.js');
	spawnSync(
		process.execPath,
		// With an older n8n-core, Jest keeps running after some failures.
		[
			...[jest, '--selectProjects', project, '--forceExit', '--json', `--outputFile=${file}`],
			...['/node_modules/', ...without].map((path) => `--testPathIgnorePatterns=${path}`),
		],
		{ cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...environment } },
	);
	const report = JSON.parse(readFileSync(file, 'utf8')) as {
		numPassedTests: number;
		numFailedTests: number;
		numRuntimeErrorTestSuites: number;
		testResults: { assertionResults: { status: string; fullName: string }[] }[];
	};
	return {
		passed: report.numPassedTests,
		failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
		failures: report.testResults.flatMap(({ assertionResults }) =>
			assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
		),
	};
}

const asked = process.argv.slice(2);
if (!isBuilt()) await build();
let failed = 0;
for (const candidates of asked.length > 0
	? asked.map((one) => [one])
	: versionsOf(registryVersions())) {
	const installed = await installVersion(candidates);
	if (installed === undefined) continue;
	const { version, folder } = installed;
	const omitted = leftOut(version);
	for (const { file, why } of omitted) console.log(`n8n ${version}, left out: ${file} (${why})`);
	const without = omitted.map(({ file }) => file);
	for (const { name, project, variable, options } of SUITES) {
		const result = runSuite(project, without, { [variable]: folder, NODE_OPTIONS: options });
		const known = result.failures.filter((test) => knownDifference(version, test) !== undefined);
		const unexpected = result.failed - known.length;
		console.log(
			`n8n ${version}, ${name}: ${result.passed} passed, ${known.length} differ as known, ${unexpected} failed`,
		);
		for (const failure of result.failures) {
			const why = knownDifference(version, failure);
			console.log(why === undefined ? `  failed: ${failure}` : `  differs: ${failure} (${why})`);
		}
		failed += unexpected;
	}
}
rmSync(results, { recursive: true, force: true });
process.exitCode = failed > 0 ? 1 : 0;
