import type { TimeRange } from '../contract';
import { ServiceFailure } from '../http/failure';
import type { ReadEvents } from '../http/requests';
import { extraRows, frozenEnd, upTo, widened } from './timeBounds';
import type { Identity, ListSource, Page, PageRequest } from './types';

/** Requests one page of a time range. */
type ReadRange = (range: TimeRange, request: PageRequest, events: ReadEvents) => Promise<Page>;

/** The list of a time range, both ends inclusive. All pages after the first have the same end. */
export function listOfRange(
	{ startTime, endTime }: TimeRange,
	identity: Identity,
	readRange: ReadRange,
): ListSource {
	let exact = { startTime, endTime };
	let isRead = false;
	let isWidened = true;
	const isExtra = extraRows(exact);
	const range = () => (isWidened ? widened(exact) : exact);
	return {
		identity,
		isExtra: (row) => isWidened && isExtra(row),
		async readPage(request, events) {
			const now = Date.now();
			const page = await readRange(range(), request, events).catch(async (error: unknown) => {
				if (isRead || !(error instanceof ServiceFailure) || !error.isRefusal) throw error;
				// The service may allow at most 31 days, or no time in its future.
				isWidened = false;
				exact = upTo(error.details.answeredAt ?? now, exact);
				return await readRange(range(), request, events);
			});
			if (!isRead) exact = { startTime, endTime: frozenEnd(exact.endTime, page.rows, now) };
			isRead = true;
			return page;
		},
	};
}
