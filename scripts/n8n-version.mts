// npm run n8n:version -- 2.42.0
// Writes a version of n8n, and those of the packages it is released with, wherever this repository
// names them. docs/contributing/upgrading-n8n.md has the steps after it.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** Packages that the tests must load in the version that n8n itself uses. */
export const FOLLOWING = [
	...['n8n-core', 'n8n-workflow', '@n8n/di', '@n8n/backend-common', 'express', 'luxon'],
];

/** Package names and exact versions. */
export type Versions = Record<string, string>;

/**
 * The files that name versions of n8n, as they would be with these.
 *
 * @param versions that of `n8n`, and of each following package
 * @returns each file's path and text
 */
export function filesWith(versions: Versions): Array<[path: string, text: string]> {
	const { n8n = '', ...following } = versions;
	return [
		['package.json', withVersions(read('package.json'), following)],
		['playground/package.json', withVersions(read('playground/package.json'), { n8n })],
		['docker/Dockerfile', read('docker/Dockerfile').replace(/(?<=^FROM n8nio\/n8n:).+$/m, n8n)],
	];
}

function withVersions(manifest: string, versions: Versions): string {
	return Object.entries(versions).reduce((text, [name, version]) => {
		const line = new RegExp(`(?<=^\\t\\t"${name}": ")[^"]+`, 'm');
		if (!line.test(text)) throw new Error(`${name} is not a dependency`);
		return text.replace(line, version);
	}, manifest);
}

/** The versions that an `n8n` depends on, from what npm says about it. */
export function versionsOf(n8n: string, dependencies: Versions): Versions {
	const following = FOLLOWING.map((name): [string, string] => {
		const version = dependencies[name];
		if (/^\d+\.\d+\.\d+$/.test(version ?? '')) return [name, `${version}`];
		throw new Error(`n8n ${n8n} names no exact version of ${name}`);
	});
	return { n8n, ...Object.fromEntries(following) };
}

function read(path: string): string {
	return readFileSync(resolve(root, path), 'utf8');
}

if (process.argv[1] === import.meta.filename) {
	const [n8n = ''] = process.argv.slice(2);
	if (!/^\d+\.\d+\.\d+$/.test(n8n))
		throw new Error('Name a version: npm run n8n:version -- 2.42.0');
	const answer = execFileSync('npm', ['view', `n8n@${n8n}`, 'dependencies', '--json']);
	const versions = versionsOf(n8n, JSON.parse(answer.toString()));
	for (const [path, text] of filesWith(versions)) writeFileSync(resolve(root, path), text);
	for (const [name, version] of Object.entries(versions)) console.log(`${name} ${version}`);
}
