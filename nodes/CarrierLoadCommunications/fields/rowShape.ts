import type { IDataObject } from 'n8n-workflow';

import { readColumn, type ShapeRow } from '../../shared/columns/columns';
import { withoutResumeUrl } from '../../shared/events/resumeUrl';
import { isJsonObject } from '../../shared/service/http/json';

/** Too long for a language model's context, unless it was asked for. */
export const NOT_FOR_AGENTS = new Set(['transcript']);

/** Makes a shaped row safe for a workflow: no `error` key and no resume URL. */
export function safely(shape: ShapeRow): ShapeRow {
	return (row) => withoutErrorKey(shape(withoutMetadataUrl(row)));
}

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
