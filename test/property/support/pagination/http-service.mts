import { Readable } from 'node:stream';
import fc from 'fast-check';
import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { ServiceClient } from '../../../../nodes/shared/service/client.ts';
import { redactionOf } from '../../../../nodes/shared/service/http/answer/redaction.ts';
import { Requests } from '../../../../nodes/shared/service/http/requests.ts';
import type { ListServer } from './server.mts';

/** What a request meets on its way. */
export type Weather =
	| { do: 'wait'; ms: number }
	| { do: 'throttle'; retryAfter: '0' | '1' | '60' | 'past' | undefined }
	/** No answer, or one that stops in the middle. */
	| { do: 'stall'; inBody: boolean }
	| { do: 'fail'; status: 502 | 503 | 504 };

/** Weather that a reader gets through: any request may meet it, in a row up to three times. */
export const weather: fc.Arbitrary<Array<Weather | undefined>> = fc
	.array(
		fc.tuple(
			fc.array(
				fc.oneof(
					fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
					fc.record({
						do: fc.constant('throttle' as const),
						retryAfter: fc.constantFrom('0' as const, '1' as const, 'past' as const, undefined),
					}),
					fc.record({ do: fc.constant('stall' as const), inBody: fc.boolean() }),
					fc.record({ do: fc.constant('fail' as const), status: fc.constantFrom(502, 503, 504) }),
				),
				{ minLength: 1, maxLength: 3 },
			),
			fc.integer({ min: 1, max: 6 }),
		),
		{ maxLength: 12 },
	)
	.map((spells) =>
		spells.flatMap(([bad, good]) => [...bad, ...Array.from({ length: good }, () => undefined)]),
	);

const PAST = 'Sun, 01 Mar 2020 12:00:00 GMT';
const TIMEOUT_MS = 30_000;

/** A list of calls and bids behind n8n's request helper, in any weather. */
export class HttpService {
	/** Every request, answered or not. */
	requests = 0;
	private readonly server: ListServer;
	private readonly weather: Array<Weather | undefined>;

	constructor(server: ListServer, weather: Array<Weather | undefined>) {
		this.server = server;
		this.weather = weather;
	}

	/** The package's own client, with its retries, waits, deadlines and parsing. */
	client(stop = new AbortController().signal): ServiceClient {
		const cancelled = new Promise<never>((_resolve, reject) => {
			stop.addEventListener('abort', () => reject(canceled()));
		});
		cancelled.catch(() => {});
		const context = {
			getExecutionCancelSignal: () => stop,
			helpers: {
				// n8n's helper gives up a request when the user presses Stop.
				httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
					await Promise.race([this.respond(options, stop), cancelled]),
			},
		} as unknown as IExecuteFunctions;
		const [baseUrl, accessToken] = ['https://service.example', 'a-token-that-is-long-enough'];
		const connection = {
			baseUrl,
			skipCertificateCheck: false,
			timeoutMs: TIMEOUT_MS,
			retryBudgetMs: 300_000,
			redaction: redactionOf(accessToken),
			credential: async () => ({ baseUrl, accessToken }),
		};
		return new ServiceClient(new Requests(context, connection));
	}

	private async respond({ qs, url }: IHttpRequestOptions, stop: AbortSignal) {
		const met = this.weather[this.requests++];
		await this.pass(met?.do === 'wait' ? met.ms : 5);
		if (met?.do === 'throttle') {
			const retryAfter = met.retryAfter === 'past' ? PAST : met.retryAfter;
			return answer(429, '{}', retryAfter === undefined ? {} : { 'retry-after': retryAfter });
		}
		if (met?.do === 'fail') return answer(met.status, 'Busy');
		if (met?.do === 'stall' && !met.inBody) await new Promise(() => {});
		if (met?.do === 'stall') return { ...answer(200, ''), body: stalled('{"calls":[{"id":', stop) };
		const { offset, limit } = Object(qs);
		const { rows, total, appliedLimit } = this.server.answer({ offset, limit });
		const reported = this.requests % 3 === 0 && total !== undefined ? String(total) : total;
		const key = url.endsWith('/bids') ? 'salesBids' : 'calls';
		const text = JSON.stringify({
			[key]: rows,
			pagination: { limit: appliedLimit, total: reported },
		});
		return answer(200, text);
	}

	private async pass(ms: number): Promise<void> {
		await new Promise<void>((next) => void setTimeout(next, ms));
	}
}

function answer(statusCode: number, text: string, headers: Record<string, string> = {}) {
	return { statusCode, headers, body: Readable.from([Buffer.from(text)]) };
}

/** The beginning of a body, and then nothing more until the request is given up. */
function stalled(text: string, stop: AbortSignal): Readable {
	const body = new Readable({ read() {} });
	body.push(text);
	stop.addEventListener('abort', () => body.destroy(canceled()));
	return body;
}

/** What axios throws when a request is given up. */
function canceled(): Error {
	return Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' });
}
