import type { JsonObject } from '../http/json';
import { ListReader } from './listReader';
import type { ReadPage } from './types';

export interface Found {
	/** The first row that matches, in the service's order. */
	row?: JsonObject | undefined;
	/** How many rows were checked. */
	searched: number;
	/** Whether the whole list was read without a match, and without doubts about gaps. */
	complete: boolean;
}

/** Reads a list of rows with IDs page by page, only as far as needed. */
export async function findRow(
	pageSize: number,
	readPage: ReadPage,
	matches: (row: JsonObject) => boolean,
): Promise<Found> {
	let row: JsonObject | undefined;
	const reader = new ListReader(
		async (request, events) => {
			const page = await readPage(request, events);
			row ??= page.rows.find(matches);
			return { ...page, rows: page.rows.map(withoutData) };
		},
		{
			...{ pageSize, pagesInParallel: 1, identity: 'id' },
			onPage: () => row !== undefined,
		},
	);
	await reader.read();
	const { joined, end, unstable, unchecked } = reader;
	return {
		row,
		searched: joined.all.length,
		complete: row === undefined && !unstable && !unchecked && !end.isShort,
	};
}

/** Keeps only what is needed to join pages, because lists are long. */
function withoutData(row: JsonObject): JsonObject {
	const { id } = row;
	return id === undefined || id === null ? row : { id };
}
