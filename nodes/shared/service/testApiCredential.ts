import { DateTime } from 'luxon';
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { describeFailure, joinSentences } from '../errors/itemError';
import { readJsonObject } from './answer';
import { normalizeBaseUrl, readAccessToken } from './credential';
import { readStream, withAnswer } from './exchange';
import { ServiceFailure } from './failure';
import { pageOf } from './page';
import { Redaction } from './redaction';
import { DEFAULT_TIMEOUT_MS } from './request';

const PATH = '/api/v1/analytics';

/** One day's analytics are much smaller. */
const MAX_BYTES = 1024 * 1024;

/**
 * The Test button of the API credential: requests today's analytics (contract 4.4), which changes
 * nothing. A test declared as a request would show raw socket errors such as ECONNREFUSED (n8n
 * 2.41, CredentialsTester); this one shows the texts of every read.
 */
export async function testApiCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		await readAnalytics(this, credential.data ?? {});
		return { status: 'OK', message: 'Connection successful' };
	} catch (error) {
		return { status: 'Error', message: describe(error) };
	}
}

/** @throws ServiceFailure unless the service responds with its analytics */
async function readAnalytics(
	context: ICredentialTestFunctions,
	credential: Record<string, unknown>,
): Promise<void> {
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
	await withAnswer(request, limits, send, async ({ status, headers, body }) => {
		const { data } = await readStream(body, MAX_BYTES);
		const text = new TextDecoder().decode(data);
		const redaction = new Redaction(token);
		const answer = readJsonObject({ status, headers, text }, request, redaction);
		// Without this list (contract 4.2), the nodes could not use the response either.
		pageOf(answer, 'data', redaction, { request: `GET ${PATH}` });
	});
}

function describe(error: unknown): string {
	if (!(error instanceof ServiceFailure)) return 'The connection could not be tested';
	return joinSentences([error.message, describeFailure(error.details)]);
}
