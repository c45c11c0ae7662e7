import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { buildDriver } from '../../playground/setup/install/install.mts';
import { installPackages, readLockfile } from '../../playground/setup/install/packages.mts';
import { Shutdown } from '../../playground/cli/terminal.mts';
import { selfSigned } from '../support/self-signed.mts';
import { temporaryFolder } from './support/start-command.mts';

// npm installs what can't be downloaded directly, so a part of these tests starts npm.

const folder = temporaryFolder();
const USUAL = '/tiny/-/tiny-1.0.0.tgz';
const OTHER = '/files/tiny.tgz';
let tarball: Buffer;
let asked: string[];
let printed: string[];
let respond: (request: IncomingMessage, response: ServerResponse) => void;

const registry = createServer((request, response) => {
	asked.push(request.url ?? '');
	respond(request, response);
});
const integrity = () => `sha512-${createHash('sha512').update(tarball).digest('base64')}`;

/** What npm asks for to learn a package's address. */
function listOfVersions(address: string): string {
	const dist = { tarball: address, integrity: integrity() };
	const versions = { '1.0.0': { name: 'tiny', version: '1.0.0', dist } };
	return JSON.stringify({ name: 'tiny', versions, 'dist-tags': { latest: '1.0.0' } });
}

beforeAll(async () => {
	// "npm run" passes its settings on as variables, which come before those in .npmrc.
	process.env = Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)),
	);
	mkdirSync(join(folder.path, 'package'));
	writeFileSync(join(folder.path, 'package/package.json'), '{"name":"tiny","version":"1.0.0"}');
	execFileSync('tar', ['-czf', 'tiny.tgz', 'package'], { cwd: folder.path });
	tarball = readFileSync(join(folder.path, 'tiny.tgz'));
	await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
	asked = [];
	printed = [];
	jest.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => {
	registry.close();
	folder.remove();
});

/** Installs the one package in an empty folder. Returns whether it is there then. */
async function installTiny(name: string, settings: (host: string) => string[] = () => []) {
	const project = join(folder.path, name);
	mkdirSync(project);
	const address = registry.address();
	const host = `127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`;
	const npmrc = [
		...[`registry=http://${host}/`, `cache=${join(project, 'cache')}`, 'fetch-retries=0'],
		...['omit-lockfile-registry-resolved=true', ...settings(host)],
	];
	writeFileSync(join(project, '.npmrc'), npmrc.join('\n'));
	const root = { dependencies: { tiny: '1.0.0' } };
	const tiny = { version: '1.0.0', integrity: integrity() };
	const lock = { lockfileVersion: 3, packages: { '': root, 'node_modules/tiny': tiny } };
	writeFileSync(join(project, 'package.json'), JSON.stringify(root));
	writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock));
	const isThere = () => existsSync(join(project, 'node_modules/tiny/package.json'));
	try {
		await installPackages(project, readLockfile(project), new Shutdown());
	} finally {
		expect(readFileSync(join(project, 'package-lock.json'), 'utf8')).toBe(JSON.stringify(lock));
	}
	return isThere();
}

it('a package of n8n is downloaded from its usual address, and nothing else is asked for', async () => {
	respond = (_, response) => response.end(tarball);
	expect(await installTiny('usual')).toBe(true);
	expect({ asked, printed }).toEqual({ asked: [USUAL], printed: [] });
});

it('a download that the registry fails is tried again', async () => {
	respond = (_, response) =>
		asked.length === 1 ? response.writeHead(503).end() : response.end(tarball);
	expect(await installTiny('failing')).toBe(true);
	expect({ asked, printed }).toEqual({ asked: [USUAL, USUAL], printed: [] });
});

it('a registry that keeps its packages at other addresses is left to npm', async () => {
	respond = ({ url, headers }, response) => {
		if (url === OTHER) return response.end(tarball);
		if (url !== '/tiny') return response.writeHead(403).end();
		return response.end(listOfVersions(`http://${headers.host}${OTHER}`));
	};
	expect(await installTiny('other')).toBe(true);
	expect(asked).toEqual([USUAL, '/tiny', OTHER]);
	expect(printed[0]).toMatch(/npm installs n8n, .*tiny-1\.0\.0\.tgz: status 403/);
});

it('a registry that wants a login is left to npm, whose settings have it', async () => {
	respond = ({ url, headers }, response) => {
		if (headers.authorization !== 'Bearer secret') return response.writeHead(401).end();
		if (url === USUAL) return response.end(tarball);
		return response.end(listOfVersions(`http://${headers.host}${USUAL}`));
	};
	expect(await installTiny('login', (host) => [`//${host}/:_authToken=secret`])).toBe(true);
	expect(printed.join()).not.toContain('secret');
});

it("a registry with a certificate that npm's settings name is trusted", async () => {
	const { key, cert } = selfSigned();
	const cafile = join(folder.path, 'certificates.pem');
	writeFileSync(cafile, [rootCertificates[0], cert].join('\n'));
	const secure = createSecureServer({ key, cert }, (_, response) => response.end(tarball));
	await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
	const address = secure.address();
	const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}/`;
	try {
		const settings = [`registry=${url}`, `cafile=${cafile}`];
		expect(await installTiny('secure', () => settings)).toBe(true);
		expect(printed).toEqual([]);
	} finally {
		secure.close();
	}
});

it('a package that is not the one in the lockfile is not installed', async () => {
	respond = ({ url, headers }, response) => {
		if (url === USUAL) return response.end(Buffer.concat([tarball, tarball]));
		return response.end(listOfVersions(`http://${headers.host}${USUAL}`));
	};
	await expect(installTiny('changed')).rejects.toThrow('EINTEGRITY');
	expect(printed[0]).toContain('not the file that the lockfile names');
	expect(existsSync(join(folder.path, 'changed/node_modules/tiny/package.json'))).toBe(false);
});

it('a package without a checksum in the lockfile is neither downloaded nor left to npm', async () => {
	const packages = { 'node_modules/tiny': { version: '1.0.0' } };
	await expect(installPackages(folder.path, packages, new Shutdown())).rejects.toThrow(
		'the lockfile has no checksum for node_modules/tiny',
	);
	expect({ asked, printed }).toEqual({ asked: [], printed: [] });
});

it.each([
	['the database driver is compiled from the source in its package', {}, 'true'],
	['a prebuilt driver is looked for if asked for', { CARRIER_PLAYGROUND_PREBUILT: '1' }, undefined],
])('%s', async (_, env, fromSource) => {
	const project = mkdtempSync(join(folder.path, 'driver-'));
	const npm = join(project, 'npm.mjs');
	writeFileSync(
		npm,
		`import { writeFileSync } from 'node:fs';
		const { npm_config_build_from_source: fromSource } = process.env;
		writeFileSync('asked.json', JSON.stringify({ args: process.argv.slice(2), fromSource }));`,
	);
	Object.assign(process.env, { npm_execpath: npm, ...env });
	try {
		// The npm of this test builds nothing.
		await expect(buildDriver(project, new Shutdown())).rejects.toThrow('could not be compiled');
	} finally {
		delete process.env['npm_execpath'];
		delete process.env['CARRIER_PLAYGROUND_PREBUILT'];
	}
	expect(JSON.parse(readFileSync(join(project, 'asked.json'), 'utf8'))).toEqual({
		args: ['rebuild', 'prebuild-install', 'sqlite3', '--foreground-scripts'],
		fromSource,
	});
});
