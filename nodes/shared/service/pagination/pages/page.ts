import { serviceMessage } from '../../http/answer/serviceMessage';
import { ServiceFailure, type FailureDetails } from '../../http/failure';
import { isJsonObject } from '../../http/json';
import type { Asked, Requests } from '../../http/requests';
import type { Page, PageRequest } from '../types';

/**
 * Requests the rows under a key of the response, with what the service says about their list.
 *
 * @throws ServiceFailure if there is no list under the key: with the service's own words, if it
 * gives any (a 200 with `success: false`), else of kind `unreadable`
 */
export async function requestPage(
	requests: Requests,
	path: string,
	key: string,
	query: object,
	asked: Asked,
): Promise<Page> {
	const body = await requests.read(path, query, asked);
	const rows: unknown = body[key];
	if (!Array.isArray(rows) || (rows.length > 0 && !rows.some(isJsonObject))) {
		const words = Array.isArray(rows)
			? undefined
			: serviceMessage(JSON.stringify(body), requests.connection.redaction);
		throw noList(key, { request: `GET ${path}`, about: asked.about, serviceMessage: words });
	}
	const { total, limit } = isJsonObject(body.pagination) ? body.pagination : {};
	return {
		rows: rows.map((row: unknown) => (isJsonObject(row) ? row : {})),
		total: readCount(total),
		appliedLimit: readCount(limit),
	};
}

function noList(key: string, request: Partial<FailureDetails>): ServiceFailure {
	const isRefused = request.serviceMessage !== undefined;
	return new ServiceFailure({
		kind: 'unreadable',
		what: isRefused
			? 'The service rejected the request'
			: `The service answered without the requested list "${key}"`,
		advice: isRefused
			? 'Check the values of this item'
			: 'Check the base URL in the credential. If it is right, contact the service operator',
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

/** Numbers may be text. Anything that isn't a number of records counts as missing. */
function readCount(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
		? number
		: undefined;
}
