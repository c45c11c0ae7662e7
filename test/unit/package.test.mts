import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { ICredentialType, INodeType, Themed } from 'n8n-workflow';
import { checkManifest, type Manifest } from '../../scripts/scan/manifest.mts';

const root = resolve(import.meta.dirname, '../..');
const require = createRequire(join(root, 'package.json'));

interface PackageJson extends Manifest {
	scripts: Record<string, string>;
	devDependencies: Record<string, string>;
	homepage: string;
	repository: { url: string };
	author: { email: string };
	n8n: Required<NonNullable<Manifest['n8n']>>;
}

function readJson<T>(file: string): T {
	return JSON.parse(readFileSync(join(root, file), 'utf8')) as T;
}

const manifest = readJson<PackageJson>('package.json');

/** The built file of a source file. */
function built(source: string): string {
	return join('dist', source).replace(/\.ts$/, '.js');
}

function instanceOf<T>(file: string): T {
	const exported = require(join(root, file)) as Record<string, new () => T>;
	const name = file.split('/').at(-1)?.split('.')[0] ?? '';
	const type = exported[name];
	if (!type) throw new Error(`${file} exports no class "${name}"`);
	return new type();
}

function iconFiles(icon: Themed<string> | undefined): string[] {
	if (icon === undefined) return [];
	return (typeof icon === 'string' ? [icon] : [icon.light, icon.dark]).map((address) =>
		address.replace(/^file:/, ''),
	);
}

const nodeSources = globSync('nodes/*/*.node.ts', { cwd: root }).sort();
const credentialSources = globSync('credentials/*.credentials.ts', { cwd: root }).sort();

describe('the package', () => {
	it('registers every node and every credential type that exists, and no other', () => {
		expect([...manifest.n8n.nodes].sort()).toEqual(nodeSources.map(built));
		expect([...manifest.n8n.credentials].sort()).toEqual(credentialSources.map(built));
	});

	it('has the tools and the top-level files that it was commissioned with', () => {
		const tools = ['n8n-workflow', 'n8n-core', 'axios', 'zod', 'jest', '@n8n/node-cli'];
		const files = ['package.json', 'tsconfig.json', 'gulpfile.js', 'README.md'];
		const folders = ['nodes', 'credentials', 'icons', 'test'];
		expect(manifest.devDependencies).toMatchObject(
			Object.fromEntries(
				[...tools, 'gulp', 'eslint-plugin-n8n-nodes-base'].map((name) => [
					name,
					expect.any(String),
				]),
			),
		);
		expect(manifest.scripts['build']).toContain('gulp');
		expect([...files, ...folders].filter((name) => !existsSync(join(root, name)))).toEqual([]);
	});

	it('follows the rules for a verified community package', () => {
		expect(checkManifest(manifest).flatMap(({ problems }) => problems)).toEqual([]);
	});

	it('names one repository and one support address, those of package.json', () => {
		const { homepage, repository, author } = manifest;
		expect(repository.url).toBe(`git+${homepage}.git`);
		const texts = globSync('{*.md,.github/**/*.yml,docs/**/*.md,nodes/**/*,credentials/*}', {
			cwd: root,
		}).filter((file) => /\.(md|yml|ts|json)$/.test(file));
		const named = texts.flatMap((file) => {
			const text = readFileSync(join(root, file), 'utf8');
			const urls = text.match(
				/https:\/\/github\.com\/[\w.-]+\/n8n-nodes-carrier-load-communications\b/g,
			);
			return urls ?? [];
		});
		expect(named.length).toBeGreaterThan(5);
		expect([...new Set(named)]).toEqual([homepage]);
		expect(readFileSync(join(root, 'SECURITY.md'), 'utf8')).toContain(author.email);
	});

	it('names only scripts that exist in its docs, its CI script and its workflows', () => {
		const texts = [
			...['README.md', 'CONTRIBUTING.md', '.github/pull_request_template.md', '.ci/run'],
			...globSync('{docs/**/*.md,.github/workflows/*.yml}', { cwd: root }),
		];
		const named = texts
			.filter((file) => existsSync(join(root, file)))
			.flatMap((file) => {
				const text = readFileSync(join(root, file), 'utf8');
				return [...text.matchAll(/npm run (?:-s |--silent )?([a-z][\w:-]*)/g)].map(
					([, name]) => name,
				);
			});
		const unknown = named.filter((name) => name !== undefined && !(name in manifest.scripts));
		expect([...new Set(unknown)]).toEqual([]);
	});
});

describe.each(manifest.n8n.nodes)('%s', (file) => {
	it('has its codex file, under its own name', () => {
		const { description } = instanceOf<INodeType>(file);
		const codex = readJson<{ node: string; alias?: string[] }>(file.replace(/\.js$/, '.json'));
		expect(codex.node).toBe(`${manifest.name}.${description.name}`);
	});

	it('links to pages of this repository, and to headings that they have', () => {
		const { resources } = readJson<{ resources: Record<string, Array<{ url: string }>> }>(
			file.replace(/\.js$/, '.json'),
		);
		const links = Object.values(resources).flat();
		expect(links.length).toBeGreaterThan(3);
		for (const { url } of links) {
			const [page = '', anchor = ''] = url
				.replace(`${manifest.homepage}/blob/main/`, '')
				.split('#');
			const headings = readFileSync(join(root, page), 'utf8').match(/^#+ .+$/gm) ?? [];
			const anchors = headings.map((line) =>
				line.toLowerCase().replace(/^#+ /, '').replaceAll(' ', '-'),
			);
			if (anchor !== '') expect(anchors).toContain(anchor);
		}
	});

	it('has the light and dark icons it names', () => {
		const icons = iconFiles(instanceOf<INodeType>(file).description.icon);
		expect(icons).toHaveLength(2);
		const missing = icons.filter((icon) => !existsSync(resolve(root, dirname(file), icon)));
		expect(missing).toEqual([]);
	});

	it('uses only credential types of this package', () => {
		const own = manifest.n8n.credentials.map((path) => instanceOf<ICredentialType>(path).name);
		const used = instanceOf<INodeType>(file).description.credentials ?? [];
		expect(own).toEqual(expect.arrayContaining(used.map(({ name }) => name)));
	});
});

describe.each(manifest.n8n.credentials)('%s', (file) => {
	it('has the light and dark icons it names', () => {
		const icons = iconFiles(instanceOf<ICredentialType>(file).icon);
		expect(icons).toHaveLength(2);
		const missing = icons.filter((icon) => !existsSync(resolve(root, dirname(file), icon)));
		expect(missing).toEqual([]);
	});
});

describe('package-lock.json', () => {
	interface Entry {
		devDependencies?: Record<string, string>;
		peerDependencies?: Record<string, string>;
		resolved?: string;
		libc?: string[];
	}
	const { packages } = readJson<{ packages: Record<string, Entry> }>('package-lock.json');

	it('matches package.json', () => {
		expect(packages['']?.devDependencies).toEqual(manifest.devDependencies);
		expect(packages['']?.peerDependencies).toEqual(manifest.peerDependencies);
	});

	it('names no registry, so that everyone installs from their own', () => {
		const named = Object.keys(packages).filter((path) => packages[path]?.resolved !== undefined);
		expect(named).toEqual([]);
	});

	it('has no "libc" entries, which npm 10 drops and so changes the file', () => {
		const marked = Object.keys(packages).filter((path) => packages[path]?.libc !== undefined);
		expect(marked).toEqual([]);
	});
});
