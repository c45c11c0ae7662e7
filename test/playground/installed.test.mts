import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedPaths, readLockfile } from '../../playground/setup/install/packages.mts';
import { n8nFolder, PLAYGROUND } from '../../playground/setup/paths.mts';

it('n8n is installed in the versions of package-lock.json, each where it says', () => {
	const packages = readLockfile(PLAYGROUND);
	const paths = installedPaths(packages);
	expect(paths.length).toBeGreaterThan(2_000);
	const installed = paths.map((path) => {
		const file = join(n8nFolder(), path, 'package.json');
		const manifest: { version: string } = JSON.parse(readFileSync(file, 'utf8'));
		return [path, manifest.version];
	});
	expect(installed).toEqual(paths.map((path) => [path, packages[path]?.['version']]));
});
