import { ServiceFailure, type FailureDetails } from '../http/failure';
import { isJsonObject, type JsonObject } from '../http/json';
import type { Page, PageAsked } from './types';

/**
 * The rows under a key of an answer, and the total.
 *
 * @param asked what was asked, for the failure
 * @throws ServiceFailure of kind `unreadable` when there is no list of objects under the key
 */
export function readPage(
	body: JsonObject,
	key: string,
	asked: Pick<FailureDetails, 'request' | 'about'>,
): Page {
	const rows: unknown = body[key];
	if (!isRows(rows)) {
		throw new ServiceFailure({
			kind: 'unreadable',
			what: `The service answered without the list "${key}" that was asked for`,
			advice: 'Check the base URL in the credential; if it is right, tell the service operator',
			...asked,
		});
	}
	return {
		rows,
		total: isJsonObject(body.pagination) ? readTotal(body.pagination.total) : undefined,
	};
}

/** "records 501 to 1,000" */
export function pageName({ offset, limit }: PageAsked): string {
	return `records ${count(offset + 1)} to ${count(offset + limit)}`;
}

export function count(number: number): string {
	return number.toLocaleString('en-US');
}

function isRows(rows: unknown): rows is JsonObject[] {
	return Array.isArray(rows) && rows.every(isJsonObject);
}

/** Totals come as text too; what is no number of records counts as missing. */
function readTotal(total: unknown): number | undefined {
	const number = typeof total === 'string' && /^\s*\d+\s*$/.test(total) ? Number(total) : total;
	return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
		? number
		: undefined;
}
