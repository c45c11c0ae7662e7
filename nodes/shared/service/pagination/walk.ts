import type { JsonObject } from '../http/json';
import { ListReader } from './listReader';
import type { ReadPage } from './types';

export interface Walked {
	/** How many rows were read. */
	searched: number;
	/** Whether `visit` stopped it, or the whole list was read without doubts about gaps. */
	complete: boolean;
}

/** Reads a list of rows with IDs page by page, until `visit` returns true for a row. */
export async function walkRows(
	pageSize: number,
	readPage: ReadPage,
	visit: (row: JsonObject) => boolean,
): Promise<Walked> {
	let isStopped = false;
	const reader = new ListReader(
		async (request, events) => {
			const page = await readPage(request, events);
			isStopped ||= page.rows.some(visit);
			return { ...page, rows: page.rows.map(withoutData) };
		},
		{ ...{ pageSize, pagesInParallel: 1, identity: 'id' }, onPage: () => isStopped },
	);
	await reader.read();
	const { joined, end, unstable, unchecked } = reader;
	const isWhole = !unstable && !unchecked && !end.isShort;
	return { searched: joined.all.length, complete: isStopped || isWhole };
}

/** Keeps only what is needed to join pages, because lists are long. */
function withoutData(row: JsonObject): JsonObject {
	const { id } = row;
	return id === undefined || id === null ? row : { id };
}
