import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { UserError } from '../cli/terminal.mts';

/** The repository's root folder. */
export const ROOT = resolve(import.meta.dirname, '..', '..');
export const PLAYGROUND = join(ROOT, 'playground');
export const EXAMPLES = join(ROOT, 'examples');
export const PACKAGE_NAME = 'n8n-nodes-carrier-load-communications';
/** Names a folder outside the checkout that keeps the installed n8n, one per lockfile. */
const CACHE_VARIABLE = 'CARRIER_PLAYGROUND_CACHE';

/** The folder for n8n's data: database, login, logs. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
	return fromEnvironment('CARRIER_PLAYGROUND_DATA', env) ?? join(PLAYGROUND, '.data');
}

/** A hash of what to install: when it changes, n8n has to be installed again. */
export function lockfileHash(): string {
	const hash = createHash('sha256');
	for (const file of ['package.json', 'package-lock.json']) {
		hash.update(readFileSync(join(PLAYGROUND, file)));
	}
	return hash.digest('hex').slice(0, 16);
}

/**
 * The folder whose node_modules holds n8n, or will: playground/, or one in the cache. For tests with
 * another version of n8n, CARRIER_TEST_N8N names a folder in which it is installed.
 */
export function n8nFolder(env: NodeJS.ProcessEnv = process.env): string {
	const given = fromEnvironment('CARRIER_TEST_N8N', env);
	if (given !== undefined) return given;
	const cache = fromEnvironment(CACHE_VARIABLE, env);
	return cache === undefined ? PLAYGROUND : join(cache, `n8n-${lockfileHash()}`);
}

function fromEnvironment(name: string, env: NodeJS.ProcessEnv): string | undefined {
	const value = env[name];
	if (value === undefined || value === '') return undefined;
	if (!isAbsolute(value)) {
		throw new UserError(
			`${name} must be the full path of a folder, not "${value}". Change or unset it.`,
		);
	}
	return value;
}

/**
 * Creates a folder and its parents. Node.js's own recursive mkdir never returns for some paths that
 * can't be created (Node.js 24: below /proc).
 * @throws the system's error for the folder that could not be created
 */
export function makeFolder(path: string): void {
	if (existsSync(path)) return;
	const parent = dirname(path);
	if (parent !== path) makeFolder(parent);
	mkdirSync(path);
}
