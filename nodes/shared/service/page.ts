import { serviceMessage } from './answer';
import { ServiceFailure, type FailureDetails } from './failure';
import { isJsonObject, type JsonObject } from './json';
import type { Redaction } from './redaction';
import type { Asked, Requests } from './requests';

export interface Page {
	/** In the service's order. Anything that is not an object becomes an empty one. */
	rows: JsonObject[];
	/** The number of all rows, if the service reports a readable number. */
	total: number | undefined;
	/** The page size that the service reports (contract 2.1): it may reduce it. */
	appliedLimit?: number | undefined;
	/** What time it was for the service (Unix milliseconds), if it says so. */
	servedAt?: number | undefined;
	/** How long the response was, in characters. */
	length?: number;
}

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
	const about: Pick<Page, 'servedAt' | 'length'> = {};
	const body = await requests.read(path, query, {
		...asked,
		onAnswered: (servedAt, length) => {
			Object.assign(about, { servedAt, length });
			asked.onAnswered?.(servedAt, length);
		},
	});
	const request = { request: `GET ${path}`, about: asked.about };
	return { ...pageOf(body, key, requests.connection.redaction, request), ...about };
}

/**
 * The rows under a key of a response.
 *
 * @param request which request it was, for errors
 * @throws ServiceFailure as `requestPage` does
 */
export function pageOf(
	body: JsonObject,
	key: string,
	redaction: Redaction,
	request: Partial<FailureDetails>,
): Page {
	const { [key]: listed, ...others } = body;
	const { pagination } = others;
	// Some services write an empty list as null.
	const rows: unknown = listed === null && isJsonObject(pagination) ? [] : listed;
	const words = serviceMessage(JSON.stringify(others), redaction);
	const isList = Array.isArray(rows) && (rows.length === 0 || rows.some(isJsonObject));
	const { total, limit } = isJsonObject(pagination) ? pagination : {};
	const isEmpty = Array.isArray(rows) && rows.length === 0 && !readCount(total);
	// Without a list, or with an empty one, the service may say why: "Access denied".
	const isInstead = !Array.isArray(rows) || (isEmpty && !isJsonObject(pagination));
	const isReason = isInstead ? !NO_ERROR.test(words ?? '') : isEmpty && DENIED.test(words ?? '');
	if (isReason || saysItFailed(others)) throw refused({ ...request, serviceMessage: words });
	if (!isList) throw noList(key, request);
	return {
		rows: rows.map((row: unknown) => (isJsonObject(row) ? row : {})),
		total: readCount(total),
		appliedLimit: readCount(limit),
	};
}

/** What no service says beside a list that is empty because there are no records. */
const DENIED =
	/denied|forbidden|unauthori|not (?:allowed|authori|permitted)|permission|invalid|expired|(?:server|database) error/i;

/** How services write that there is no error. */
const NO_ERROR = /^(none|false|null|no|ok|success|0)?$/i;

/** Whether an answer with status 200 reports an error, maybe beside an empty list or a part of one. */
function saysItFailed({ success, ok, status, statusCode, error, errors }: JsonObject): boolean {
	if (success === false || ok === false) return true;
	if ([status, statusCode].some((each) => /^(error|fail(ed|ure)?|[45]\d\d)$/i.test(String(each)))) {
		return true;
	}
	const isError = (each: unknown) =>
		typeof each === 'string'
			? !NO_ERROR.test(each.trim())
			: Boolean(each) && !['{}', '[]'].includes(JSON.stringify(each));
	return [error, errors].some(isError);
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
		what: `The service responded without the requested list "${key}"`,
		advice: 'Check the base URL in the credential. If it is right, contact the service operator',
		...request,
	});
}

/** Numbers may be text. Anything that isn't a number of records counts as missing. */
function readCount(value: unknown): number | undefined {
	const number =
		typeof value === 'string' && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
		? number
		: undefined;
}
