import type { Check } from './check.mts';

/** The parts of a package.json to check. */
export interface Manifest {
	name: string;
	license?: string;
	keywords?: string[];
	files?: string[];
	scripts?: Record<string, string>;
	peerDependencies?: Record<string, string>;
	n8n?: { strict?: boolean; n8nNodesApiVersion?: number; nodes?: string[]; credentials?: string[] };
}

// Reviewers reject a package with any of these: npm would download or run other code on the user's
// machine.
const forbiddenFields = [
	'dependencies',
	'optionalDependencies',
	'bundledDependencies',
	'bundleDependencies',
	'overrides',
	'resolutions',
];
// npm runs "prepublishOnly" only where the package is published, so n8n's rule allows it
// (no-forbidden-lifecycle-scripts), and n8n's own starter has one.
const lifecycleScripts = [
	...['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'],
	...['prepublish', 'publish', 'postpublish', 'prepack', 'postpack', 'dependencies'],
];

function expectSame(what: string, found: unknown, expected: unknown): string[] {
	if (JSON.stringify(found) === JSON.stringify(expected)) return [];
	return [`${what} is ${JSON.stringify(found)}, must be ${JSON.stringify(expected)}`];
}

/** The rules for the package.json of a verified community package. */
export function checkManifest(manifest: Manifest): Check[] {
	const scripts = Object.keys(manifest.scripts ?? {});
	const { n8n } = manifest;
	return [
		{
			name: 'package.json brings no other package along',
			problems: forbiddenFields
				.filter((field) => field in manifest)
				.map((field) => `package.json has "${field}": remove it`),
		},
		{
			name: 'package.json runs no script on installing or packing',
			problems: scripts
				.filter((script) => lifecycleScripts.includes(script))
				.map((script) => `package.json has the lifecycle script "${script}": remove it`),
		},
		{
			name: 'package.json has the fields of a verified community package',
			problems: [
				...expectSame('"peerDependencies"', manifest.peerDependencies, { 'n8n-workflow': '*' }),
				...expectSame('"files"', manifest.files, ['dist']),
				...expectSame('"license"', manifest.license, 'MIT'),
				...expectSame('"n8n.strict"', n8n?.strict, true),
				...expectSame('"n8n.n8nNodesApiVersion"', n8n?.n8nNodesApiVersion, 1),
				...(manifest.keywords?.includes('n8n-community-node-package')
					? []
					: ['"keywords" lacks "n8n-community-node-package"']),
				...(/^n8n-nodes-[a-z0-9-]+$/.test(manifest.name)
					? []
					: [`"name" is "${manifest.name}", must be unscoped and start with "n8n-nodes-"`]),
			],
		},
	];
}
