import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../../../docs');
const text = readFileSync(join(folder, 'regressions.md'), 'utf8');
const lines = text.split('\n').filter((line) => line.startsWith('- '));
const LINE = /^- .+\. \[[^\]]+\]\(([^)]+\.mts)\): “(.+)”$/;

it('every defect in docs/regressions.md has a test that exists', () => {
	const missing = lines.filter((line) => {
		const [, file = '', title = ''] = LINE.exec(line) ?? [];
		const path = join(folder, file);
		// Titles are written in the file as they are here, but for escaped apostrophes.
		return !title || !existsSync(path) || !readTest(path).includes(title);
	});
	expect(missing).toEqual([]);
	expect(lines.length).toBeGreaterThan(60);
});

function readTest(path: string): string {
	return readFileSync(path, 'utf8').replaceAll("\\'", "'");
}
