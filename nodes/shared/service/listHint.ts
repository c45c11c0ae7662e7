import { isStop, ServiceFailure } from './failure';
import type { PageRequest } from './pages';

/** What may be missing of a list, and what to do. @param read how many records were read */
export function hintOf(
	read: number,
	{ total, isEndless }: { total: number | undefined; isEndless: boolean },
): string {
	const records = read === 1 ? '1 record' : `${count(read)} records`;
	if (isEndless) {
		return `The list did not end after ${records}, so it was not read further. Choose a shorter time range.`;
	}
	const again = 'Run it again, or for a shorter time range.';
	return total !== undefined && total > read
		? `The service reports ${count(total)} records but returned ${count(read)}, also when they were read again. The list may be incomplete. ${again}`
		: `The service moved records while they were read, also when they were read again: it returned ${records}, and some may be missing. ${again}`;
}

export function count(number: number): string {
	return number.toLocaleString('en-US');
}

/** Names the page that can't be read. */
export function pageFailure(error: unknown, { offset, limit }: PageRequest, read: number): unknown {
	if (!(error instanceof ServiceFailure) || isStop(error)) return error;
	const { advice } = error.details;
	const before = `${count(read)} records were read before it`;
	return error.with({
		page: `records ${count(offset + 1)} to ${count(offset + limit)}`,
		advice: advice ? `${advice}. ${before}` : before,
	});
}
