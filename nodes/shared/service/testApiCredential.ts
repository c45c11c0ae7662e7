import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { DateTime } from 'luxon';

import { readAccessToken } from './http/credential';
import { normalizeBaseUrl } from './http/baseUrl';
import { DEFAULT_TIMEOUT_MS } from './http/defaults';
import { ServiceFailure } from './http/failure';
import { isJsonObject, parseJson } from './http/json';
import { readTransportError } from './http/transportError';

const MESSAGES: Record<number, string> = {
	401: 'The base URL is right, but the service does not accept this access token',
	403: 'The base URL is right, but this access token is not allowed to read analytics',
	404: 'Wrong base URL: the service was not found there',
};

const PATH = '/api/v1/analytics';

/**
 * The Test button of the API credential: requests today's analytics (contract 4.4), which changes
 * nothing. A test declared as a request would show raw socket errors such as ECONNREFUSED (n8n
 * 2.41, CredentialsTester); this one says what is wrong and what to do.
 */
export async function testApiCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const problem = await askService(this, credential.data ?? {});
		return problem === undefined
			? { status: 'OK', message: 'Connection successful' }
			: { status: 'Error', message: problem };
	} catch (error) {
		return { status: 'Error', message: describe(error) };
	}
}

function describe(error: unknown): string {
	if (!(error instanceof ServiceFailure)) return 'The connection could not be tested';
	const { what, advice } = error.details;
	return advice === undefined ? what : `${what}. ${advice}`;
}

/** What is wrong with the service's response; undefined if it is the service. */
async function askService(
	context: ICredentialTestFunctions,
	credential: Record<string, unknown>,
): Promise<string | undefined> {
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const token = readAccessToken(credential.accessToken);
	const today = DateTime.utc().toISODate();
	try {
		const response: unknown = await context.helpers.request({
			method: 'GET',
			uri: `${baseUrl}${PATH}`,
			qs: { startDate: today, endDate: today },
			headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
			rejectUnauthorized: credential.ignoreSslIssues !== true,
			timeout: DEFAULT_TIMEOUT_MS,
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
		});
		const { statusCode, body } = Object(response);
		return judge(Number(statusCode), body);
	} catch (error) {
		const request = { method: 'GET', path: PATH } as const;
		throw readTransportError(error, request, { baseUrl, timeoutMs: DEFAULT_TIMEOUT_MS });
	}
}

function judge(status: number, body: unknown): string | undefined {
	if (status >= 300 && status < 400) {
		return 'Wrong base URL: the service has moved or asks to sign in. Use the redirected URL as the base URL.';
	}
	if (status >= 500) return 'The service returned a server error. Try again later.';
	if (status !== 200)
		return MESSAGES[status] ?? `The service refused the request (status ${status})`;
	const answer = typeof body === 'string' ? parseJson(body) : body;
	// A web page or another service: it has no `data` (contract 4.2).
	if (isJsonObject(answer) && 'data' in answer) return undefined;
	return 'Wrong base URL: something other than the service responds there';
}
