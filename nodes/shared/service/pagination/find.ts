import type { JsonObject } from '../http/json';
import { SeenIds } from './repeats';
import type { ReadPage } from './types';

export interface Found {
	/** The first row that matches, in the service's order. */
	row?: JsonObject | undefined;
	/** How many different rows were looked at. */
	searched: number;
	/** Whether these were all that the service says it has. */
	complete: boolean;
}

/** Walks a list of rows with ids, page by page, only as far as needed. */
export async function findRow(
	pageSize: number,
	readPage: ReadPage,
	matches: (row: JsonObject) => boolean,
): Promise<Found> {
	const ids = new SeenIds();
	let offset = 0;
	let searched = 0;
	for (;;) {
		const { rows, total } = await readPage({ offset, limit: pageSize }, {});
		const fresh = ids.add(rows);
		searched += fresh;
		const row = rows.find(matches);
		if (row) return { row, searched, complete: false };
		offset += rows.length;
		// A total below what came is none.
		const ended = rows.length === 0 || offset === total;
		if (ended) return { searched, complete: total === undefined || searched >= total };
		if (fresh === 0) return { searched, complete: false };
	}
}
