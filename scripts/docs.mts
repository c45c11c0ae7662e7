// Updates the generated parts of docs/operations.md from the built package ("npm run docs").
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

interface DocumentedOperation {
	name: string;
	value: string;
	action: string;
	description: string;
	fields: INodeProperties[];
}

interface DocumentedResource {
	name: string;
	value: string;
	operations: DocumentedOperation[];
}

type Option = INodePropertyOptions | INodeProperties | INodePropertyCollection;

const HEADINGS = ['Field', 'Parameter', 'Accepts', 'Default', 'Description'];
const OVERVIEW_HEADINGS = ['Resource', 'Operation', 'Stored as', 'Rings a phone', 'What it does'];

/** How the description of an operation that places calls begins. */
const CALLS_A_PHONE = /^Calls a real phone\. /;

/** Dropdowns with more options are not listed. */
const MANY = 7;

/** So many operations have the same field before it is listed among what they share. */
const SHARED_BY = { all: 3, calls: 2, reads: 3 };

/**
 * Replaces the generated parts of the page between their marks: the table of all operations (`<!--
 * operations -->` … `<!-- end -->`), the fields that operations of both kinds share (`<!-- shared.all
 * -->`) or only those of one kind (`<!-- shared.calls -->`, `<!-- shared.reads -->`), and for each
 * operation (`<!-- call.getAll -->`) its other fields. A new operation gets a section at the end.
 *
 * @throws Error if marks have no operation
 */
export function writeOperations(page: string, resources: DocumentedResource[]): string {
	const all = resources.flatMap((resource) =>
		resource.operations.map((operation) => ({
			name: `${resource.value}.${operation.value}`,
			heading: `${resource.name}: ${operation.name}`,
			row: overviewRow(resource, operation),
			operation,
			rows: fieldsOf(operation),
		})),
	);
	const calls = all.filter(({ operation }) => CALLS_A_PHONE.test(operation.description));
	const reads = all.filter((one) => !calls.includes(one));
	const rowsIn = (some: typeof all) => some.map(({ rows }) => rows);
	const ofCalls = sharedRows(rowsIn(calls), SHARED_BY.calls);
	const ofReads = sharedRows(rowsIn(reads), SHARED_BY.reads);
	const ofAll = sharedRows(rowsIn(all), SHARED_BY.all).filter(
		(row) => has(rowsIn(calls).flat(), row) && has(rowsIn(reads).flat(), row),
	);
	const shared = {
		all: ofAll,
		calls: ofCalls.filter((row) => !has(ofAll, row)),
		reads: ofReads.filter((row) => !has(ofAll, row)),
	};
	const parts = new Map(
		all.map((one) => {
			const kind = calls.includes(one) ? shared.calls : shared.reads;
			return [one.name, partOf(one.rows, [...shared.all, ...kind])];
		}),
	);
	parts.set('operations', table([OVERVIEW_HEADINGS, ...all.map(({ row }) => row)]));
	for (const [kind, rows] of Object.entries(shared)) {
		parts.set(`shared.${kind}`, table([HEADINGS, ...rows]));
	}
	const marked = (name: string, part: string) => `<!-- ${name} -->\n\n${part}\n\n<!-- end -->`;
	const known = new Set<string>();
	const written = page.replaceAll(
		/<!-- (operations|\w+\.\w+) -->\n[^]*?<!-- end -->/g,
		(_old, name: string) => {
			const part = parts.get(name);
			if (part === undefined) throw new Error(`The page documents ${name}, which does not exist`);
			known.add(name);
			return marked(name, part);
		},
	);
	const missing = all.filter(({ name }) => !known.has(name));
	const sections = missing.map(({ name, heading, operation }) => {
		const about = operation.description.replace(/\.?$/, '.');
		return `\n### ${heading}\n\n${about}\n\n${marked(name, parts.get(name) ?? '')}\n`;
	});
	return written + sections.join('');
}

function overviewRow(resource: DocumentedResource, operation: DocumentedOperation): string[] {
	const about = operation.description.replace(CALLS_A_PHONE, '').replace(/\.$/, '');
	const rings = CALLS_A_PHONE.test(operation.description) ? '**yes**' : 'no';
	const name = `\`${resource.value}.${operation.value}\``;
	return [resource.name, operation.name, name, rings, about];
}

/** The rows of an operation's fields, as its form shows them. */
function fieldsOf({ fields }: DocumentedOperation): string[][] {
	return fields.flatMap((field) =>
		field.type === 'collection'
			? together(
					(field.options ?? [])
						.filter(isField)
						.flatMap((inner) => rowsOf(inner, field.displayName)),
				)
			: rowsOf(field, ''),
	);
}

/** One row for the fields of a collection that differ only in their names. */
function together(rows: string[][]): string[][] {
	const alike = new Map<string, string[][]>();
	for (const row of rows) {
		const key = row.slice(2).join('|');
		alike.set(key, [...(alike.get(key) ?? []), row]);
	}
	return [...alike.values()].map((group) => {
		const [first = []] = group;
		const labels = group.map(([label = '']) => label.split(' › ').at(-1));
		const prefix = (first[0] ?? '').split(' › ').slice(0, -1).join(' › ');
		const parameters = group.map(([, parameter]) => parameter);
		return [`${prefix} › ${fewOf(labels)}`, fewOf(parameters), ...first.slice(2)];
	});
}

/** The first and the last of many. */
function fewOf(names: Array<string | undefined>): string {
	const [first, second] = names;
	return names.length > 4 ? `${first}, ${second}, …, ${names.at(-1)}` : names.join(', ');
}

/** The rows that at least so many operations have word for word. */
function sharedRows(tables: string[][][], operations: number): string[][] {
	const rows = new Map(tables.flat().map((row) => [row.join('|'), row]));
	return [...rows.values()].filter(
		(row) => tables.filter((each) => has(each, row)).length >= operations,
	);
}

function has(rows: string[][], row: string[]): boolean {
	return rows.some((other) => other.join('|') === row.join('|'));
}

/** What only this operation has as a table, and which of the shared fields it has. */
function partOf(rows: string[][], shared: string[][]): string {
	const own = rows.filter((row) => !has(shared, row));
	const having = shared.filter((row) => has(rows, row));
	// An operation can have a shared field with other choices.
	const missing = shared.filter((row) => !rows.some(([, parameter]) => parameter === row[1]));
	const also =
		missing.length === 0
			? 'And all shared fields.'
			: missing.length < having.length
				? `And all shared fields but ${namesOf(missing, shared)}.`
				: `And these shared fields: ${namesOf(having, shared)}.`;
	return own.length === 0 ? also : `${table([HEADINGS, ...own])}\n\n${also}`;
}

/** The labels of fields; a collection of which no shared field is left out has only its own. */
function namesOf(some: string[][], shared: string[][]): string {
	const collectionOf = ([name = '']: string[]) => name.split(' › ')[0] ?? name;
	const names = some.map((row) => {
		const together = shared.filter((other) => collectionOf(other) === collectionOf(row));
		return together.every((other) => has(some, other)) ? collectionOf(row) : `${row[0]}`;
	});
	return [...new Set(names)].join(', ');
}

/** A Markdown table with aligned columns, as Prettier formats them. */
function table(rows: string[][]): string {
	const [headings = [], ...others] = rows;
	const widths = headings.map((_heading, column) =>
		Math.max(3, ...rows.map((cells) => (cells[column] ?? '').length)),
	);
	const line = (cells: string[], fill: string) =>
		`| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, fill)).join(' | ')} |`;
	return [line(headings, ' '), line([], '-'), ...others.map((cells) => line(cells, ' '))].join(
		'\n',
	);
}

function rowsOf(field: INodeProperties, collection: string): string[][] {
	if (field.type === 'notice' || field.type === 'hidden') return [];
	if (field.type === 'fixedCollection' && field.typeOptions?.multipleValues !== true) {
		return groupRows(field, collection);
	}
	const about = [field.description, field.hint].filter(Boolean).join('. ');
	const required = field.required === true ? 'Required.' : '';
	const description = [about === '' ? '' : about.replace(/\.?$/, '.'), required];
	return [
		[
			collection === '' ? field.displayName : `${collection} › ${field.displayName}`,
			`\`${field.name}\``,
			accepts(field),
			shownDefault(field),
			description.filter((text) => text !== '').join(' '),
		],
	];
}

/** The fields of a group that is one value. */
function groupRows({ name, displayName, options = [] }: INodeProperties, collection: string) {
	const heading = [collection, displayName].filter(Boolean).join(' › ');
	return options.flatMap((group) =>
		'values' in group
			? group.values.flatMap((field) =>
					rowsOf({ ...field, name: `${name}.${group.name}.${field.name}` }, heading),
				)
			: [],
	);
}

function accepts(field: INodeProperties): string {
	const { minValue, maxValue, dateOnly } = field.typeOptions ?? {};
	const names = (field.options ?? []).map((option) => String(option.name));
	switch (field.type) {
		case 'options':
			return names.length > MANY ? `one of ${names.length}` : names.join(', ');
		case 'multiOptions':
			return 'list';
		case 'boolean':
			return 'on, off';
		case 'number':
			return maxValue === undefined ? `${minValue ?? 0} or more` : `${minValue}–${maxValue}`;
		case 'dateTime':
			return dateOnly === true ? 'date' : 'time';
		case 'fixedCollection':
			return 'rows';
		case 'json':
			return 'JSON';
		case 'resourceLocator':
			return 'list or ID';
		default:
			return 'text';
	}
}

function shownDefault(field: INodeProperties): string {
	if (typeof field.default === 'boolean') return field.default ? 'on' : 'off';
	if (field.type === 'options') {
		const chosen = (field.options ?? []).find(
			(option) => 'value' in option && option.value === field.default,
		);
		return String(chosen?.name ?? field.default);
	}
	return ['string', 'number'].includes(typeof field.default) ? String(field.default) : '';
}

function isField(option: Option): option is INodeProperties {
	return 'type' in option;
}

if (process.argv[1] === import.meta.filename) {
	const require = createRequire(import.meta.filename);
	const { resources } = require('../dist/nodes/CarrierLoadCommunications/resources/index.js');
	const file = 'docs/operations.md';
	writeFileSync(file, writeOperations(readFileSync(file, 'utf8'), resources));
	console.log(`${file} is up to date.`);
}
