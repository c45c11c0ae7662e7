import type { AnalyticsQuery } from '../contract';
import type { ServiceFailure } from '../http/failure';
import { count } from './pages/page';

/** What to do about an incomplete list. The next poll reads it again anyway. */
export const AGAIN = 'Run it again, or for a shorter time range.';

function records(number: number): string {
	return number === 1 ? '1 record' : `${count(number)} records`;
}

/** Rows moved more often than could be followed, or the list never ended. */
export function unstableList(have: number, total: number | undefined): string {
	const reported = total === undefined ? '' : ` of the ${count(total)} that it reports`;
	return `The service kept moving or repeating records while they were read: it returned ${records(have)}${reported}, and some may be missing. ${AGAIN}`;
}

/** The list ended before the total that the service reports. */
export function shortList(have: number, total: number): string {
	return `The service reports ${records(total)} but returned ${count(have)}. The list may be incomplete. ${AGAIN}`;
}

/** Some pages could not be compared with the previous ones. */
export function uncheckedList(have: number): string {
	return `The service returned so few different records at a time that ${records(have)} could not be checked for gaps.`;
}

/** Some records were not objects. */
export function emptyRecords(number: number): string {
	return number === 1
		? 'The service returned 1 empty record, which was left out.'
		: `The service returned ${count(number)} empty records, which were left out.`;
}

/** The list was read up to its reported end, but checking for more failed. */
export function unprovedEnd(have: number, failure: ServiceFailure): string {
	return `The service returned all ${count(have)} records that it reports. Checking for more failed: ${failure.message}.`;
}

/** The list stops before a page that could not be read. */
export function partialList(
	have: number,
	total: number | undefined,
	{ details, message }: ServiceFailure,
): string {
	const all = total === undefined || total <= have ? '' : ` of ${count(total)}`;
	return `Only the first ${count(have)}${all} records were read: the page with ${details.page ?? 'the next records'} failed. ${message}.`;
}

/** Even single days had fewer entries than the service reports. */
export function shortAnalytics(have: number, total: number): string {
	return `The service reports ${count(total)} days of analytics but returned only ${count(have)}, even for shorter ranges.`;
}

/** Entries of days that nobody asked for. */
export function otherDays(number: number): string {
	const days = number === 1 ? '1 day' : `${count(number)} days`;
	return `The service returned ${days} outside of the requested range, which ${number === 1 ? 'was' : 'were'} left out.`;
}

/** A missing day at the end of a range could not be looked for. */
export function unreadDay(
	day: string,
	{ startDate, endDate }: AnalyticsQuery,
	{ message }: ServiceFailure,
): string {
	return `The service returned no analytics for ${day}. Looking for them between ${startDate} and ${endDate} failed: ${message}.`;
}
