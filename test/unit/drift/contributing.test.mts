import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

it.each(['CONTRIBUTING.md', 'SECURITY.md', 'docs/contributing/upgrading-n8n.md'])(
	'%s names only files and folders that exist',
	(file) => {
		const text = readFileSync(join(root, file), 'utf8');
		const paths = [...text.matchAll(/`((?:nodes|test|sandbox|playground|docs)\/[\w./-]+)`/g)];
		expect(paths.length).toBeGreaterThan(0);
		const missing = paths
			.map(([, path]) => `${path}`)
			.filter((path) => !existsSync(join(root, path)));
		expect(missing).toEqual([]);
	},
);
