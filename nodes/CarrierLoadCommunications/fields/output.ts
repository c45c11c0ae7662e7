import type { IDataObject } from 'n8n-workflow';

import {
	inOrder,
	simplify,
	simplifyAll,
	type ShapeRow,
	readColumn,
	withLocalTime,
} from '../../shared/columns/columns';
import { recordOutput, type RecordFields } from '../../shared/columns/records';
import { withoutResumeUrl } from '../../shared/events/resumeUrl';
import { group, type Field } from '../../shared/fields/field';
import { InvalidParameter } from '../../shared/fields/parameters';
import { choices } from '../../shared/fields/simpleFields';
import { moreNames, OUTCOME } from '../../shared/outcome/moreNames';
import { type MoreNames, outcomeRecord } from '../../shared/outcome/outcomeRecord';
import { isJsonObject } from '../../shared/service/json';

/** The chosen output, and how it converts a row to an item's JSON. */
export interface Output {
	level: Level;
	/** The fields of Selected Fields; empty otherwise. */
	selected: string[];
	/** For Outcome. */
	moreNames: MoreNames;
	shape: ShapeRow;
}

type Level = 'simplified' | 'all' | 'outcome' | 'selected';

const SELECTED = {
	name: 'Selected Fields',
	value: 'selected',
	description: 'Only the fields you choose',
} as const;

/**
 * "Output" and, for Selected Fields, the list of fields. All Fields also returns fields unknown to
 * this package. Agents get the transcript only if Selected Fields names it.
 */
export function output(
	rowFields: RecordFields,
	about?: { simplified?: string; all?: string },
): Field<Output> {
	const known: string[] = [...columnsOf(rowFields), ...rowFields.more];
	const declared = {
		output: recordOutput<'outcome' | 'selected'>(about, 'simplified', [
			...(rowFields.areCalls ? [OUTCOME] : []),
			SELECTED,
		]),
		...(rowFields.areCalls && { moreNames }),
		selectedFields: choices({
			label: 'Fields',
			choices: known.map((value) => ({ name: humanName(value), value, ...EXPLAINED[value] })),
			required: true,
			show: { output: ['selected'] },
			about: 'Which fields to return',
		}),
	};
	return group(declared, (read, parameters) => {
		const level = read('output');
		const { forAgent, timezone } = parameters;
		// All operations store their fields under one name, so another one's may be left.
		const isGiven = parameters.isExpression('selectedFields');
		const isOwn = (name: string) => isGiven || known.includes(name);
		const selected = level === 'selected' ? atLeastOne(read('selectedFields').filter(isOwn)) : [];
		const names = level === 'outcome' && declared.moreNames ? (read('moreNames') ?? {}) : {};
		const chosen = { level, selected, moreNames: names };
		const shape = shapeFor(rowFields, chosen, timezone, forAgent);
		return { ...chosen, shape };
	});
}

/** The columns of Simplified, in their order. */
function columnsOf({ simplified, hasOwnOrder }: RecordFields): readonly string[] {
	return hasOwnOrder ? simplified : inOrder(simplified);
}

/** How a row becomes an item's JSON. @param zone the workflow's time zone */
export function shapeFor(
	rowFields: RecordFields,
	{ level, selected, moreNames: names }: Omit<Output, 'shape'>,
	zone: string,
	forAgent = false,
): ShapeRow {
	const { idName, keepUnknown } = rowFields;
	if (level === 'outcome') return safely((row) => callOutcome(row, names));
	if (level === 'all') return safely((row) => (forAgent ? withoutLongTexts(row) : row));
	const kept = columnsOf(rowFields).filter((name) => !(forAgent && NOT_FOR_AGENTS.has(name)));
	const shape =
		level === 'selected'
			? pick(selected, idName)
			: (keepUnknown ? simplifyAll : simplify)(kept, idName);
	return safely((row) => shape(withLocalTime(row, zone)));
}

/** Fields of a placed call that Outcome has behind its columns. */
const PLACEMENT = ['placement', 'placementReason', 'nextAllowedAt', 'timedOut', 'metadata'];

function callOutcome(row: IDataObject, names: MoreNames): IDataObject {
	const placed = PLACEMENT.filter((name) => name in row).map((name) => [name, row[name]]);
	return { ...outcomeRecord(row, names), ...Object.fromEntries(placed) };
}

export function isLevel(value: unknown): value is Level {
	return ['simplified', 'all', 'outcome', 'selected'].some((level) => level === value);
}

function atLeastOne(names: string[]): string[] {
	if (names.length > 0) return names;
	throw new InvalidParameter('Fields', 'needs at least one field when Output is Selected Fields');
}

const HW = 'As the service sends it. It does not say what HW stands for.';

/** Fields that the contract doesn't explain. */
const EXPLAINED: Record<string, { name?: string; description: string }> = {
	averageCallDuration: {
		name: 'Average Call Duration (Unit Not Documented)',
		description: 'The number as the service sends it',
	},
	carrierHwConnectionStatus: { description: HW },
	carrierHwRulesAssessment: { description: HW },
	placement: {
		name: 'Call Result',
		description: 'For conditions, such as placed or outsideHours',
	},
	placementReason: { name: 'Reason of the Call Result', description: 'Why, in words' },
	result: { name: 'Result in Words', description: 'Such as "Called: reached"' },
};

const ABBREVIATIONS: Record<string, string> = {
	Avg: 'Average',
	Dot: 'DOT',
	Eta: 'ETA',
	Ext: 'Extension',
	Fleetsize: 'Fleet Size',
	Hw: 'HW',
	Id: 'ID',
	Ids: 'IDs',
	Mc: 'MC',
	Url: 'URL',
};

/** "mcNumber" -> "MC Number", for the lists of fields. */
function humanName(field: string): string {
	return field
		.replace(/([A-Z])/g, ' $1')
		.split(' ')
		.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
		.map((word) => ABBREVIATIONS[word] ?? word)
		.join(' ');
}

/** Too long for a language model's context, unless it was asked for. */
const NOT_FOR_AGENTS = new Set(['transcript']);

/** Makes a shaped row safe for a workflow: no `error` key and no resume URL. */
function safely(shape: ShapeRow): ShapeRow {
	return (row) => withoutErrorKey(shape(withoutMetadataUrl(row)));
}

/** Keeps only these columns and fields, not flattened. */
function pick(names: readonly string[], idName?: string): ShapeRow {
	const columns = names.map((name) => [name, readColumn(name, idName)] as const);
	return (row) => {
		const fields = columns.map(([name, read]) => [name, read(row)] as const);
		// This makes `__proto__` an ordinary field: assigning it would set the prototype.
		return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as IDataObject;
	};
}

/** Leaves out long texts, also in the listed call that a placed call contains. */
function withoutLongTexts(row: IDataObject): IDataObject {
	const kept = Object.entries(row).filter(([name]) => !NOT_FOR_AGENTS.has(name));
	return Object.fromEntries(
		kept.map(([name, value]) => [name, isJsonObject(value) ? withoutLongTexts(value) : value]),
	);
}

/**
 * Returns a row's `error` as `serviceError`. n8n treats an item with `error` as failed and sends it
 * to the error output (n8n-core 2.41); older versions ran the node again.
 */
function withoutErrorKey(row: IDataObject): IDataObject {
	if (!('error' in row)) return row;
	return Object.fromEntries(
		Object.entries(row).map(([name, value]) => [name === 'error' ? freeName(row) : name, value]),
	);
}

function freeName(row: IDataObject): string {
	let name = 'serviceError';
	while (Object.hasOwn(row, name)) name += '_';
	return name;
}

/** Only rows that may echo a call's metadata are searched, because lists are long. */
function withoutMetadataUrl(row: IDataObject): IDataObject {
	const mayRepeat = 'metadata' in row || Object.values(row).some(isJsonObject);
	return mayRepeat ? withoutResumeUrl(row) : row;
}
