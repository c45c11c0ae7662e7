import { ServiceFailure } from '../../../../nodes/shared/service/failure.ts';
import type { JsonObject } from '../../../../nodes/shared/service/json.ts';
import type { PageRequest, Page } from '../../../../nodes/shared/service/pages.ts';

/** What the service does with one request instead of responding correctly. */
export type Slip =
	| { do: 'empty' }
	| { do: 'clamp'; to: number }
	| { do: 'fail' }
	| { do: 'insert'; place: number; count: number }
	| { do: 'delete'; place: number };

export interface ServerOptions {
	rows: JsonObject[];
	/** The service never returns more rows per page. */
	clamp: number;
	/** The total that it reports, given the number of the request and of the page's rows. */
	report: (total: number, request: number, rows: number) => unknown;
	/** Whether it reports the limit that it applied (contract 2.1). */
	reportsLimit?: boolean;
	/** Faults in the first requests; undefined for none. */
	slips: Array<Slip | undefined>;
	/** It returns the first page for every offset. */
	ignoresOffset?: boolean;
}

/** A list endpoint as the contract describes it, with the mistakes that a real one may make. */
export class ListServer {
	requests = 0;
	/** The current rows. */
	rows: JsonObject[];
	/** Rows that were deleted at some time. */
	readonly deleted = new Set<JsonObject>();
	private readonly options: ServerOptions;
	private inserted = 0;

	constructor(options: ServerOptions) {
		this.options = options;
		this.rows = [...options.rows];
	}

	answer({ offset, limit }: PageRequest): Page {
		const { slips, clamp, report, reportsLimit = true, ignoresOffset } = this.options;
		const slip = slips[this.requests++];
		if (slip?.do === 'fail')
			throw new ServiceFailure({ kind: 'status', status: 501, what: 'Broken' });
		if (slip?.do === 'insert') this.insert(slip.place, slip.count);
		if (slip?.do === 'delete') this.delete(slip.place);
		const size = Math.min(limit, clamp, slip?.do === 'clamp' ? slip.to : Number.POSITIVE_INFINITY);
		const start = ignoresOffset ? 0 : offset;
		const rows = slip?.do === 'empty' ? [] : this.rows.slice(start, start + size);
		const total = report(this.rows.length, this.requests - 1, rows.length);
		return {
			rows,
			total: typeof total === 'number' ? total : undefined,
			appliedLimit: reportsLimit ? size : undefined,
		};
	}

	private insert(place: number, count: number): void {
		const fresh = Array.from({ length: count }, () => ({ id: 1_000_000 + this.inserted++ }));
		this.rows.splice(Math.floor(place * (this.rows.length + 1)), 0, ...fresh);
	}

	private delete(place: number): void {
		const [gone] = this.rows.splice(Math.floor(place * this.rows.length), 1);
		if (gone) this.deleted.add(gone);
	}
}
