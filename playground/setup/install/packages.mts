import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { unpackTar } from 'modern-tar';
import { errorCode, errorMessage, printStep, type Shutdown } from '../../cli/terminal.mts';
import { isRecord, type JsonObject, textIn } from '../../n8n/rest.mts';
import { registryOf, runNpm } from './npm.mts';
import type { UnpackOrder } from './unpack-packages.mts';

const QUIET = ['--no-audit', '--no-fund', '--loglevel=warn'];
/** More workers wait for the disk and the registry. */
const MOST_WORKERS = 4;

/**
 * Installs the packages of a folder's lockfile where npm would, without running their scripts. npm takes
 * three times as long, and only gets those that can't be downloaded like this: from a registry that
 * wants a login, through a proxy that only npm's settings name, or from other addresses than usual.
 * @throws Error when the lockfile lacks a checksum, with which npm would compare nothing
 * @throws UserError when npm fails, too
 */
export async function installPackages(folder: string, packages: Lockfile, shutdown: Shutdown) {
	assertChecksums(packages);
	try {
		const { url, cafile } = await registryOf(folder);
		await unpackAll({ folder, cafile, packages: packagesToUnpack(packages, url) });
	} catch (error) {
		if (shutdown.started) throw error;
		printStep(`npm installs n8n, which takes minutes longer (${errorMessage(error)})`);
		// npm takes a half-written package folder for a complete one.
		rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
		const flags = ['--ignore-scripts', '--no-bin-links', '--legacy-peer-deps', '--no-save'];
		await runNpm({ folder, args: ['install', ...flags, ...QUIET], shutdown });
	}
}

async function unpackAll(what: Omit<UnpackOrder, 'next'>): Promise<void> {
	const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
	const order: UnpackOrder = { ...what, next };
	const count = Math.min(availableParallelism(), MOST_WORKERS);
	const workers = Array.from({ length: count }, () => startWorker(order));
	try {
		await Promise.all(workers.map(ended));
	} finally {
		await Promise.all(workers.map((worker) => worker.terminate()));
	}
}

function startWorker(workerData: UnpackOrder): Worker {
	return new Worker(join(import.meta.dirname, 'unpack-packages.mts'), { workerData });
}

function ended(worker: Worker): Promise<void> {
	return new Promise((resolve, reject) => {
		// A copy that came from the worker doesn't count as an error here.
		worker.once('error', ({ message }: Error) => reject(new Error(message)));
		worker.once('exit', (code) => {
			if (code === 0) resolve();
			else reject(new Error(`unpacking ended with exit code ${code}`));
		});
	});
}

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
 */
export function packagesToUnpack(packages: Lockfile, registry: string): PackageToUnpack[] {
	const byUrl = new Map<string, PackageToUnpack>();
	for (const path of installedPaths(packages)) {
		const entry = packages[path];
		const integrity = textIn(entry, 'integrity');
		const name = textIn(entry, 'name') || nameAt(path);
		const file = `${name.split('/').at(-1)}-${textIn(entry, 'version')}.tgz`;
		const url = new URL(`${name}/-/${file}`, registry).href;
		const found = byUrl.get(url);
		if (found === undefined) byUrl.set(url, { url, integrity, paths: [path] });
		else found.paths.push(path);
	}
	return [...byUrl.values()];
}

function assertChecksums(packages: Lockfile): void {
	const path = installedPaths(packages).find((one) => !textIn(packages[one], 'integrity'));
	if (path !== undefined) throw new Error(`the lockfile has no checksum for ${path}`);
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

const TRIES = 3;
const PAUSE_MS = 1_000;

/**
 * Downloads a file. Tries again when the connection fails or the server does.
 * @param integrity its checksum, as lockfiles write it: "sha512-…"
 * @throws Error when it can't be had, or isn't the file that was asked for
 */
export async function download(url: string, integrity: string): Promise<Buffer> {
	for (let tries = 1; ; tries++) {
		try {
			const body = await fetchFile(url);
			assertIntegrity(body, integrity, fileName(url));
			return body;
		} catch (error) {
			if (tries === TRIES || error instanceof RefusedError) throw error;
			await wait(PAUSE_MS * tries);
		}
	}
}

async function fetchFile(url: string): Promise<Buffer> {
	const response = await fetch(url).catch((error: unknown) => {
		const cause = error instanceof Error ? error.cause : undefined;
		throw new Error(`${fileName(url)}: ${errorCode(cause) ?? 'no response'}`);
	});
	if (response.ok) return Buffer.from(await response.arrayBuffer());
	const message = `${fileName(url)}: status ${response.status}`;
	throw response.status < 500 ? new RefusedError(message) : new Error(message);
}

/** For messages: the address before it may contain a password. */
function fileName(url: string): string {
	return url.slice(url.lastIndexOf('/') + 1);
}

/** The server won't have it the next time, either. */
class RefusedError extends Error {}

function assertIntegrity(body: Buffer, integrity: string, file: string): void {
	const [algorithm = '', ...rest] = integrity.split('-');
	if (createHash(algorithm).update(body).digest('base64') === rest.join('-')) return;
	throw new Error(`${file}: not the file that the lockfile names`);
}

/** A file in a package's tarball. */
export interface PackedFile {
	/** From the package's folder, with slashes. */
	path: string;
	content: Uint8Array;
	isExecutable: boolean;
}

/**
 * The files of an npm package. What isn't a file is left out, as npm does.
 * @param tar the tarball, without its compression
 * @throws Error when it isn't one, or when a path leads out of the package
 */
export async function filesIn(tar: Uint8Array): Promise<PackedFile[]> {
	const entries = await unpackTar(tar, { filter: ({ type }) => type === 'file' });
	return entries.map(({ header, data = new Uint8Array() }) => ({
		path: pathInPackage(header.name),
		content: data,
		isExecutable: ((header.mode ?? 0) & 0o111) !== 0,
	}));
}

/** Without the first folder, which is "package" in most packages. */
function pathInPackage(name: string): string {
	const path = name.slice(name.indexOf('/') + 1);
	if (!path.split(/[/\\]/).includes('..') && !/^[/\\]|^[a-z]:/i.test(path)) return path;
	throw new Error(`a file of the package would be outside of its folder: ${name}`);
}
