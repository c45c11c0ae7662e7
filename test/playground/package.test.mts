import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBuilt } from '../../playground/setup/build.mts';
import { installPackage } from '../../playground/setup/community-package.mts';
import { temporaryFolder } from './support/start-command.mts';

// Programs are started: on a busy machine that takes its time.
jest.setTimeout(60_000);

const NAME = 'n8n-nodes-sample';
const NODE = 'dist/nodes/Sample/Sample.node.js';

let folder: ReturnType<typeof temporaryFolder>;
let source: string;

function write(file: string, content = ''): void {
	const path = join(source, file);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, content);
}

beforeEach(() => {
	folder = temporaryFolder();
	source = join(folder.path, 'source');
	write(
		'package.json',
		JSON.stringify({ name: NAME, version: '1.0.0', files: ['dist'], n8n: { nodes: [NODE] } }),
	);
	write('nodes/Sample/Sample.node.ts');
	write('nodes/Sample/Sample.node.json', '{}');
	write('dist/nodes/Sample/Sample.node.json', '{}');
	write(NODE, '// built');
});
afterEach(() => folder.remove());

describe('putting the package into n8n', () => {
	const installed = (file: string) => join(folder.path, 'user/.n8n/nodes/node_modules', NAME, file);

	it('copies what would be published, and nothing else', async () => {
		await installPackage(source, join(folder.path, 'user'));
		expect(readFileSync(installed(NODE), 'utf8')).toBe('// built');
		expect(existsSync(installed('package.json'))).toBe(true);
		expect(existsSync(installed('nodes/Sample/Sample.node.ts'))).toBe(false);
	});

	it('takes away what the package no longer holds', async () => {
		write('dist/old.js');
		await installPackage(source, join(folder.path, 'user'));
		expect(existsSync(installed('dist/old.js'))).toBe(true);
		rmSync(join(source, 'dist/old.js'));
		await installPackage(source, join(folder.path, 'user'));
		expect(existsSync(installed('dist/old.js'))).toBe(false);
	});

	it('refuses a package whose node was not built, and keeps the one before', async () => {
		await installPackage(source, join(folder.path, 'user'));
		rmSync(join(source, NODE));
		await expect(installPackage(source, join(folder.path, 'user'))).rejects.toThrow(
			`${NODE} is missing in ${source}: run "npm run build", then start again`,
		);
		expect(existsSync(installed(NODE))).toBe(true);
	});
});

describe('whether the package is built', () => {
	const touch = (file: string, minutes: number) => {
		const time = new Date(Date.now() + minutes * 60_000);
		utimesSync(join(source, file), time, time);
	};
	beforeEach(() => touch(NODE, 1));

	it('it is when all of dist is newer than the sources', () => {
		expect(isBuilt(source)).toBe(true);
	});

	it.each([
		['a source is newer', () => touch('nodes/Sample/Sample.node.ts', 2)],
		['a source was deleted', () => touch('nodes/Sample', 2)],
		['the manifest is newer', () => touch('package.json', 2)],
		['a node is missing', () => rmSync(join(source, NODE))],
		['the last step did not run', () => rmSync(join(source, 'dist/nodes/Sample/Sample.node.json'))],
	])('it is not when %s', (_, change) => {
		change();
		expect(isBuilt(source)).toBe(false);
	});
});
