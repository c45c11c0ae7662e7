import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A record, and when it was really created, regardless of what it says. */
export interface ListedRow {
	made: number;
	row: Record<string, unknown>;
}

/**
 * A service with one list, for any records and totals; the sandbox has only records that follow the
 * contract. Returns calls and bids alike, newest first.
 */
export class ListService {
	rows: ListedRow[] = [];
	/** The total it reports for a number of records. */
	total = (count: number): number => count;
	/** The records it returns for one time range, from those that match. */
	returns = (rows: ListedRow[]): ListedRow[] => rows;
	/** The time by its own clock. */
	clock = (): Date => new Date();
	requests = 0;
	/** The most records it returns at a time, regardless of the request. */
	pageSize = Number.POSITIVE_INFINITY;
	/** What happens before it answers a request: nothing, a pause, or a status that is an error. */
	before = async (): Promise<number | undefined> => undefined;
	/** Headers of its responses, besides the usual ones. */
	headers: Record<string, string> = {};
	private readonly server: Server;

	constructor() {
		this.server = createServer((request, response) => {
			this.requests++;
			const query = new URL(request.url ?? '', 'http://localhost').searchParams;
			void this.before().then((status = 200) => {
				response.writeHead(status, {
					...{ 'Content-Type': 'application/json', Date: this.clock().toUTCString() },
					...this.headers,
				});
				response.end(JSON.stringify(status === 200 ? this.answer(query) : {}));
			});
		});
	}

	async open(): Promise<void> {
		await new Promise<void>((ready) => this.server.listen(0, '127.0.0.1', ready));
	}

	get baseUrl(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((closed) => this.server.close(closed));
	}

	add(made: number, row: Record<string, unknown>): void {
		this.rows.push({ made, row });
	}

	private answer(query: URLSearchParams) {
		const [from, to] = ['startTime', 'endTime'].map((name) => Date.parse(query.get(name) ?? ''));
		const [offset = 0, limit = 100] = ['offset', 'limit'].map((name) => Number(query.get(name)));
		const inRange = this.rows
			.filter(({ made }) => made >= (from ?? 0) && made <= (to ?? 0))
			.sort((one, other) => other.made - one.made);
		const page = this.returns(inRange)
			.slice(offset, offset + Math.min(limit, this.pageSize))
			.map(({ row }) => row);
		const pagination = { limit, offset, total: this.total(inRange.length) };
		return { calls: page, salesBids: page, pagination };
	}
}
