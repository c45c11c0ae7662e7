import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, type JsonObject, textIn } from '../../n8n/rest.mts';

/** The packages of an npm lockfile by their folder ("node_modules/n8n"); "" is the project itself. */
export type Lockfile = Record<string, JsonObject>;

/** One package, and the folders in which the lockfile has it. */
export interface PackageToUnpack {
	url: string;
	integrity: string;
	paths: string[];
}

/** The package-lock.json of a folder. */
export function readLockfile(folder: string): Lockfile {
	const lock: unknown = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
	const packages = isRecord(lock) && isRecord(lock['packages']) ? lock['packages'] : {};
	return Object.fromEntries(
		Object.entries(packages).flatMap(([path, entry]) => (isRecord(entry) ? [[path, entry]] : [])),
	);
}

/** The folders of all packages that are installed on this system. */
export function installedPaths(packages: Lockfile): string[] {
	const here = { os: process.platform, cpu: process.arch, libc: libc() };
	return Object.entries(packages).flatMap(([path, entry]) => {
		const isLeftOut =
			entry['optional'] === true &&
			!(['os', 'cpu', 'libc'] as const).every((what) => allows(entry[what], here[what]));
		return path === '' || isLeftOut ? [] : [path];
	});
}

/**
 * What to download from the registry. Registries keep a package at this address, npm's own and those
 * that companies put before it.
 * @param registry its address, with a slash at the end
 * @throws Error when a package is not from a registry
 */
export function packagesToUnpack(packages: Lockfile, registry: string): PackageToUnpack[] {
	const byUrl = new Map<string, PackageToUnpack>();
	for (const path of installedPaths(packages)) {
		const entry = packages[path];
		const integrity = textIn(entry, 'integrity');
		if (integrity === '') throw new Error(`the lockfile has no checksum for ${path}`);
		const name = textIn(entry, 'name') || nameAt(path);
		const file = `${name.split('/').at(-1)}-${textIn(entry, 'version')}.tgz`;
		const url = new URL(`${name}/-/${file}`, registry).href;
		const found = byUrl.get(url);
		if (found === undefined) byUrl.set(url, { url, integrity, paths: [path] });
		else found.paths.push(path);
	}
	return [...byUrl.values()];
}

/** Lists name what a package is for ("linux"), or what it isn't for ("!win32"). */
function allows(list: unknown, here: string): boolean {
	if (!Array.isArray(list) || list.length === 0) return true;
	if (list.includes(`!${here}`)) return false;
	return list.includes(here) || list.every((one) => String(one).startsWith('!'));
}

/** Which C library Node.js was built for: npm learns it the same way. */
function libc(): string {
	if (process.platform !== 'linux') return '';
	const { header } = process.report.getReport() as { header?: JsonObject };
	return textIn(header, 'glibcVersionRuntime') === '' ? 'musl' : 'glibc';
}

function nameAt(path: string): string {
	return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
