import {
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isBuilt, noteBuild, noteSources } from '../../playground/setup/build.mts';
import {
	installPackage,
	updateInstalledPackage,
} from '../../playground/setup/community-package.mts';
import { temporaryFolder } from './support/start-command.mts';

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

describe('installing the package in n8n', () => {
	const installed = (file: string) => join(folder.path, 'user/.n8n/nodes/node_modules', NAME, file);

	it('copies what would be published and nothing else', () => {
		installPackage(source, join(folder.path, 'user'));
		expect(readFileSync(installed(NODE), 'utf8')).toBe('// built');
		expect(existsSync(installed('package.json'))).toBe(true);
		expect(existsSync(installed('nodes/Sample/Sample.node.ts'))).toBe(false);
	});

	it('removes files that are no longer in the package', () => {
		write('dist/old.js');
		installPackage(source, join(folder.path, 'user'));
		expect(existsSync(installed('dist/old.js'))).toBe(true);
		rmSync(join(source, 'dist/old.js'));
		installPackage(source, join(folder.path, 'user'));
		expect(existsSync(installed('dist/old.js'))).toBe(false);
	});

	it('updates only the files that changed, in place', () => {
		const user = join(folder.path, 'user');
		installPackage(source, user);
		expect(updateInstalledPackage(source, user)).toBe(0);
		write(NODE, '// built again');
		write('dist/new.js');
		expect(updateInstalledPackage(source, user)).toBe(2);
		expect(readFileSync(installed(NODE), 'utf8')).toBe('// built again');
		expect(existsSync(installed('dist/new.js'))).toBe(true);
	});

	it('rejects a package whose node was not built and keeps the installed one', () => {
		installPackage(source, join(folder.path, 'user'));
		rmSync(join(source, NODE));
		expect(() => installPackage(source, join(folder.path, 'user'))).toThrow(
			`${NODE} is missing in ${source}. Run "npm run build", then try again.`,
		);
		expect(existsSync(installed(NODE))).toBe(true);
	});
});

describe('the package is considered built', () => {
	beforeEach(() => {
		noteSources(source);
		noteBuild(source);
	});

	it('when the sources and dist are as they were after the build', () => {
		const now = new Date();
		utimesSync(join(source, 'nodes/Sample/Sample.node.ts'), now, now);
		expect(isBuilt(source)).toBe(true);
	});

	it.each([
		['a source was changed', () => write('nodes/Sample/Sample.node.ts', '// changed')],
		['a source was added', () => write('nodes/Sample/more.ts')],
		['a source was deleted', () => rmSync(join(source, 'nodes/Sample/Sample.node.ts'))],
		['the manifest was changed', () => write('package.json', '{}')],
		['another compiler may be installed', () => write('package-lock.json', '{}')],
		['a node is missing', () => rmSync(join(source, NODE))],
		['a built file was changed', () => write(NODE, '// changed')],
		['it was built elsewhere', () => rmSync(join(source, '.cache'), { recursive: true })],
		['a build has begun', () => noteSources(source)],
	])('but not when %s', (_, change) => {
		change();
		expect(isBuilt(source)).toBe(false);
	});

	it('when something else is built in a clone that shares its node_modules', () => {
		const clone = join(folder.path, 'clone');
		cpSync(source, clone, { recursive: true });
		mkdirSync(join(source, 'node_modules'), { recursive: true });
		rmSync(join(clone, 'node_modules'), { recursive: true, force: true });
		symlinkSync(join(source, 'node_modules'), join(clone, 'node_modules'));
		writeFileSync(join(clone, 'package.json'), '{}');
		noteSources(clone);
		noteBuild(clone);
		expect(isBuilt(source)).toBe(true);
	});

	it('but not when a source was changed during the build', () => {
		noteSources(source);
		write('nodes/Sample/Sample.node.ts', '// changed');
		noteBuild(source);
		expect(isBuilt(source)).toBe(false);
	});
});
