import {
	installedPaths,
	packagesToUnpack,
	readLockfile,
} from '../../playground/setup/install/packages.mts';
import { PLAYGROUND } from '../../playground/setup/paths.mts';

const REGISTRY = 'https://packages.example.com/npm/';
const entry = (version: string, more = {}) => ({ version, integrity: 'sha512-0', ...more });

describe("what to download of n8n's packages", () => {
	it('is named by its address in the registry that npm uses, once for all its folders', () => {
		const packages = {
			'': { dependencies: { '@scope/one': '1.0.0' } },
			'node_modules/@scope/one': entry('1.0.0'),
			'node_modules/@scope/one/node_modules/two': entry('2.0.0-rc.1'),
			'node_modules/alias': entry('3.0.0', { name: 'three' }),
			'node_modules/three/node_modules/two': entry('2.0.0-rc.1'),
		};
		expect(packagesToUnpack(packages, REGISTRY)).toEqual([
			{
				...{ url: `${REGISTRY}@scope/one/-/one-1.0.0.tgz`, integrity: 'sha512-0' },
				paths: ['node_modules/@scope/one'],
			},
			{
				...{ url: `${REGISTRY}two/-/two-2.0.0-rc.1.tgz`, integrity: 'sha512-0' },
				paths: ['node_modules/@scope/one/node_modules/two', 'node_modules/three/node_modules/two'],
			},
			{
				...{ url: `${REGISTRY}three/-/three-3.0.0.tgz`, integrity: 'sha512-0' },
				paths: ['node_modules/alias'],
			},
		]);
	});

	it('is the whole lockfile', () => {
		const packages = readLockfile(PLAYGROUND);
		const paths = packagesToUnpack(packages, REGISTRY).flatMap((one) => one.paths);
		const required = Object.keys(packages).filter(
			(path) => path !== '' && packages[path]?.['optional'] !== true,
		);
		expect(paths.toSorted()).toEqual(expect.arrayContaining(required));
		expect(paths.toSorted()).toEqual(installedPaths(packages).toSorted());
	});
});

describe('an optional package', () => {
	const other = process.platform === 'win32' ? 'linux' : 'win32';
	it.each([
		['for another system', { os: [other] }, false],
		['for all systems but this one', { os: [`!${process.platform}`] }, false],
		['for all systems but another', { os: [`!${other}`] }, true],
		['for this system on another processor', { os: [process.platform], cpu: ['mips'] }, false],
		['for another C library', { libc: ['another'] }, false],
		['for everyone', {}, true],
	])('%s', (_, limits, isInstalled) => {
		const paths = installedPaths({
			'node_modules/one': entry('1.0.0', { optional: true, ...limits }),
		});
		expect(paths).toEqual(isInstalled ? ['node_modules/one'] : []);
	});
});
