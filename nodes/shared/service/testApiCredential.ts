import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { DateTime } from 'luxon';

import { redactionOf } from './http/answer/redaction';
import { normalizeBaseUrl } from './http/baseUrl';
import { readAccessToken } from './http/credential';
import { DEFAULT_TIMEOUT_MS } from './http/defaults';
import { withAnswer } from './http/exchange';
import { ServiceFailure } from './http/failure';
import { readStream } from './http/stream';
import { problemWith } from './testedAnswer';

const PATH = '/api/v1/analytics';

/** One day's analytics are much smaller. */
const MAX_BYTES = 1024 * 1024;

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

/** What is wrong with the service's response; undefined if it is the service. */
async function askService(
	context: ICredentialTestFunctions,
	credential: Record<string, unknown>,
): Promise<string | undefined> {
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const token = readAccessToken(credential.accessToken);
	const today = DateTime.utc().toISODate();
	const send = async (): Promise<unknown> =>
		await context.helpers.request({
			method: 'GET',
			uri: `${baseUrl}${PATH}`,
			qs: { startDate: today, endDate: today },
			headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
			rejectUnauthorized: credential.ignoreSslIssues !== true,
			timeout: DEFAULT_TIMEOUT_MS,
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
			// n8n-core 2.41 has no size limit for buffered responses.
			useStream: true,
		});
	const request = { method: 'GET', path: PATH } as const;
	const limits = { baseUrl, timeoutMs: DEFAULT_TIMEOUT_MS };
	return await withAnswer(request, limits, send, async ({ status, headers, body }) => {
		const { data, complete } = await readStream(body, MAX_BYTES);
		const text = new TextDecoder().decode(data);
		const redaction = redactionOf(token);
		return problemWith({ status, headers, text, complete, baseUrl, path: PATH, redaction });
	});
}

function describe(error: unknown): string {
	if (!(error instanceof ServiceFailure)) return 'The connection could not be tested';
	const { what } = error.details;
	const advice = adviceFor(error.details);
	return advice === undefined ? what : `${what}. ${advice}`;
}

/** The nodes' advice names their options, and that the service answers at all is not known here. */
function adviceFor({ kind, code = '', advice }: ServiceFailure['details']): string | undefined {
	if (code === 'ENOTFOUND') {
		return 'Check the base URL: there is no host of that name, or n8n cannot look it up';
	}
	if (kind === 'timeout') {
		return "Check the base URL, especially the port, and whether a firewall blocks n8n's requests. If they are right, try again later";
	}
	if (kind === 'interrupted') {
		return 'Check the base URL, especially https:// and the port. If they are right, try again later';
	}
	return advice;
}
