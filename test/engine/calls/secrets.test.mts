import type { RequestListener } from 'node:http';
import type { EngineRun } from '../support/harness/index.mts';
import { useDispatch } from '../support/calls/use-dispatch.mts';
import { withServer } from '../support/service/answering-server.mts';

// A service may repeat in its words what it received: the access token, or the metadata.

const dispatch = useDispatch();

interface Request {
	token: string;
	metadata: unknown;
}

/** Responses with the service's words: a call was refused, or it is unclear whether it was placed. */
const responses: Array<[string, (words: string) => { status: number; body: unknown }]> = [
	['a refusal with status 422', (words) => ({ status: 422, body: { message: words } })],
	['a refusal with status 200', (message) => ({ status: 200, body: { success: false, message } })],
	[
		'an object of words',
		(words) => ({ status: 200, body: { call: null, error: { detail: words } } }),
	],
	['an unclear response', (message) => ({ status: 200, body: { success: true, message } })],
];

/** The run of an item whose call gets this response, which quotes the request. */
async function runWith(
	respond: (words: string) => { status: number; body: unknown },
	quote: (request: Request) => string,
	accessToken: string,
): Promise<EngineRun> {
	const listener: RequestListener = (request, response) => {
		let text = '';
		request.on('data', (chunk) => (text += String(chunk)));
		request.on('end', () => {
			const token = String(request.headers.authorization).replace('Bearer ', '');
			const isCall = request.method === 'POST';
			const metadata: unknown = isCall ? JSON.parse(text).metadata : undefined;
			const { status, body } = isCall
				? respond(quote({ token, metadata }))
				: { status: 200, body: { calls: [], pagination: { total: 0 } } };
			response.writeHead(status, { 'Content-Type': 'application/json' });
			response.end(JSON.stringify(body));
		});
	};
	return await withServer(listener, async (baseUrl) => {
		const credentials = { carrierLoadCommunicationsApi: { baseUrl, accessToken } };
		const parameters = { waitForOutcome: 'webhook', options: { lookForLostAnswers: 0 } };
		const node = { onError: 'continueErrorOutput' } as const;
		return await dispatch.run(parameters, { credentials, node });
	});
}

const shown = (run: EngineRun) => JSON.stringify([run.output(1), run.items, run.hints, run.logs]);

describe.each(responses)('%s', (_response, respond) => {
	it.each([
		['the access token', 'north-token-1234567890'],
		['a short access token', 'tok-12345'],
	])('that repeats %s is shown without it', async (_what, token) => {
		const run = await runWith(respond, ({ token: sent }) => `Out of calls: ${sent}`, token);
		expect(shown(run)).toContain('Out of calls: [hidden]');
		expect(shown(run)).not.toContain(token);
	});

	it('that repeats the metadata is shown without the resume URL', async () => {
		const quote = ({ metadata }: Request) => `Too long: ${JSON.stringify(metadata)}`;
		const run = await runWith(respond, quote, 'north-token-1234567890');
		expect(shown(run)).toContain('Too long: ');
		expect(shown(run)).not.toContain('webhook-waiting');
	});
});
