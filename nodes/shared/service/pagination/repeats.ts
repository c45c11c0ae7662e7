import type { JsonObject } from '../http/json';

type Id = string | number;

/** Knows the ids that came, to recognise rows that come again. Rows without one are always new. */
export class SeenIds {
	private readonly seen = new Set<Id>();

	/** How many of the rows are new; all of them count as seen from now on. */
	add(rows: JsonObject[]): number {
		let fresh = 0;
		for (const { id } of rows) {
			if (isId(id)) {
				if (this.seen.has(id)) continue;
				this.seen.add(id);
			}
			fresh++;
		}
		return fresh;
	}

	/** Whether every row came before. */
	hasAll(rows: JsonObject[]): boolean {
		return rows.every(({ id }) => isId(id) && this.seen.has(id));
	}
}

/** The rows of all pages in their order, each id once. */
export function withoutRepeats(pages: JsonObject[][]): JsonObject[] {
	const seen = new Set<Id>();
	const rows: JsonObject[] = [];
	for (const row of pages.flat()) {
		if (isId(row.id)) {
			if (seen.has(row.id)) continue;
			seen.add(row.id);
		}
		rows.push(row);
	}
	return rows;
}

/** Whether every row can be told by its id. */
export function haveIds(rows: JsonObject[]): boolean {
	return rows.every(({ id }) => isId(id));
}

function isId(id: unknown): id is Id {
	return typeof id === 'number' || (typeof id === 'string' && id !== '');
}
