// The licenses of third-party code in the package, and a software bill of materials (CycloneDX
// 1.6). The build calls this with the files it bundled (gulpfile.js).
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

interface Manifest {
	name: string;
	version: string;
	license: string;
	homepage?: string;
}

interface Component {
	name: string;
	version?: string;
	license: string;
	purl: string;
	from: string;
	texts: string[];
}

/**
 * Phone number data, which is part of a library and a generated file, so its origin isn't visible in
 * the bundle. The license text is the one that libphonenumber-js ships for the same data.
 */
function phoneNumberData(): Component {
	return {
		name: 'libphonenumber',
		license: 'Apache-2.0',
		purl: 'pkg:github/google/libphonenumber',
		from: 'https://github.com/google/libphonenumber (phone number metadata, time zones of phone numbers)',
		texts: [readFileSync(join(root, 'node_modules/libphonenumber-js/LICENSE.Apache'), 'utf8')],
	};
}

function readManifest(folder: string): Manifest {
	return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

function componentOf(folder: string): Component {
	const { name, version, license, homepage } = readManifest(folder);
	const texts = readdirSync(join(root, folder))
		.filter((file) => /^(licen[cs]e|notice)(\.(md|txt))?$/i.test(file))
		.map((file) => readFileSync(join(root, folder, file), 'utf8'));
	if (texts.length === 0) throw new Error(`${folder} has no license file to ship`);
	const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
	const from = homepage ?? `https://www.npmjs.com/package/${name}`;
	return { name, version, license, purl, from, texts };
}

/** The folders of the packages that the bundled files (paths from the root) belong to. */
export function packageFolders(files: string[]): string[] {
	const folders = files.map((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0]);
	return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

function licensesText(components: Component[]): string {
	const intro = '# Third-party licenses\n\nThis package contains code and data of others:\n';
	const sections = components.map(({ name, version, license, from, texts }) => {
		const title = `## ${[name, version].filter(Boolean).join(' ')}\n\n${license}, ${from}`;
		return [title, ...texts.map((text) => `\`\`\`text\n${text.trim()}\n\`\`\``)].join('\n\n');
	});
	return [intro, ...sections].join('\n').concat('\n');
}

/** No time and no serial number: the same sources produce the same bytes. */
function billOfMaterials(components: Component[]): object {
	const { name, version, license } = readManifest('.');
	const entry = (component: Omit<Component, 'from' | 'texts'>) => ({
		type: 'library',
		'bom-ref': component.purl,
		name: component.name,
		...(component.version === undefined ? {} : { version: component.version }),
		licenses: [{ license: { id: component.license } }],
		purl: component.purl,
	});
	const own = entry({ name, version, license, purl: `pkg:npm/${name}@${version}` });
	return {
		$schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
		bomFormat: 'CycloneDX',
		specVersion: '1.6',
		version: 1,
		metadata: { component: own },
		components: components.map(entry),
		dependencies: [{ ref: own['bom-ref'], dependsOn: components.map(({ purl }) => purl) }],
	};
}

/** Writes both documents into dist/. */
export function writeNotices(bundledFiles: string[]): void {
	const components = [...packageFolders(bundledFiles).map(componentOf), phoneNumberData()];
	const bom = JSON.stringify(billOfMaterials(components), undefined, '\t');
	writeFileSync(join(root, 'dist/sbom.cdx.json'), `${bom}\n`);
	writeFileSync(join(root, 'dist/THIRD_PARTY_LICENSES.md'), licensesText(components));
}
