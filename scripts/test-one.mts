// Runs one test file, of any suite, against a fresh build: npm run test:one -- lists-whole
// Everything after the pattern goes to Jest: npm run test:one -- lists-whole -t "limit"
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { build, isBuilt } from '../playground/setup/build.mts';

const root = resolve(import.meta.dirname, '..');
const [pattern, ...jestArguments] = process.argv.slice(2);

/** Returns the one test file whose path contains the pattern. Otherwise exits with the reason. */
function findTestFile(): string {
	if (pattern === undefined || pattern.startsWith('-')) {
		return refuse('Name a test file, or a part of its path: npm run test:one -- lists-whole');
	}
	const files = globSync('test/**/*.test.mts', { cwd: root }).sort();
	const matches = files.filter((file) => file.includes(pattern));
	const [file] = matches;
	if (file === undefined) return refuse(`No test file has "${pattern}" in its path`);
	if (matches.length === 1) return file;
	return refuse(`"${pattern}" matches ${matches.length} test files, name one of them:`, matches);
}

function refuse(message: string, files: string[] = []): never {
	console.error([message, ...files.map((file) => `  ${file}`)].join('\n'));
	process.exit(2);
}

const file = findTestFile();
if (!isBuilt()) {
	console.log('Building the package: a source has changed since the last build');
	await build();
}
const jest = resolve(root, 'node_modules/jest/bin/jest.js');
const { status } = spawnSync(
	process.execPath,
	[jest, '--runInBand', '--verbose', '--runTestsByPath', file, ...jestArguments],
	{ cwd: root, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
