import type { ServiceFailure } from '../http/failure';
import { count } from './page';

/** Said of a list that does not agree with the total that the service reports. */
export function disagreement(have: number, total: number | undefined): string {
	if (total === undefined) {
		return `The service handed out the same records again and again; the list of ${count(have)} records may not be complete.`;
	}
	if (have === total) {
		return `The service changed or repeated records while they were read: of the ${count(total)} records some may be missing and others may be there twice. Run it again, or for a time range that has passed.`;
	}
	return `${shortList(have, total)} The list may not be complete; run it again, or for a shorter time range.`;
}

export function shortList(have: number, total: number | undefined): string {
	const reported = total === undefined ? 'an unknown number of' : count(total);
	return `The service reports ${reported} records but handed out ${count(have)}.`;
}

/** Said of a list that ends before a page which could not be read. */
export function partialList(
	have: number,
	total: number | undefined,
	{ details, message }: ServiceFailure,
): string {
	const all = total === undefined ? '' : ` of ${count(total)}`;
	return `Only the first ${count(have)}${all} records were read: the page with ${details.page ?? 'the next records'} failed. ${message}.`;
}
