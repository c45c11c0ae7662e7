import { ServiceFailure } from '../../http/failure';
import type { Gate } from './gate';
import { pageName } from './page';
import type { Page, PageRequest, ReadPage } from '../types';

interface Pending {
	offset: number;
	page: Promise<Page>;
	/** Whether nobody needs the page anymore, so it isn't requested. */
	dropped: boolean;
}

/**
 * Requests several pages in parallel before they are needed. A received page waiting to be joined
 * doesn't count as requested, so that the service is never idle; but the number of waiting pages
 * has the same limit.
 */
export class ReadAhead {
	private queue: Pending[] = [];

	/** The first failed page: later ones are not requested. */
	private failedOffset = Number.POSITIVE_INFINITY;

	constructor(
		private readonly readPage: ReadPage,
		private readonly gate: Gate,
	) {}

	/**
	 * Returns a page, and requests the given following ones meanwhile. Discards pages that were
	 * requested ahead for other offsets.
	 *
	 * @throws ServiceFailure that names the page
	 */
	async take(request: PageRequest, following: Iterable<PageRequest>): Promise<Page> {
		if (this.queue[0]?.offset !== request.offset) this.drop();
		const current = this.queue.shift() ?? this.start(request);
		const most = 2 * this.gate.allowed - 1;
		for (const next of following) {
			if (this.queue.length >= most) break;
			const last = this.queue.at(-1)?.offset ?? request.offset;
			if (next.offset > last) this.queue.push(this.start(next));
		}
		return await current.page;
	}

	/** Discards the pages requested ahead. */
	drop(): void {
		for (const pending of this.queue) pending.dropped = true;
		this.queue = [];
		this.failedOffset = Number.POSITIVE_INFINITY;
	}

	private start(request: PageRequest): Pending {
		const pending: Pending = { offset: request.offset, page: EMPTY, dropped: false };
		pending.page = this.read(request, pending);
		// A failed page is reported when it is needed.
		pending.page.catch(() => {});
		return pending;
	}

	private async read(request: PageRequest, pending: Pending): Promise<Page> {
		const { gate } = this;
		await gate.enter();
		let isCounted = true;
		const leave = () => {
			if (isCounted) gate.leave();
			isCounted = false;
		};
		try {
			if (pending.dropped || request.offset > this.failedOffset) return await EMPTY;
			const page = await this.readPage(request, {
				onThrottled: gate.throttled,
				onAnswered: leave,
			});
			gate.passed();
			return page;
		} catch (error) {
			if (!pending.dropped) this.failedOffset = Math.min(this.failedOffset, request.offset);
			throw error instanceof ServiceFailure ? error.with({ page: pageName(request) }) : error;
		} finally {
			leave();
		}
	}
}

const EMPTY: Promise<Page> = Promise.resolve({
	rows: [],
	total: undefined,
	appliedLimit: undefined,
});
