import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { resources } from '../../../nodes/CarrierLoadCommunications/resources/index.ts';
import { writeOperations } from '../../../scripts/docs.mts';
import { dialing, named, nodeFolder, operations, root } from '../support/drift/form.mts';

// An operation is a file and an entry in the resources' list. These tests fail if it has no schema,
// row in docs/operations.md or engine test, and if an operation that places calls, or a whole
// resource, has no example.

const filesUnder = (folder: string, ending: string): string[] =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith(ending))
		.map((file) => join(root, folder, file));

const read = (file: string) => readFileSync(file, 'utf8');

const schemaFolder = join(nodeFolder, '__schema__/v1.0.0');
const schemaFile = (resource: string, operation: string) =>
	join(schemaFolder, resource, `${operation}.json`);

interface ExampleNode {
	type: string;
	parameters: Record<string, unknown>;
}

const exampleNodes: ExampleNode[] = filesUnder('examples', '.json')
	.map((file) => JSON.parse(read(file)))
	.flatMap((workflow: { nodes?: ExampleNode[] }) => workflow.nodes ?? []);

const engineTests = filesUnder('test/engine', '.mts').map(read);

it("the operations keep their names, which users' workflows store", () => {
	expect(
		Object.fromEntries(
			resources.map(({ value, operations }) => [value, operations.map((one) => one.value)]),
		),
	).toEqual({
		analytics: ['getAll'],
		bid: ['getAll'],
		call: ['getAll', 'get', 'downloadRecording', ...dialing],
		carrier: ['search'],
		conversation: ['getAll'],
	});
});

describe.each(named)('%s', (_name, { resource, resourceName, operation }) => {
	it('has an output schema', () => {
		const file = schemaFile(resource, operation.value);
		expect(existsSync(file)).toBe(true);
		expect(JSON.parse(read(file))).toMatchObject({ type: 'object', version: 1 });
	});

	it('has its row in docs/operations.md that says whether it rings a phone', () => {
		const row = read(join(root, 'docs/operations.md'))
			.split('\n')
			.map((line) => line.split('|').map((cell) => cell.trim().replace(/[*`]/g, '')))
			.find((cells) => cells.includes(`${resource}.${operation.value}`));
		const rings = dialing.includes(operation.value) ? 'yes' : 'no';
		expect(row?.slice(1, 5)).toEqual([
			resourceName,
			operation.name,
			`${resource}.${operation.value}`,
			rings,
		]);
	});

	it('has a test in the engine', () => {
		// Several resources have a "get" or "getAll", so both words may stand in a test of others.
		const { value } = operation;
		const isShared = operations.filter((one) => one.operation.value === value).length > 1;
		const named = `${isShared ? `resource: '${resource}',\\s+` : ''}operation: '${value}'`;
		expect(engineTests.some((text) => new RegExp(named).test(text))).toBe(true);
	});
});

const hasExample = (resource: string, operation?: string) =>
	exampleNodes.some(
		({ type, parameters }) =>
			type.endsWith('.carrierLoadCommunications') &&
			// n8n doesn't save parameters at their defaults.
			(parameters.resource ?? 'call') === resource &&
			[undefined, parameters.operation ?? 'getAll'].includes(operation),
	);

it.each(dialing)('call.%s has an example workflow', (operation) => {
	expect(hasExample('call', operation)).toBe(true);
});

it.each(resources.map(({ value }) => value))('%s has an example workflow', (resource) => {
	expect(hasExample(resource)).toBe(true);
});

it('docs/operations.md is what "npm run docs" writes', () => {
	const page = read(join(root, 'docs/operations.md'));
	expect(page).toBe(writeOperations(page, resources));
});

it('every schema has its operation', () => {
	const known = operations.map((one) => schemaFile(one.resource, one.operation.value));
	const found = filesUnder(relative(root, schemaFolder), '.json');
	expect(found.sort()).toEqual(known.sort());
});

it('examples set only fields that the form has', () => {
	for (const { type, parameters } of exampleNodes) {
		if (!type.endsWith('.carrierLoadCommunications')) continue;
		const { resource = 'call', operation = 'getAll', ...others } = parameters;
		const found = operations.find(
			(one) => one.resource === resource && one.operation.value === operation,
		);
		const fields = new Set(found?.operation.fields.map(({ name }) => name));
		expect(Object.keys(others).filter((name) => !fields.has(name))).toEqual([]);
	}
});
