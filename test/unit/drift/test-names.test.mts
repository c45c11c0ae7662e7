import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

/** Words by which a name leaves open what happens, or when. */
const VAGUE = /['"`].*\b(says so|however|whatever|(is|that are) none)\b/i;
const COMMENT = /^\s*(\/\/|\/?\*)/;

it('the names of tests have no words that leave their condition or result open', () => {
	const vague = globSync('test/**/*.mts', { cwd: root })
		.filter((path) => join(root, path) !== import.meta.filename)
		.flatMap((path) =>
			readFileSync(join(root, path), 'utf8')
				.split('\n')
				.filter((line) => VAGUE.test(line) && !COMMENT.test(line))
				.map((line) => `${path}: ${line.trim()}`),
		);
	expect(vague).toEqual([]);
});
