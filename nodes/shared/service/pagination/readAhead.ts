import { ServiceFailure } from '../http/failure';
import type { Gate } from './gate';
import { pageName } from './page';
import type { Page, PageRequest, ReadPage } from './types';

interface Pending {
	offset: number;
	page: Promise<Page>;
	/** True when nobody waits for the page any more, so that it need not be requested. */
	dropped: boolean;
}

/**
 * Requests pages before they are needed, several at the same time. A page that is here and waits to
 * be joined does not count as requested, so that the service is never idle; but no more pages wait
 * than may be requested at the same time.
 */
export class ReadAhead {
	private queue: Pending[] = [];

	/** The first page that failed: none behind it need be requested. */
	private failedOffset = Number.POSITIVE_INFINITY;

	constructor(
		private readonly readPage: ReadPage,
		private readonly gate: Gate,
	) {}

	/**
	 * The page of a request; the given ones that follow are requested meanwhile. Pages that were
	 * requested ahead for other offsets are dropped.
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

	/** Forgets the pages that were requested ahead. */
	drop(): void {
		for (const pending of this.queue) pending.dropped = true;
		this.queue = [];
		this.failedOffset = Number.POSITIVE_INFINITY;
	}

	private start(request: PageRequest): Pending {
		const pending: Pending = { offset: request.offset, page: EMPTY, dropped: false };
		pending.page = this.read(request, pending);
		// A page that fails is reported when it is needed.
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
