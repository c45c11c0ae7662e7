import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { installPackages } from '../../playground/setup/install/install.mts';
import { readLockfile } from '../../playground/setup/install/lockfile.mts';
import { Shutdown } from '../../playground/process/shutdown.mts';
import { temporaryFolder } from './support/start-command.mts';

const folder = temporaryFolder();
const project = join(folder.path, 'project');
const asked: string[] = [];
let tarball: Buffer;

/** A registry of one package, which is not at the usual address. */
const registry = createServer((request, response) => {
	const path = request.url ?? '';
	asked.push(path);
	if (path === '/files/tiny.tgz') return response.end(tarball);
	if (path !== '/tiny') return response.writeHead(403).end();
	const dist = { tarball: `http://${request.headers.host}/files/tiny.tgz`, integrity: integrity() };
	const versions = { '1.0.0': { name: 'tiny', version: '1.0.0', dist } };
	return response.end(JSON.stringify({ name: 'tiny', versions, 'dist-tags': { latest: '1.0.0' } }));
});
const integrity = () => `sha512-${createHash('sha512').update(tarball).digest('base64')}`;

beforeAll(async () => {
	const source = join(folder.path, 'package');
	for (const each of [source, project]) mkdirSync(each);
	writeFileSync(join(source, 'package.json'), '{"name":"tiny","version":"1.0.0"}');
	execFileSync('tar', ['-czf', 'tiny.tgz', 'package'], { cwd: folder.path });
	tarball = readFileSync(join(folder.path, 'tiny.tgz'));
	await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
	registry.close();
	folder.remove();
});

it('installs from a registry that keeps its packages at other addresses', async () => {
	const address = registry.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	const cache = join(folder.path, 'cache');
	writeFileSync(
		join(project, '.npmrc'),
		`registry=http://127.0.0.1:${port}/\ncache=${cache}\nomit-lockfile-registry-resolved=true\n`,
	);
	const root = { dependencies: { tiny: '1.0.0' } };
	const tiny = { version: '1.0.0', integrity: integrity() };
	const packages = { '': root, 'node_modules/tiny': tiny };
	writeFileSync(join(project, 'package.json'), JSON.stringify(root));
	writeFileSync(
		join(project, 'package-lock.json'),
		JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
	);
	await installPackages(project, readLockfile(project), new Shutdown());
	expect(existsSync(join(project, 'node_modules/tiny/package.json'))).toBe(true);
	expect(existsSync(join(project, 'npm-shrinkwrap.json'))).toBe(false);
	expect(asked[0]).toBe('/tiny/-/tiny-1.0.0.tgz');
});
