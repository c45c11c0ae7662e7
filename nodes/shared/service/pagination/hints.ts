import type { ServiceFailure } from '../http/failure';
import { count } from './page';

/** A list in which rows moved more often than could be followed, or that never ended. */
export function unstableList(have: number, total: number | undefined): string {
	const reported = total === undefined ? '' : ` of the ${count(total)} that the service reports`;
	return `The service kept moving or repeating records while they were read: ${count(have)} records${reported} were returned, and some may be missing. Run it again, or for a shorter time range.`;
}

/** A list that ended before the total that the service reports. */
export function shortList(have: number, total: number): string {
	return `The service reports ${count(total)} records but returned ${count(have)}. The list may be incomplete. Run it again, or for a shorter time range.`;
}

/** A list of which pages could not be compared with the ones before them. */
export function uncheckedList(have: number): string {
	return `The service returned so few different records at a time that the ${count(have)} records could not be checked for gaps.`;
}

/** A list with records that were not objects. */
export function emptyRecords(number: number): string {
	return number === 1
		? 'The service returned 1 empty record, which was left out.'
		: `The service returned ${count(number)} empty records, which were left out.`;
}

/** A list that was read to its reported end, after which the service could not be asked for more. */
export function unprovedEnd(have: number, failure: ServiceFailure): string {
	return `The service returned all ${count(have)} records that it reports. Checking for more failed: ${failure.message}.`;
}

/** A list that ends before a page that could not be read. */
export function partialList(
	have: number,
	total: number | undefined,
	{ details, message }: ServiceFailure,
): string {
	const all = total === undefined || total < have ? '' : ` of ${count(total)}`;
	return `Only the first ${count(have)}${all} records were read: the page with ${details.page ?? 'the next records'} failed. ${message}.`;
}
