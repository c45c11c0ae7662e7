import type { JsonObject } from '../http/json';
import { RowIdentity } from './rowIdentity';
import type { Identity } from './types';

/** How far back a row is searched for after rows have moved. */
const SEARCHED_ROWS = 10_000;

/**
 * - `grew`: the page continued the list
 * - `unchanged`: the page connects to the list but has nothing new
 * - `apart`: no row of the page is known, so rows in between may be missing
 * - `circular`: the page continues the list with its first row
 */
export type Joined = 'grew' | 'unchanged' | 'apart' | 'circular';

/**
 * The rows of a list, joined page by page. Each page repeats the last rows of the previous one, which
 * shows whether rows moved between the two requests: a page is joined only where it connects. As
 * long as rows keep their order, no row that existed the whole time is missing or duplicated.
 */
export class JoinedRows {
	readonly rows: JsonObject[] = [];

	/** The position in the service's list after the last row. */
	end = 0;

	/** By ID, rows that have lost their place: moved, or deleted meanwhile. */
	private readonly aside = new Map<number | string, JsonObject>();

	readonly identity: RowIdentity;

	constructor(identity: Identity) {
		this.identity = new RowIdentity(identity);
	}

	/** All rows that were read, those last that have lost their place and were not read again. */
	get all(): JsonObject[] {
		const { rows, aside, identity } = this;
		if (aside.size === 0) return rows;
		const ids = new Set(rows.map((row) => identity.idOf(row)));
		return [...rows, ...[...aside.values()].filter((row) => !ids.has(identity.idOf(row)))];
	}

	/** How many rows a page must repeat to prove that it connects. */
	get overlap(): number {
		const { rows } = this;
		const last = rows.length - 1;
		if (last < 0 || this.identity.idOf(rows[last]) !== undefined) return Math.min(1, rows.length);
		// Identical rows don't show that they moved, so two different neighbors are needed.
		let first = last - 1;
		while (first > 0 && this.identity.isSame(rows[first], rows[first + 1])) first--;
		return rows.length - Math.max(0, first);
	}

	/**
	 * Joins the page that the service returned for an offset.
	 *
	 * @param overlap how many of the last rows it repeats if nothing has moved
	 */
	join(offset: number, page: JsonObject[], overlap = this.overlap): Joined {
		const { rows } = this;
		if (rows.length === 0) return this.append(offset, page);
		const anchor = this.expectedAnchor(page, overlap) ?? this.searchAnchor(offset, page);
		if (anchor === undefined) return 'apart';
		let { inPage, inRows } = anchor;
		this.setAside(page.slice(0, inPage));
		while (inRows + 1 < rows.length && this.identity.isSame(page[inPage + 1], rows[inRows + 1])) {
			inPage++;
			inRows++;
		}
		if (inPage + 1 === page.length) {
			this.end = offset + inPage + rows.length - inRows;
			return 'unchanged';
		}
		// The rows after it were deleted or moved back, where they are read again.
		this.setAside(rows.splice(inRows + 1));
		return this.append(offset, page, inPage + 1);
	}

	private setAside(rows: JsonObject[]): void {
		for (const row of rows) {
			const id = this.identity.idOf(row);
			if (id !== undefined) this.aside.set(id, row);
		}
	}

	private append(offset: number, page: JsonObject[], from = 0): Joined {
		const first = this.identity.idOf(this.rows[0]);
		for (let index = from; index < page.length; index++) {
			const row = page[index];
			// After its last row, a service may start over and never end.
			if (first !== undefined && this.identity.idOf(row) === first) return 'circular';
			if (row) this.rows.push(row);
		}
		this.end = offset + page.length;
		return page.length > from ? 'grew' : 'unchanged';
	}

	/** The anchor if no rows have moved: the page starts with the last rows. */
	private expectedAnchor(page: JsonObject[], overlap: number): Anchor | undefined {
		const { rows } = this;
		if (overlap === 0 && this.identity.isSame(page[0], rows.at(-1))) overlap = 1;
		const from = rows.length - overlap;
		for (let index = 0; index < overlap; index++) {
			if (!this.identity.isSame(page[index], rows[from + index])) return undefined;
		}
		return { inPage: overlap - 1, inRows: rows.length - 1 };
	}

	private searchAnchor(offset: number, page: JsonObject[]): Anchor | undefined {
		const { rows } = this;
		const known = new Map<string, number>();
		for (let index = Math.max(0, rows.length - SEARCHED_ROWS); index < rows.length; index++) {
			const key = this.identity.keyOf(rows, index, 0);
			if (key !== undefined) known.set(key, known.has(key) ? Number.NaN : index);
		}
		for (let inPage = 0; inPage < page.length; inPage++) {
			const key = this.identity.keyOf(page, inPage, offset);
			const inRows = key === undefined ? undefined : known.get(key);
			if (inRows !== undefined && !Number.isNaN(inRows)) return { inPage, inRows };
		}
		return undefined;
	}
}

/** The indexes of a row that is in both a page and the joined rows. */
interface Anchor {
	inPage: number;
	inRows: number;
}
