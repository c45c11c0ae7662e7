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

const HEADINGS = ['Field', 'Parameter', 'In', 'Accepts', 'Default', 'Description'];
const OVERVIEW_HEADINGS = ['Resource', 'Operation', 'Stored as', 'Rings a phone', 'What it does'];

/** How the description of an operation that places calls begins. */
const CALLS_A_PHONE = /^Calls a real phone\. /;

/** Dropdowns with more options are not listed. */
const MANY = 20;

/**
 * Replaces the generated parts of the page between their marks: the table of all operations (`<!--
 * operations -->` … `<!-- end -->`), and for each operation (`<!-- call.getAll -->`) the text for
 * agents and the table of fields. A new operation gets a section at the end.
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
		})),
	);
	const parts = new Map(all.map(({ name, operation }) => [name, partOf(operation)]));
	parts.set('operations', table([OVERVIEW_HEADINGS, ...all.map(({ row }) => row)]));
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
		return `\n### ${heading}\n\n${about}\n\n${marked(name, partOf(operation))}\n`;
	});
	return written + sections.join('');
}

function overviewRow(resource: DocumentedResource, operation: DocumentedOperation): string[] {
	const about = operation.description.replace(CALLS_A_PHONE, '').replace(/\.$/, '');
	const rings = CALLS_A_PHONE.test(operation.description) ? '**yes**' : 'no';
	const name = `\`${resource.value}.${operation.value}\``;
	return [resource.name, operation.name, name, rings, about];
}

function partOf({ action, fields }: DocumentedOperation): string {
	const names = fields.map(({ name }) => name);
	const rows = fields
		.flatMap((field) => rowsOf(field, ''))
		// Shown in a collection only where an older workflow has it there.
		.filter(([, name, where]) => where === '' || !names.includes(`${name}`.slice(1, -1)));
	return `What an AI agent reads: "${action}".\n\n${table([HEADINGS, ...rows])}`;
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
	if (field.type === 'collection') {
		return (field.options ?? [])
			.filter(isField)
			.flatMap((inner) => rowsOf(inner, field.displayName));
	}
	const about = field.description ?? field.hint ?? '';
	const required = field.required === true ? 'Required.' : '';
	const description = [about === '' ? '' : about.replace(/\.?$/, '.'), required];
	return [
		[
			field.displayName,
			`\`${field.name}\``,
			collection,
			accepts(field),
			shownDefault(field),
			description.filter((text) => text !== '').join(' '),
		],
	];
}

function accepts(field: INodeProperties): string {
	const { minValue, maxValue, dateOnly } = field.typeOptions ?? {};
	const names = (field.options ?? []).map((option) => String(option.name));
	switch (field.type) {
		case 'options':
			return names.length > MANY ? `one of ${names.length}` : names.join(', ');
		case 'multiOptions':
			return 'several from a list';
		case 'boolean':
			return 'on or off';
		case 'number':
			return maxValue === undefined ? `${minValue ?? 0} or more` : `${minValue} to ${maxValue}`;
		case 'dateTime':
			return dateOnly === true ? 'date' : 'date and time';
		case 'fixedCollection':
			return 'rows';
		case 'json':
			return 'JSON';
		case 'resourceLocator':
			return 'from a list, or an ID';
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
