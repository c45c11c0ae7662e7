import {
	onlyPackage,
	readLockfile,
	withAddresses,
} from '../../playground/setup/install/lockfile.mts';
import { PLAYGROUND } from '../../playground/setup/paths.mts';

const REGISTRY = 'https://packages.example.com/npm/';
const entry = (version: string, dependencies = {}) => ({
	...{ version, integrity: 'sha512-0', dependencies },
});

describe("the addresses of n8n's packages", () => {
	it('are those of the registry that npm uses', () => {
		const packages = withAddresses(
			{
				'': { dependencies: { '@scope/one': '1.0.0' } },
				'node_modules/@scope/one': entry('1.0.0'),
				'node_modules/@scope/one/node_modules/two': entry('2.0.0-rc.1'),
				'node_modules/alias': { ...entry('3.0.0'), name: 'three' },
			},
			REGISTRY,
		);
		expect(Object.values(packages).map(({ resolved }) => resolved)).toEqual([
			undefined,
			`${REGISTRY}@scope/one/-/one-1.0.0.tgz`,
			`${REGISTRY}two/-/two-2.0.0-rc.1.tgz`,
			`${REGISTRY}three/-/three-3.0.0.tgz`,
		]);
	});

	it('change nothing else, and every package gets one', () => {
		const packages = readLockfile(PLAYGROUND);
		const addressed = withAddresses(packages, REGISTRY);
		expect(Object.keys(addressed)).toEqual(Object.keys(packages));
		for (const [path, { resolved, ...rest }] of Object.entries(addressed)) {
			expect(rest).toEqual(packages[path]);
			if (path !== '') expect(resolved).toMatch(/^https:\/\/packages\.example\.com\/npm\/.+\.tgz$/);
		}
	});
});

describe('a lockfile with only one package', () => {
	it('has what that requires, from where Node.js finds it', () => {
		const packages = {
			'': { dependencies: { n8n: '2.0.0', driver: '5.0.0' } },
			'node_modules/n8n': entry('2.0.0', { driver: '5.0.0' }),
			'node_modules/driver': entry('5.0.0', { tar: '^6', bindings: '^1' }),
			'node_modules/driver/node_modules/tar': entry('6.0.0', { bindings: '^1' }),
			'node_modules/tar': entry('7.0.0'),
			'node_modules/bindings': entry('1.5.0'),
		};
		expect(onlyPackage(packages, 'driver')).toEqual({
			'': { dependencies: { driver: '5.0.0' } },
			'node_modules/driver': packages['node_modules/driver'],
			'node_modules/driver/node_modules/tar': packages['node_modules/driver/node_modules/tar'],
			'node_modules/bindings': packages['node_modules/bindings'],
		});
	});
});
