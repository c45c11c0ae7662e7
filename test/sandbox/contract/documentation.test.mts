import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpointNames, faultSchema } from '../../../sandbox/faults.mts';
import { tokens } from '../../../sandbox/service/server.mts';

const page = readFileSync(
	join(__dirname, '..', '..', '..', 'docs', 'contributing', 'sandbox.md'),
	'utf8',
);

describe('docs/contributing/sandbox.md', () => {
	it.each(faultSchema.options.map((option) => option.shape.kind.value))(
		'documents the fault %s',
		(kind) => {
			expect(page).toContain(`{ "kind": "${kind}"`);
		},
	);

	it.each([...endpointNames, ...Object.values(tokens)])('documents %s', (name) => {
		expect(page).toContain(`\`${name}\``);
	});
});
