import { DateTime } from 'luxon';
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { describeFailure, joinSentences } from '../errors/itemError';
import { pageOf, readJsonObject } from './answer';
import { DEFAULT_TIMEOUT_MS } from './contract';
import { directIfUnencrypted, normalizeBaseUrl, readAccessToken } from './credential';
import { readStream, withAnswer } from './exchange';
import { ServiceFailure } from './failure';
import { Redaction } from './redaction';

const request = { method: 'GET', path: '/api/v1/analytics' } as const;

/** One day's analytics are much smaller. */
const MAX_BYTES = 1024 * 1024;

/**
 * The Test button of the API credential: requests today's analytics (contract 4.4), which changes
 * nothing. A test declared as a request would show raw socket errors such as ECONNREFUSED (n8n
 * 2.41, CredentialsTester); this one shows the texts of every read.
 */
export async function testApiCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	try {
		const baseUrl = normalizeBaseUrl(data.baseUrl);
		const token = readAccessToken(data.accessToken);
		const today = DateTime.utc().toISODate();
		const send = async (): Promise<unknown> =>
			await helpers.request({
				method: request.method,
				uri: `${baseUrl}${request.path}`,
				qs: { startDate: today, endDate: today },
				headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
				rejectUnauthorized: data.ignoreSslIssues !== true,
				...directIfUnencrypted(baseUrl),
				timeout: DEFAULT_TIMEOUT_MS,
				followRedirect: false,
				simple: false,
				resolveWithFullResponse: true,
				// n8n-core 2.41 has no size limit for buffered responses.
				useStream: true,
			});
		const limits = { baseUrl, timeoutMs: DEFAULT_TIMEOUT_MS };
		await withAnswer(request, limits, send, async ({ status, headers, body }) => {
			const text = new TextDecoder().decode((await readStream(body, MAX_BYTES)).data);
			const redaction = new Redaction(token);
			const answer = readJsonObject({ status, headers, text }, request, redaction);
			// Without this list (contract 4.2), the nodes could not use the response either.
			pageOf(answer, 'data', redaction, request);
		});
		return { status: 'OK', message: 'Connection successful' };
	} catch (error) {
		const isKnown = error instanceof ServiceFailure;
		const message = isKnown
			? joinSentences([error.message, describeFailure(error.details)])
			: 'The connection could not be tested';
		return { status: 'Error', message };
	}
}
