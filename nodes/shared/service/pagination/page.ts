import { ServiceFailure, type FailureDetails } from '../http/failure';
import { isJsonObject, type JsonObject } from '../http/json';
import type { Page, PageRequest } from './types';

/**
 * The rows under a key of an answer, with what the service says about the list.
 *
 * @param request what was requested, for the failure
 * @throws ServiceFailure if there is no list under the key: with the service's own words, if it gives
 * some (a 200 with `success: false`), else of kind `unreadable`
 */
export function readPage(
	body: JsonObject,
	key: string,
	request: Pick<FailureDetails, 'request' | 'about' | 'serviceMessage'>,
): Page {
	const rows: unknown = body[key];
	if (!Array.isArray(rows) || (rows.length > 0 && !rows.some(isJsonObject))) {
		throw noList(key, request);
	}
	const { total, limit } = isJsonObject(body.pagination) ? body.pagination : {};
	return {
		rows: rows.map((row: unknown) => (isJsonObject(row) ? row : {})),
		total: readCount(total),
		appliedLimit: readCount(limit),
	};
}

function noList(
	key: string,
	request: Pick<FailureDetails, 'request' | 'about' | 'serviceMessage'>,
): ServiceFailure {
	if (request.serviceMessage !== undefined) {
		return new ServiceFailure({
			kind: 'unreadable',
			what: 'The service rejected the request',
			advice: 'Check the values of this item',
			...request,
		});
	}
	return new ServiceFailure({
		kind: 'unreadable',
		what: `The service answered without the requested list "${key}"`,
		advice: 'Check the base URL in the credential. If it is right, contact the service operator',
		...request,
	});
}

/** "records 501 to 1,000" */
export function pageName({ offset, limit }: PageRequest): string {
	return `records ${count(offset + 1)} to ${count(offset + limit)}`;
}

export function count(number: number): string {
	return number.toLocaleString('en-US');
}

/** Numbers come as text too; what isn't a number of records counts as missing. */
function readCount(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
		? number
		: undefined;
}
