import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

interface Mutant {
	name: string;
	file: string;
	from: string;
}

const root = resolve(import.meta.dirname, '../../..');
const mutants: Mutant[] = JSON.parse(
	readFileSync(join(root, 'test/mutation/by-hand.json'), 'utf8'),
);

it.each(mutants)('the mutant "$name" still has its one place in the sources', ({ file, from }) => {
	expect(readFileSync(join(root, file), 'utf8').split(from)).toHaveLength(2);
});
