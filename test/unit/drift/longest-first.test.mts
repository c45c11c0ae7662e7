import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

it('every test file that a new clone runs first exists', () => {
	const test = join(import.meta.dirname, '../..');
	const files: string[] = JSON.parse(
		readFileSync(join(test, 'support/longest-first.json'), 'utf8'),
	);
	expect(files.length).toBeGreaterThan(10);
	expect(files.filter((file) => !existsSync(join(test, file)))).toEqual([]);
});
