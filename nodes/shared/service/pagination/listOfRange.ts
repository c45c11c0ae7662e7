import type { TimeRange } from '../contract';
import { ServiceFailure } from '../http/failure';
import type { ReadEvents } from '../http/requests';
import { extraRows, frozenEnd, widened } from './timeBounds';
import type { Identity, ListSource, Page, PageRequest } from './types';

/** Requests one page of a time range. */
type ReadRange = (range: TimeRange, request: PageRequest, events: ReadEvents) => Promise<Page>;

/** The list of a time range, both ends inclusive. All pages after the first have the same end. */
export function listOfRange(
	{ startTime, endTime }: TimeRange,
	identity: Identity,
	readRange: ReadRange,
): ListSource {
	let frozen: string | undefined;
	let isWidened = true;
	const isExtra = extraRows({ startTime, endTime });
	const range = () => {
		const exact = { startTime, endTime: frozen ?? endTime };
		return isWidened ? widened(exact) : exact;
	};
	return {
		identity,
		isExtra: (row) => isWidened && isExtra(row),
		async readPage(request, events) {
			const now = Date.now();
			const page = await readRange(range(), request, events).catch(async (error: unknown) => {
				const isRefused = error instanceof ServiceFailure && error.isRefusal;
				if (!isWidened || request.offset > 0 || !isRefused) throw error;
				// The wider range may be longer than the service allows: "at most 31 days".
				isWidened = false;
				return await readRange(range(), request, events);
			});
			if (request.offset === 0) frozen ??= frozenEnd(endTime, page.rows, now);
			return page;
		},
	};
}
