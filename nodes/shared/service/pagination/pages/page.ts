import { serviceMessage } from '../../http/answer/serviceMessage';
import { ServiceFailure, type FailureDetails } from '../../http/failure';
import { isJsonObject, type JsonObject } from '../../http/json';
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
	const { [key]: listed, ...others } = body;
	const { pagination } = others;
	// Some services write an empty list as null.
	const rows: unknown = listed === null && isJsonObject(pagination) ? [] : listed;
	const isList = Array.isArray(rows) && (rows.length === 0 || rows.some(isJsonObject));
	if (!isList || saysItFailed(others)) {
		const words = serviceMessage(JSON.stringify(others), requests.connection.redaction);
		const isRefused = saysItFailed(others) || (!Array.isArray(rows) && words !== undefined);
		const request = { request: `GET ${path}`, about: asked.about };
		throw isRefused ? refused({ ...request, serviceMessage: words }) : noList(key, request);
	}
	const { total, limit } = isJsonObject(pagination) ? pagination : {};
	return {
		rows: rows.map((row: unknown) => (isJsonObject(row) ? row : {})),
		total: readCount(total),
		appliedLimit: readCount(limit),
	};
}

/** Whether an answer with status 200 reports an error, maybe beside an empty list or a part of one. */
export function saysItFailed({
	success,
	ok,
	status,
	statusCode,
	error,
	errors,
}: JsonObject): boolean {
	if (success === false || ok === false) return true;
	if ([status, statusCode].some((each) => /^(error|fail(ed|ure)?|[45]\d\d)$/i.test(String(each)))) {
		return true;
	}
	const isFilled = (each: unknown) => Boolean(each) && !['{}', '[]'].includes(JSON.stringify(each));
	return [error, errors].some(isFilled);
}

function refused(request: Partial<FailureDetails>): ServiceFailure {
	return new ServiceFailure({
		kind: 'unreadable',
		what: 'The service rejected the request',
		advice: 'Check the values of this item, or try again later',
		...request,
	});
}

function noList(key: string, request: Partial<FailureDetails>): ServiceFailure {
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

/** Numbers may be text. Anything that isn't a number of records counts as missing. */
function readCount(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
		? number
		: undefined;
}
