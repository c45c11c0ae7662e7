import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { repositoryRoot } from '../support/harness/n8n.mts';
import { startNodeRunner, type NodeRunner } from '../support/operations/node-runner.mts';

// The editor shows an operation's schema before its first run, so it must match the output. As with a
// snapshot, the schema of a new operation is written from what it returned.

let runner: NodeRunner;
let callId: number;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 1000 });
	const createdAt = new Date(Date.now() - 3_600_000).toISOString();
	callId = runner.sandbox.insert({ createdAt })[0] ?? 0;
});
afterAll(() => runner.close());

interface Schema {
	type: string;
	properties: Record<string, { type: string }>;
}

const schemaFile = (resource: string, operation: string) => {
	const folder = join(repositoryRoot, 'nodes/CarrierLoadCommunications/__schema__/v1.0.0');
	return join(folder, resource, `${operation}.json`);
};

function writeSchema(file: string, items: unknown[]): void {
	mkdirSync(dirname(file), { recursive: true });
	const schema = { ...inferred(items), version: 1 };
	writeFileSync(file, `${JSON.stringify(schema, null, '\t')}\n`);
}

/** The schema of several values of a field; those that are null say nothing. */
function inferred(values: unknown[]): object {
	const given = values.filter((value) => value !== null && value !== undefined);
	const [type = 'string', ...others] = new Set(given.map(typeOf));
	if (others.length > 0) return { type: 'number' };
	if (type === 'array') return { type, items: inferred(given.flat()) };
	if (type !== 'object') return { type };
	const names = new Set(given.flatMap((value) => Object.keys(Object(value))));
	const properties = [...names].map((name) => [
		name,
		inferred(given.map((value) => Object(value)[name])),
	]);
	return { type, properties: Object.fromEntries(properties) };
}

function typeOf(value: unknown): string {
	if (Array.isArray(value)) return 'array';
	if (Number.isInteger(value)) return 'integer';
	return typeof value;
}

const lane = {
	origin: 'Chicago, IL',
	destination: 'Dallas, TX',
	radius: 500,
};

const reads: Array<[string, string, () => IDataObject]> = [
	['conversation', 'getAll', () => ({ timeRange: 'last30Days' })],
	['call', 'getAll', () => ({ timeRange: 'last30Days' })],
	['call', 'get', () => ({ callId })],
	['call', 'downloadRecording', () => ({ callId })],
	['bid', 'getAll', () => ({ timeRange: 'last30Days' })],
	['carrier', 'search', () => lane],
	['analytics', 'getAll', () => ({})],
];

it.each(reads)('%s: %s returns what its schema says', async (resource, operation, parameters) => {
	const run = await runner.run({ resource, operation, ...parameters() } as never);
	expect(run.error).toBeUndefined();
	const file = schemaFile(resource, operation);
	if (!existsSync(file) && process.env['CI'] === undefined) writeSchema(file, run.items);
	const schema: Schema = JSON.parse(readFileSync(file, 'utf8'));
	const seen: Record<string, Set<string>> = {};
	for (const item of run.items) {
		for (const [name, value] of Object.entries(item)) (seen[name] ??= new Set()).add(typeOf(value));
	}
	expect(Object.keys(seen).sort()).toEqual(Object.keys(schema.properties).sort());
	for (const [name, { type }] of Object.entries(schema.properties)) {
		const types = [...(seen[name] ?? [])].filter((one) => one !== 'object');
		const allowed = type === 'number' ? ['number', 'integer'] : [type];
		expect({ [name]: types.filter((one) => !allowed.includes(one)) }).toEqual({ [name]: [] });
		expect({ [name]: types.length }).not.toEqual({ [name]: 0 });
	}
});
