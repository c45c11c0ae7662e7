import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageFolders } from '../../scripts/third-party.mts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface BillOfMaterials {
	specVersion: string;
	components: { name: string; version?: string; licenses: { license: { id: string } }[] }[];
}

/** The packages whose code is in dist/, according to esbuild's comments for each file. */
function bundledPackages(): string[] {
	const names = globSync('dist/**/*.js', { cwd: root }).flatMap((file) =>
		[...read(file).matchAll(/^\/\/ node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm)].map(
			([, name]) => `${name}`,
		),
	);
	return [...new Set(names)].sort();
}

describe('the third-party notices of the build', () => {
	const bom = JSON.parse(read('dist/sbom.cdx.json')) as BillOfMaterials;
	const licenses = read('dist/THIRD_PARTY_LICENSES.md');
	const libraries = bom.components.filter(({ version }) => version !== undefined);

	it('list every package that is bundled, and no other', () => {
		expect(bundledPackages()).toContain('libphonenumber-js');
		expect(libraries.map(({ name }) => name).sort()).toEqual(bundledPackages());
	});

	it('name the installed version and license of each package', () => {
		for (const { name, version, licenses: named } of libraries) {
			const installed = JSON.parse(read(`node_modules/${name}/package.json`)) as object;
			expect(installed).toMatchObject({ version, license: named[0]?.license.id });
		}
	});

	it('contain the license text of each package', () => {
		for (const name of bundledPackages()) {
			const [file] = globSync(`node_modules/${name}/LICEN[CS]E*`, { cwd: root }).sort();
			expect(licenses).toContain(read(`${file}`).trim());
		}
	});

	it('credit Google for the phone number data', () => {
		expect(bom.components).toContainEqual(
			expect.objectContaining({
				name: 'libphonenumber',
				licenses: [{ license: { id: 'Apache-2.0' } }],
			}),
		);
		expect(licenses).toContain('Apache License');
	});

	it('contain nothing that changes between builds', () => {
		expect(bom).not.toHaveProperty('serialNumber');
		expect(bom).not.toHaveProperty('metadata.timestamp');
	});
});

describe('the packages of bundled files', () => {
	it('are found by their folder, even scoped or nested', () => {
		expect(
			packageFolders([
				'nodes/a.ts',
				'node_modules/plain/index.js',
				'node_modules/plain/deep/file.js',
				'node_modules/@scope/name/index.js',
				'node_modules/plain/node_modules/inner/index.js',
			]),
		).toEqual([
			'node_modules/@scope/name',
			'node_modules/plain',
			'node_modules/plain/node_modules/inner',
		]);
	});
});
