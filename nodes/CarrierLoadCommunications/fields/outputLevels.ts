import type { IDataObject } from 'n8n-workflow';

import { readColumn, type ShapeRow } from '../../shared/columns/columns';
import { outcomeRecord, type MoreNames } from '../../shared/outcome/outcomeRecord';
import { isJsonObject } from '../../shared/service/json';

/** Fields of a placed call that Outcome has behind its columns. */
const PLACEMENT = ['placement', 'placementReason', 'nextAllowedAt', 'timedOut', 'metadata'];

export function callOutcome(row: IDataObject, names: MoreNames): IDataObject {
	const placed = PLACEMENT.filter((name) => name in row).map((name) => [name, row[name]]);
	return { ...outcomeRecord(row, names), ...Object.fromEntries(placed) };
}

/** Too long for a language model's context, unless it was asked for. */
export const NOT_FOR_AGENTS = new Set(['transcript']);

/** Keeps only these columns and fields, not flattened. */
export function pick(names: readonly string[], idName?: string): ShapeRow {
	const columns = names.map((name) => [name, readColumn(name, idName)] as const);
	return (row) => {
		const fields = columns.map(([name, read]) => [name, read(row)] as const);
		// This makes `__proto__` an ordinary field: assigning it would set the prototype.
		return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as IDataObject;
	};
}

/** Leaves out long texts, also in the listed call that a placed call contains. */
export function withoutLongTexts(row: IDataObject): IDataObject {
	const kept = Object.entries(row).filter(([name]) => !NOT_FOR_AGENTS.has(name));
	return Object.fromEntries(
		kept.map(([name, value]) => [name, isJsonObject(value) ? withoutLongTexts(value) : value]),
	);
}
