import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { ServiceClient } from '../../../nodes/shared/service/client.ts';
import { startProbe, type Probe, type ProbeOptions } from './probe.mts';

jest.setTimeout(60_000);

const token = 'tok_live_9f8e7d6c5b4a39281706';
const query = {
	startTime: '2026-01-01T00:00:00Z',
	endTime: '2026-02-01T00:00:00Z',
	loadId: '48213',
};
const paging = { pageSize: 10, pagesInParallel: 1, onPageFailure: 'error' as const };
const list = async (client: ServiceClient) => await client.listCalls(query, paging);

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());

async function withServer<Result>(
	answer: RequestListener,
	use: (baseUrl: string) => Promise<Result>,
): Promise<Result> {
	const server = createServer(answer);
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	try {
		return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	} finally {
		server.closeAllConnections();
		await new Promise((closed) => server.close(closed));
	}
}

/** The error that the user sees when the service answers so. */
async function shownFor(answer: RequestListener, more: Partial<ProbeOptions> = {}) {
	return await withServer(answer, async (baseUrl) => {
		const options = { baseUrl, token, fails: 'stop' as const, retryBudgetMs: 0, ...more };
		const { run } = await probe.run(options, list);
		expect(run.status).toBe('error');
		const error = run.error;
		if (!error) throw new Error('The node did not fail');
		return { message: error.message, description: error.description ?? '', error, run };
	});
}

const answering =
	(status: number, body: string | Buffer, type = 'application/json'): RequestListener =>
	(_request, response) => {
		response.writeHead(status, { 'Content-Type': type }).end(body);
	};

describe('the error of a failed item', () => {
	it.each([
		[400, 'the service does not understand the request', 'Check the values'],
		[401, 'the service does not accept the access token', 'Check the access token'],
		[403, 'the service does not allow this', 'whether your organization may'],
		[404, 'the service does not know what was asked for', 'Check the IDs'],
		[409, 'the request conflicts with something', 'Look up what the service has'],
		[418, 'the service refused the request', 'Check the values'],
		[422, 'the service does not accept the values', 'Check the values'],
		[429, 'the service received too many requests', 'Try again later'],
		[500, 'the service has a problem of its own', 'Try again later'],
		[503, 'the service has a problem of its own', 'Try again later'],
	])(
		'at status %i says what happened, what the service said and what to do',
		async (status, what, advice) => {
			const { message, description, error } = await shownFor(
				answering(status, '{"message":"Load 48213 is closed"}'),
			);
			expect(message).toContain(`Get many calls failed: ${what}`);
			expect(message).toContain(`(status ${status})`);
			expect(description).toContain('The service said: "Load 48213 is closed".');
			expect(description).toContain(advice);
			expect(description).toContain('Asked: GET /api/v1/calls (load 48213, records 1 to 10)');
			expect(error.context['itemIndex']).toBe(0);
			expect(error).toMatchObject({ httpCode: String(status) });
		},
	);

	it.each([
		[
			'a web page',
			'<!DOCTYPE html><html><body>Sign in</body></html>',
			'a web page instead of data',
		],
		['nothing', '', 'answered with nothing'],
		['blanks', ' \n ', 'answered with nothing'],
		['null', 'null', 'data of another shape than expected'],
		['a list', '[1,2]', 'data of another shape than expected'],
		['a text', '"hello"', 'data of another shape than expected'],
		['a number', '42', 'data of another shape than expected'],
		['cut off JSON', '{"calls":[{"id":1', 'broken or cut off data'],
		['no JSON', 'calls: none', 'broken or cut off data'],
		['an object without the list', '{"ok":true}', 'without the list "calls"'],
		['null for the list', '{"calls":null}', 'without the list "calls"'],
		['an object for the list', '{"calls":{}}', 'without the list "calls"'],
		['a list of numbers', '{"calls":[1,2]}', 'without the list "calls"'],
		['a list of lists', '{"calls":[[]]}', 'without the list "calls"'],
		['a list with a hole', '{"calls":[{"id":1},null]}', 'without the list "calls"'],
	])('says so when the service answers 200 with %s', async (_what, body, said) => {
		const { message, description } = await shownFor(answering(200, body));
		expect(message).toContain('Get many calls failed: the service answered');
		expect(message).toContain(said);
		expect(description).toContain('Check the base URL');
		expect(description).toContain('Asked: GET /api/v1/calls (load 48213, records 1 to 10');
	});

	it.each([
		['{"error":"no such load"}', 'no such load'],
		['{"error":{"message":"no such load"}}', 'no such load'],
		['{"detail":[{"message":"too long"},{"message":"too short"}]}', 'too long; too short'],
		['{"errors":["a","b"]}', 'a; b'],
		['"no such load"', 'no such load'],
		['no such load', 'no such load'],
	])('finds the words in %s', async (body, words) => {
		const { description } = await shownFor(answering(400, body));
		expect(description).toContain(`The service said: "${words}".`);
	});

	it.each([
		'',
		'null',
		'{}',
		'[]',
		'{"message":null}',
		'{"message":{"a":1}}',
		'<html>x</html>',
		'0',
	])('has no words of the service where there are none (%s)', async (body) => {
		const { description } = await shownFor(answering(400, body));
		expect(description).not.toContain('The service said');
		expect(description).not.toContain('undefined');
		expect(description).not.toContain('[object');
	});

	it.each([
		'A preexisting call is in progress',
		'ENOENT ECONNREFUSED',
		'The econnreset flag is set',
		'bad gateway',
	])('keeps its message when the service says "%s"', async (words) => {
		const { message, description } = await shownFor(
			answering(400, JSON.stringify({ message: words })),
		);
		expect(message).toBe(
			'Get many calls failed: the service does not understand the request (status 400)',
		);
		expect(description).toContain(words);
	});

	it('names the socket error without letting n8n reword the message', async () => {
		const { message, description } = await shownFor((request) => request.socket.resetAndDestroy());
		expect(message).toMatch(
			/^Get many calls failed: the connection to 127\.0\.0\.1:\d+ broke off before the answer was complete$/,
		);
		expect(description).toContain('ECONNRESET');
	});

	it('says how often it was tried', async () => {
		const { description } = await shownFor(answering(503, ''), { retryBudgetMs: 30_000 });
		expect(description).toContain('tried 5 times');
	});

	it('tells a wrong base URL by a 404 that is no answer of the service', async () => {
		const { message } = await shownFor(answering(404, '<html>Not found</html>', 'text/html'));
		expect(message).toContain('there is no such service at the base URL (status 404)');
	});

	it('shortens what the service says', async () => {
		const { description } = await shownFor(
			answering(400, JSON.stringify({ message: 'x'.repeat(5000) })),
		);
		expect(description.length).toBeLessThan(600);
	});
});

describe('an attack by the answer', () => {
	const deep = (depth: number) =>
		'{"calls":'.padEnd(9) + '[{"a":'.repeat(depth) + '1' + '}]'.repeat(depth) + '}';

	it.each([
		['a body of 10 MB that is no JSON', answering(200, Buffer.alloc(10_000_000, 'x'))],
		['an error of 10 MB', answering(500, Buffer.alloc(10_000_000, 'x'))],
		['a message of 10 MB', answering(400, JSON.stringify({ message: 'y'.repeat(10_000_000) }))],
		['data nested 100,000 deep', answering(200, deep(100_000))],
		['an error nested 100,000 deep', answering(400, '[{"message":'.repeat(100_000))],
		[
			'an error nested 100,000 deep that is whole',
			answering(400, `${'{"error":'.repeat(100_000)}"x"${'}'.repeat(100_000)}`),
		],
	])('is survived: %s', async (_what, answer) => {
		const { message, description } = await shownFor(answer);
		expect(message).toContain('Get many calls failed: the service');
		expect(message.length).toBeLessThan(300);
		expect(description.length).toBeLessThan(800);
		expect(`${message} ${description}`).not.toMatch(/RangeError|at .*\.(ts|js):\d/);
	});

	it('cannot reach any prototype', async () => {
		const row = '{"id":1,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
		const body = `{"__proto__":{"polluted":1},"calls":[${row}],"pagination":{"total":1,"__proto__":{"total":9}}}`;
		await withServer(answering(200, body), async (baseUrl) => {
			const { result } = await probe.run({ baseUrl, token }, list);
			expect(result?.rows).toHaveLength(1);
			expect(result?.hint).toBeUndefined();
		});
		expect(Reflect.get({}, 'polluted')).toBeUndefined();
	});

	it('of 10 MB in rows is read', async () => {
		const calls = [{ id: 1, transcript: 'z'.repeat(10_000_000) }];
		await withServer(answering(200, JSON.stringify({ calls })), async (baseUrl) => {
			const { result } = await probe.run({ baseUrl, token }, list);
			expect(String(result?.rows[0]?.['transcript'])).toHaveLength(10_000_000);
		});
	});
});

describe('the access token', () => {
	const forms = [
		token,
		`Bearer ${token}`,
		encodeURIComponent(token),
		Buffer.from(token).toString('base64'),
		`"${token}"`,
		`${token.slice(0, 12)}...`,
		`...${token.slice(-10)}`,
	];

	it.each([
		['a message', 401, JSON.stringify({ message: `Not valid: ${forms.join(' ')}` })],
		['plain text', 403, forms.join('\n')],
		['nested words', 400, JSON.stringify({ errors: forms.map((message) => ({ message })) })],
		['an answer of another shape', 200, JSON.stringify({ echoed: forms })],
		['broken data', 200, `{"token":"${token}`],
		['a web page', 500, `<html>${forms.join('<br>')}</html>`],
	])('is nowhere when the service echoes it in %s', async (_where, status, body) => {
		const { run, error } = await shownFor(answering(status, body));
		const everything = [
			JSON.stringify(error),
			inspect(error, { depth: 10, showHidden: true }),
			JSON.stringify(run.executionData.resultData),
			run.logs.map(({ text }) => text).join('\n'),
			error.stack,
		].join('\n');
		for (const secret of [token, token.slice(0, 12), token.slice(-10), forms[3]]) {
			expect(everything).not.toContain(secret);
		}
	});

	it('is nowhere when the connection breaks off or is refused', async () => {
		const reset = await shownFor((request) => request.socket.resetAndDestroy());
		const silent = await shownFor(() => {}, { timeoutMs: 200 });
		for (const { error, run } of [reset, silent]) {
			const everything = `${inspect(error, { depth: 10, showHidden: true })}${JSON.stringify(run.executionData.resultData)}${JSON.stringify(run.logs)}`;
			expect(everything).not.toContain(token);
		}
	});

	it('is nowhere in a failed item that goes on', async () => {
		await withServer(
			answering(401, JSON.stringify({ message: forms.join(' ') })),
			async (baseUrl) => {
				const { run } = await probe.run({ baseUrl, token, fails: 'continue' }, list);
				const [item] = run.output(1);
				expect(Object.keys(item?.json ?? {}).sort()).toEqual(['error', 'message']);
				expect(item?.pairedItem).toEqual({ item: 0 });
				expect(JSON.stringify(run.executionData)).not.toContain(token);
				expect(run.output(0)).toEqual([]);
			},
		);
	});

	it('is not in the data of an answer that echoes it', async () => {
		const body = JSON.stringify({ success: false, call: null, message: `Not valid: ${token}` });
		await withServer(answering(200, body), async (baseUrl) => {
			const { result } = await probe.run({ baseUrl, token }, async (client) =>
				client.triggerCarrierSalesCall({ dotNumber: 1, toPhone: '+13125550188', loadId: '1' }),
			);
			expect(result?.['message']).toBe('Not valid: [hidden]');
		});
	});

	it('is nowhere when a redirect carries it', async () => {
		const { run, error, message } = await shownFor((_request, response) => {
			response.writeHead(302, { Location: `https://x.example/${token}?token=${token}` }).end();
		});
		expect(message).toContain('sends requests on to https://x.example/[hidden]');
		expect(inspect(error, { depth: 10 }) + JSON.stringify(run.executionData)).not.toContain(token);
	});
});
