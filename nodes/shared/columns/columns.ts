import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../service/json';
import { readTime, timeOf } from '../service/record';
import { OTHER_NAMES, TRACES } from './columnNames';

const CONVERSIONS = new Map<string, (value: unknown) => unknown>([
	['date', dayOf],
	['dotNumber', (value) => (isText(value) && /^\d{1,15}$/.test(value) ? Number(value) : value)],
	['loadNumber', (value) => (typeof value === 'number' ? String(value) : value)],
	['request', (value) => (isNested(value) ? JSON.stringify(value) : value)],
]);

export type ShapeRow = (row: IDataObject) => IDataObject;

/**
 * A record as one flat row: only text, numbers, true and false, so that a spreadsheet node maps all
 * columns automatically. An object becomes a column for each of its keys (`metadata_team`), a list
 * becomes text.
 * @param names in the order of the row
 * @param idName the column of the record's own `id`
 * @param keepOthers whether the row's other fields follow
 */
export function simplify(names: readonly string[], idName?: string, keepOthers = false): ShapeRow {
	const columns = names.map((name) => [name, readColumn(name, idName)] as const);
	const shown = new Set(names.flatMap((name) => sourcesOf(name, idName)));
	return (row) => {
		const flat: IDataObject = {};
		for (const [name, read] of columns) {
			const value = read(row);
			if (name === 'metadata' && isJsonObject(value)) addMetadata(flat, value);
			else addFlat(flat, name, value);
		}
		for (const [name, value] of keepOthers ? Object.entries(row) : []) {
			if (!shown.has(name)) addFlat(flat, name, value);
		}
		return flat;
	};
}

/** "America/Chicago -360" is CST. Luxon takes 0.1 ms to find out, and a list may have 200,000 rows. */
const zoneNames = new Map<string, string | null>();

/** With its time by the workflow's clock: "2026-11-24 09:12 CST". One without a zone may be off by hours. */
export function withLocalTime(row: IDataObject, zone: string): IDataObject {
	const time = timeOf(row) ?? readTime(row.receivedAt);
	if (time?.toleranceMs !== 0) return row;
	const local = DateTime.fromMillis(time.ms, { zone, locale: 'en-US' });
	if (!local.isValid) return row;
	const key = `${zone} ${local.offset}`;
	const name = zoneNames.get(key) ?? local.offsetNameShort;
	zoneNames.set(key, name);
	return { ...row, localTime: `${local.toFormat('yyyy-MM-dd HH:mm')} ${name}` };
}

/** Reads a record's column, or a field without one; undefined if the record has neither. */
export function readColumn(name: string, idName?: string): (row: IDataObject) => unknown {
	const sources = sourcesOf(name, idName);
	const convert = CONVERSIONS.get(name);
	return (row) => {
		let value: unknown;
		for (const source of sources) {
			if (!Object.hasOwn(row, source)) continue;
			value = row[source];
			if (value !== null && value !== '') break;
		}
		return convert && value !== undefined ? convert(value) : value;
	};
}

function sourcesOf(name: string, idName: string | undefined): string[] {
	return [name, ...(OTHER_NAMES.get(name) ?? []), ...(name === idName ? ['id'] : [])];
}

/** Adds a value to a flat row, in as many columns as it needs. */
function addFlat(flat: IDataObject, name: string, value: unknown): void {
	if (value === undefined) return;
	if (isJsonObject(value)) {
		for (const [key, each] of Object.entries(value)) addFlat(flat, `${name}_${key}`, each);
	} else if (Array.isArray(value)) {
		flat[name] = value.map((each) => (isNested(each) ? JSON.stringify(each) : each)).join(', ');
	} else if (name !== '__proto__') {
		flat[name] = value as IDataObject[string];
	}
}

/** Without n8n's references, and without what a column already says. */
function addMetadata(flat: IDataObject, metadata: IDataObject): void {
	for (const [key, value] of Object.entries(metadata)) {
		const shown = flat[key === 'loadId' ? 'loadNumber' : key];
		const isShown = shown !== undefined && !isNested(value) && String(shown) === String(value);
		if (!TRACES.has(key) && !isShown) addFlat(flat, `metadata_${key}`, value);
	}
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}

function isNested(value: unknown): boolean {
	return typeof value === 'object' && value !== null;
}

/** "2026-11-15T00:00:00.000Z" is a day (contract 2.7): read elsewhere, midnight would be the day before. */
function dayOf(value: unknown): unknown {
	if (!isText(value)) return value;
	return value.replace(/^(\d{4}-\d\d-\d\d)T00:00(:00(\.0+)?)?(Z|[+-]\d\d:?\d\d)?$/, '$1');
}
