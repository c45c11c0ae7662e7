import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { repositoryRoot } from '../harness/n8n.mts';

// n8n shows a schema before the first run, and its assistant invents test data from it, so it must
// match the output. As with a snapshot, a missing schema is written from what came out: if an output
// changes on purpose, delete its schema and run the test.

interface Schema {
	type: string;
	properties: Record<string, { type: string }>;
}

/** Compares a schema file with items, which together must have a value for each of its fields. */
export function expectSchemaOf(items: IDataObject[], path: string): void {
	const file = join(repositoryRoot, 'nodes', path);
	if (!existsSync(file) && process.env['CI'] === undefined) writeSchema(file, items);
	const schema: Schema = JSON.parse(readFileSync(file, 'utf8'));
	const seen: Record<string, Set<string>> = {};
	for (const item of items) {
		for (const [name, value] of Object.entries(item)) (seen[name] ??= new Set()).add(typeOf(value));
	}
	expect(Object.keys(seen).sort()).toEqual(Object.keys(schema.properties).sort());
	for (const [name, { type }] of Object.entries(schema.properties)) {
		const types = [...(seen[name] ?? [])].filter((one) => one !== 'null');
		const allowed = type === 'number' ? ['number', 'integer'] : [type];
		expect({ [name]: types.filter((one) => !allowed.includes(one)) }).toEqual({ [name]: [] });
		expect({ [name]: types.length }).not.toEqual({ [name]: 0 });
	}
}

function writeSchema(file: string, items: IDataObject[]): void {
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
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	if (Number.isInteger(value)) return 'integer';
	return typeof value;
}
