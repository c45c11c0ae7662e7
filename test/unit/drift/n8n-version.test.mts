import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { filesWith, versionsOf } from '../../../scripts/n8n-version.mts';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

const lockfile = z
	.object({
		packages: z.object({
			'node_modules/n8n': z.object({
				version: z.string(),
				dependencies: z.record(z.string(), z.string()),
			}),
		}),
	})
	.parse(JSON.parse(read('playground/package-lock.json')));
const { version, dependencies } = lockfile.packages['node_modules/n8n'];

it('the version of n8n is the same in all places, with the packages that it depends on', () => {
	for (const [path, text] of filesWith(versionsOf(version, dependencies))) {
		expect({ path, text }).toEqual({ path, text: read(path) });
	}
});

it('another version changes one line for each package, and nothing else', () => {
	const others = Object.fromEntries(Object.keys(dependencies).map((name) => [name, '98.7.6']));
	const changed = filesWith(versionsOf('99.0.0', others)).flatMap(([path, text]) => {
		const before = read(path).split('\n');
		return text.split('\n').filter((line, index) => line !== before[index]);
	});
	expect(changed).toEqual([
		expect.stringContaining('"@n8n/backend-common": "98.7.6"'),
		expect.stringContaining('"@n8n/di": "98.7.6"'),
		expect.stringContaining('"express": "98.7.6"'),
		expect.stringContaining('"luxon": "98.7.6"'),
		expect.stringContaining('"n8n-core": "98.7.6"'),
		expect.stringContaining('"n8n-workflow": "98.7.6"'),
		expect.stringContaining('"n8n": "99.0.0"'),
		'FROM n8nio/n8n:99.0.0',
	]);
});
