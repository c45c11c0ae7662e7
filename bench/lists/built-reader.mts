import { createRequire } from 'node:module';

export type Row = Record<string, unknown>;

export interface Request {
	offset: number;
	limit: number;
}

export interface Source {
	identity: 'id' | 'none';
	readPage(
		request: Request,
		events: { onAnswered?: () => void },
	): Promise<{ rows: Row[]; total: number }>;
}

/** The built package's way to read a list: from a source of pages, in pages of so many rows. */
export type ReadList = (
	paging: { pageSize: number; pagesInParallel: number; onPageFailure: 'error' },
	source: Source,
) => Promise<{ rows: Row[]; hint?: string }>;

const require = createRequire(import.meta.url);
const built = (name: string) => require(`../../dist/nodes/shared/service/pagination/${name}.js`);

/** Reads a list as the built package does by now. */
export const readList: ReadList = (paging, source) => built('list').readList(paging, source);

/**
 * Lets the built package believe the service: pages repeat no row, the total ends the list, and
 * nothing is compared. What is left is the reading itself, by the same code.
 */
export function trustTheService(): void {
	const { ListReader } = built('listReader');
	const { JoinedRows } = built('joinedRows');
	Object.defineProperty(JoinedRows.prototype, 'overlap', { get: () => 0 });
	JoinedRows.prototype.join = function (offset: number, page: Row[]) {
		for (const row of page) this.rows.push(row);
		this.end = offset + page.length;
		return 'grew';
	};
	ListReader.prototype.isEnd = function () {
		return this.joined.end >= this.total;
	};
	const trusting: ReadList = async (paging, { readPage }) => {
		const reader = new ListReader(readPage, paging);
		await reader.read();
		return { rows: reader.joined.rows };
	};
	built('list').readList = trusting;
}
