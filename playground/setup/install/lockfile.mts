import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isRecord, type JsonObject, textIn } from '../../n8n/rest.mts';
import { npmCommand, npmEnvironment } from './npm.mts';

/** The packages of an npm lockfile by their folder ("node_modules/n8n"); "" is the project itself. */
export type Lockfile = Record<string, JsonObject>;

/** The package-lock.json of a folder. */
export function readLockfile(folder: string): Lockfile {
	const lock: unknown = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
	const packages = isRecord(lock) && isRecord(lock['packages']) ? lock['packages'] : {};
	return Object.fromEntries(
		Object.entries(packages).flatMap(([path, entry]) => (isRecord(entry) ? [[path, entry]] : [])),
	);
}

/** The lockfile's text, as npm reads it. */
export function lockfileText(packages: Lockfile): string {
	return JSON.stringify({ lockfileVersion: 3, requires: true, packages });
}

/**
 * The lockfile with each package's address. Ours names no registry, and npm otherwise reads the whole
 * list of versions of each of 2,092 packages just to learn the address: a third of its CPU time.
 * Registries have this layout, npm's own and those that companies put before it.
 */
export function withAddresses(packages: Lockfile, registry: string): Lockfile {
	return Object.fromEntries(
		Object.entries(packages).map(([path, entry]) => {
			if (path === '' || textIn(entry, 'integrity') === '') return [path, entry];
			const name = textIn(entry, 'name') || nameAt(path);
			const file = `${name.split('/').at(-1)}-${textIn(entry, 'version')}.tgz`;
			return [path, { ...entry, resolved: new URL(`${name}/-/${file}`, registry).href }];
		}),
	);
}

/** A lockfile with only one of the packages, and what it requires, without what is optional. */
export function onlyPackage(packages: Lockfile, name: string): Lockfile {
	const version = textIn(packages[`node_modules/${name}`], 'version');
	const kept: Lockfile = { '': { dependencies: { [name]: version } } };
	const keep = (path: string | undefined) => {
		const entry = path === undefined ? undefined : packages[path];
		if (path === undefined || entry === undefined || path in kept) return;
		kept[path] = { ...entry };
		delete kept[path]['optionalDependencies'];
		const required = isRecord(entry['dependencies']) ? Object.keys(entry['dependencies']) : [];
		for (const each of required) keep(foundFrom(path, each, packages));
	};
	keep(`node_modules/${name}`);
	return kept;
}

/** Where Node.js finds a package from another one's folder: inside it, else beside it or further up. */
function foundFrom(path: string, name: string, packages: Lockfile): string | undefined {
	const inside = `${path}/node_modules/${name}`;
	if (inside in packages) return inside;
	const up = path.lastIndexOf('/node_modules/');
	if (up !== -1) return foundFrom(path.slice(0, up), name, packages);
	return `node_modules/${name}`;
}

function nameAt(path: string): string {
	return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** The registry that npm uses in a folder, with a slash at the end. */
export async function registryOf(folder: string): Promise<string> {
	const { command, args } = npmCommand(['config', 'get', 'registry']);
	const options = { cwd: folder, env: npmEnvironment() };
	const { stdout } = await promisify(execFile)(command, args, options);
	return `${stdout.trim().replace(/\/+$/, '')}/`;
}
