import type { IDataObject } from 'n8n-workflow';

import { inOrder, simplify, readColumn, withLocalTime } from '../../shared/columns/columns';
import type { ShapeRow } from '../../shared/columns/columns';
import type { RecordFields } from '../../shared/columns/records';
import { withoutResumeUrl } from '../../shared/events/resumeUrl';
import type { Field } from '../../shared/fields/field';
import { InvalidParameter } from '../../shared/fields/invalidParameter';
import type { Parameters } from '../../shared/fields/parameters';
import { outcomeRecord, type MoreNames } from '../../shared/outcome/outcomeRecord';
import { isJsonObject } from '../../shared/service/json';

type Level = 'simplified' | 'all' | 'outcome' | 'selected';

/** The chosen output, and how it converts a row to an item's JSON. */
export interface Output {
	level: Level;
	/** The fields of Selected Fields; empty otherwise. */
	selected: string[];
	/** For Outcome. */
	moreNames: MoreNames;
	shape: ShapeRow;
}

interface OutputFields {
	output: Field<Level>;
	moreNames?: Field<MoreNames>;
	selectedFields: Field<string[]>;
}

/** @param known the fields that can be selected */
export function readOutput(
	{ output, moreNames, selectedFields }: OutputFields,
	rowFields: RecordFields,
	known: readonly string[],
) {
	return (parameters: Parameters): Output => {
		const level = output.read(parameters, 'output');
		const selected = level === 'selected' ? selectedFields.read(parameters, 'selectedFields') : [];
		// All operations store their fields under one name, so another one's may be left.
		const isGiven = parameters.isExpression('selectedFields');
		const own = selected.filter((name) => isGiven || known.includes(name));
		if (level === 'selected' && own.length === 0) {
			const problem = 'needs at least one field when Output is Selected Fields';
			throw new InvalidParameter('Fields', problem);
		}
		const names = level === 'outcome' ? moreNames?.read(parameters, 'moreNames') : undefined;
		const chosen = { level, selected: own, moreNames: names ?? {} };
		const shape = shapeFor(rowFields, chosen, parameters.timezone, parameters.forAgent);
		return { ...chosen, shape };
	};
}

export function columnsOf({ simplified, hasOwnOrder }: RecordFields): readonly string[] {
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
	const shape = level === 'selected' ? pick(selected, idName) : simplify(kept, idName, keepUnknown);
	return safely((row) => shape(withLocalTime(row, zone)));
}

/** Fields of a placed call that Outcome has behind its columns. */
const PLACEMENT = ['placement', 'placementReason', 'nextAllowedAt', 'timedOut', 'metadata'];

function callOutcome(row: IDataObject, names: MoreNames): IDataObject {
	const placed = PLACEMENT.filter((name) => name in row).map((name) => [name, row[name]]);
	return { ...outcomeRecord(row, names), ...Object.fromEntries(placed) };
}

/** Too long for a language model's context, unless it was asked for. */
const NOT_FOR_AGENTS = new Set(['transcript']);

/**
 * Makes a shaped row safe for a workflow: no resume URL, and no `error` key, with which n8n treats
 * the item as failed and sends it to the error output (n8n-core 2.41).
 */
function safely(shape: ShapeRow): ShapeRow {
	return (row) => {
		// Lists are long: only rows that may echo a call's metadata are searched.
		const mayRepeat = 'metadata' in row || Object.values(row).some(isJsonObject);
		const shaped = shape(mayRepeat ? withoutResumeUrl(row) : row);
		if (!('error' in shaped)) return shaped;
		const { error, ...others } = shaped;
		return { serviceError: error, ...others };
	};
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
