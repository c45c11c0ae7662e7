import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

interface DocumentedOperation {
	name: string;
	value: string;
	action: string;
	fields: INodeProperties[];
}

interface DocumentedResource {
	name: string;
	value: string;
	operations: DocumentedOperation[];
}

type Option = INodePropertyOptions | INodeProperties | INodePropertyCollection;

const HEADINGS = ['Field', 'Parameter', 'In', 'Accepts', 'Default', 'Description'];

/** Dropdowns with more options are not listed. */
const MANY = 20;

/**
 * Replaces each operation's part of the page between its marks (`<!-- call.getAll -->` … `<!-- end
 * -->`): the text for agents and the table of fields.
 *
 * @throws Error if an operation has no marks, or marks have no operation
 */
export function writeOperations(page: string, resources: DocumentedResource[]): string {
	const parts = new Map<string, string>(
		resources.flatMap(({ value, operations }) =>
			operations.map((operation) => [`${value}.${operation.value}`, partOf(operation)]),
		),
	);
	const written = page.replaceAll(
		/<!-- (\w+\.\w+) -->\n[^]*?<!-- end -->/g,
		(_old, name: string) => {
			const part = parts.get(name);
			if (part === undefined) throw new Error(`The page documents ${name}, which does not exist`);
			parts.delete(name);
			return `<!-- ${name} -->\n\n${part}\n\n<!-- end -->`;
		},
	);
	if (parts.size > 0) throw new Error(`The page has no part for ${[...parts.keys()].join(', ')}`);
	return written;
}

function partOf({ action, fields }: DocumentedOperation): string {
	const rows = fields.flatMap((field) => rowsOf(field, ''));
	return `What an AI agent reads: "${action}".\n\n${table([HEADINGS, ...rows])}`;
}

/** A Markdown table with aligned columns, as Prettier formats them. */
function table(rows: string[][]): string {
	const widths = HEADINGS.map((_heading, column) =>
		Math.max(3, ...rows.map((cells) => (cells[column] ?? '').length)),
	);
	const line = (cells: string[], fill: string) =>
		`| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, fill)).join(' | ')} |`;
	const [headings = [], ...others] = rows;
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
