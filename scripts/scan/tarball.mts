import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { Check } from './check.mts';
import type { Manifest } from './manifest.mts';

/** Modules that n8n provides to a verified package at run time. Others must be bundled. */
const provided = [
	'n8n-workflow',
	'lodash',
	'moment',
	'p-limit',
	'luxon',
	'zod',
	'crypto',
	'node:crypto',
];

const shipped = [
	/^(package\.json|README\.md|LICENSE\.md)$/,
	/^dist\/(THIRD_PARTY_LICENSES\.md|sbom\.cdx\.json)$/,
	/^dist\/(nodes|credentials)\/.+\.(js|js\.map|d\.ts|node\.json)$/,
	/^dist\/nodes\/[^/]+\/__schema__\/.+\.json$/,
	/^dist\/(icons|nodes|credentials)\/.+\.(svg|png)$/,
];
const development = /\.(test|spec)\.|(^|\/)(test|tests|sandbox|playground|bench|fixtures)\//;

/** Packs the checkout into `directory`, as publishing does. Returns the path of the tarball. */
export function packInto(root: string, directory: string): string {
	const argumentsOfPack = ['pack', '--ignore-scripts', '--pack-destination', directory];
	execFileSync('npm', argumentsOfPack, { cwd: root, stdio: 'pipe' });
	const [tarball] = readdirSync(directory).filter((name) => name.endsWith('.tgz'));
	if (tarball === undefined) throw new Error('npm pack wrote no tarball');
	return join(directory, tarball);
}

/** Unpacks a tarball next to itself. Returns the path of the package. */
export function unpack(tarball: string): string {
	execFileSync('tar', ['-xzf', tarball, '-C', dirname(tarball)]);
	return join(dirname(tarball), 'package');
}

/**
 * Packing the same commit always gives the same file, so a release can be compared with its CI run.
 */
export function checkRepeatable(tarball: string, other: string): Check {
	const same = readFileSync(tarball).equals(readFileSync(other));
	return {
		name: 'packing twice gives the same bytes',
		problems: same ? [] : ['two runs of "npm pack" differ: something in dist/ depends on the time'],
	};
}

function filesOf(directory: string): string[] {
	return readdirSync(directory, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(directory, join(entry.parentPath, entry.name)))
		.sort();
}

function requiredBy(source: string): string[] {
	const calls = source.matchAll(/\b(?:require|import)\(\s*(['"`]?)([^)'"`]*)\1\s*\)/g);
	const statements = source.matchAll(/^\s*(?:import|export)\b[^;]*?\bfrom\s+(['"])([^'"]+)\1/gm);
	return [...calls, ...statements].map(([, quote, name]) => (quote ? `${name}` : `<${name}>`));
}

function foreignRequires(directory: string, files: string[]): string[] {
	return files
		.filter((file) => file.endsWith('.js'))
		.flatMap((file) =>
			requiredBy(readFileSync(join(directory, file), 'utf8'))
				.filter((name) => !name.startsWith('./') && !name.startsWith('../'))
				.filter((name) => !provided.includes(name))
				.map((name) => `${file} requires "${name}": bundle it or do without`),
		);
}

/** What the tarball contains, and what its code requires at run time. */
export function checkTarball(directory: string, manifest: Manifest, root: string): Check[] {
	const files = filesOf(directory);
	const unexpected = files.filter(
		(file) => development.test(file) || !shipped.some((pattern) => pattern.test(file)),
	);
	const registered = [...(manifest.n8n?.nodes ?? []), ...(manifest.n8n?.credentials ?? [])];
	const machine = files.filter((file) =>
		readFileSync(join(directory, file), 'utf8').includes(root),
	);
	return [
		{
			name: `the tarball (${files.length} files) holds the package and nothing of its development`,
			problems: unexpected.map((file) => `${file} must not be published`),
		},
		{
			name: 'every registered node and credential is in the tarball',
			problems: registered
				.filter((file) => !files.includes(file))
				.map((file) => `${file} is registered in package.json and is not in the tarball`),
		},
		{
			name: 'the code requires only itself and what n8n provides',
			problems: foreignRequires(directory, files),
		},
		{
			name: 'no file names a folder of the machine it was built on',
			problems: machine.map((file) => `${file} contains "${root}"`),
		},
	];
}

/** Loads the unpacked package as n8n does when it starts, with n8n-workflow from this repository. */
export async function checkLoading(
	directory: string,
	manifest: Manifest,
	root: string,
): Promise<Check> {
	const name = 'n8n loads every node and credential of the tarball';
	const modules = join(dirname(directory), 'node_modules');
	if (!existsSync(modules)) symlinkSync(join(root, 'node_modules'), modules);
	const { PackageDirectoryLoader }: typeof import('n8n-core') = createRequire(join(root, 'x'))(
		'n8n-core',
	);
	const loader = new PackageDirectoryLoader(directory);
	try {
		await loader.loadAll();
	} catch (error) {
		return { name, problems: [error instanceof Error ? error.message : String(error)] };
	}
	const { nodes = [], credentials = [] } = manifest.n8n ?? {};
	const loaded = [Object.keys(loader.nodeTypes).length, Object.keys(loader.credentialTypes).length];
	return {
		name,
		problems:
			nodes.length > 0 && loaded[0] === nodes.length && loaded[1] === credentials.length
				? []
				: [`n8n loads ${loaded[0]} nodes and ${loaded[1]} credentials`],
	};
}
