import { inspect } from 'node:util';
import { cpuTime } from '../../../support/cpu-time.mts';
import { shortBackoffs } from '../../../support/pauses.mts';
import { answering, withServer } from '../../support/service/answering-server.mts';
import { dial } from '../../support/service/check-call.mts';
import { startProbe, type Probe } from '../../support/service/probe.mts';
import { errorsBy, list, query, token } from '../../support/service/shown-error.mts';

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());
afterEach(() => jest.restoreAllMocks());

const shownFor = errorsBy(() => probe);

describe('a hostile response', () => {
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
	])('does no harm: %s', async (_what, answer) => {
		const { message, description } = await shownFor(answer);
		expect(message).toContain("Couldn't get calls: the service");
		expect(message.length).toBeLessThan(300);
		expect(description.length).toBeLessThan(800);
		expect(`${message} ${description}`).not.toMatch(/RangeError|at .*\.(ts|js):\d/);
	});

	it('with 60 kB of equal signs in its error is read at once', async () => {
		const body = JSON.stringify({ message: `a${'='.repeat(60_000)}a` });
		const { result, cpuMs } = await cpuTime(() => shownFor(answering(400, body)));
		expect(result.message).toContain("Couldn't get calls: the service");
		expect(cpuMs).toBeLessThan(1000);
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

	it.each([
		['990,000 objects', '{"id":1},', 990_000],
		['200,000 empty objects', '{},', 200_000],
		['1,990,000 texts', '"",', 1_990_000],
		['1,500,000 numbers', '1234567890123456,', 1_500_000],
		['100,000 lists', '[[]],', 100_000],
	])('of %s is refused unread, in words', async (_what, value, times) => {
		const many = Buffer.from(`{"calls":[${value.repeat(times)}{}]}`);
		const { result, cpuMs } = await cpuTime(() => shownFor(answering(200, many)));
		expect(result.message).toBe(
			"Couldn't get calls: the service returned more than 200,000 values in one response",
		);
		expect(result.description).toContain('Choose a shorter time range');
		expect(cpuMs).toBeLessThan(3000);
	});

	it.each([
		['objects', '{"id":1},', 99_000],
		['texts', '"",', 199_000],
		['numbers', '1234567890123456,', 199_000],
		['IDs above 2^53', '{"id":12345678901234567},', 99_000],
	])('of nearly 200,000 values does not block n8n: %s', async (_what, value, times) => {
		const many = Buffer.from(`{"calls":[${value.repeat(times)}{}]}`);
		await withServer(answering(200, many), async (baseUrl) => {
			const { result, cpuMs } = await cpuTime(() =>
				probe.run({ baseUrl, token }, async (client) =>
					client.readListPage('calls', query, { offset: 0, limit: 500 }),
				),
			);
			expect(result.result?.rows).toHaveLength(times + 1);
			expect(cpuMs).toBeLessThan(2000);
		});
	});

	it('of 500 calls with long transcripts, full of commas and brackets, is read', async () => {
		const line = { speaker: 'driver, at stop [2]', text: 'Yes, {no}, well, I, "uh", think so' };
		const transcript = Array.from({ length: 60 }, () => line);
		const text = JSON.stringify(transcript);
		const calls = Array.from({ length: 500 }, (_, id) => ({ id: id + 1, transcript, text }));
		await withServer(answering(200, JSON.stringify({ calls })), async (baseUrl) => {
			const { result } = await probe.run({ baseUrl, token }, list);
			expect(result?.rows).toHaveLength(500);
		});
	});

	it('of 99 MB of empty objects is not read to its end', async () => {
		const megabyte = Buffer.from('{},'.repeat(350_000));
		let sent = 0;
		const { message, description } = await shownFor((_request, response) => {
			response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"calls":[');
			const more = () => {
				if (response.destroyed || sent >= 99) return void response.end('{}]}');
				sent++;
				response.write(megabyte, more);
			};
			more();
		});
		expect(message).toBe("Couldn't get calls: the service's response is larger than 32 MB");
		expect(description).toContain('Choose a shorter time range');
		expect(sent).toBeLessThan(60);
	});

	it('to a request for a load ID of 2 MB is an error without all of it', async () => {
		const loadId = '9'.repeat(2_000_000);
		const range = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' };
		await withServer(answering(500, ''), async (baseUrl) => {
			const options = { baseUrl, token, fails: 'stop' as const, retryBudgetMs: 0 };
			const { run } = await probe.run(options, async (client) =>
				client.readList('calls', { ...range, loadId }),
			);
			expect(run.error?.description).toContain('load 999');
			expect(run.error?.description?.length).toBeLessThan(600);
			expect(JSON.stringify(run.error).length).toBeLessThan(10_000);
		});
	});

	it('without a list, or with an empty one, is an error with the words next to it', async () => {
		for (const calls of [[], null, undefined]) {
			for (const pagination of [undefined, {}, { limit: 500, offset: 0, total: 0 }]) {
				const body = JSON.stringify({ calls, pagination, message: 'Access denied' });
				const { message, description } = await shownFor(answering(200, body));
				expect(message).toBe("Couldn't get calls: the service rejected the request");
				expect(description).toContain('The service said: "Access denied"');
			}
		}
	});

	it.each([
		{ error: 'none' },
		{ error: 'false' },
		{ error: false },
		{ errors: [] },
		{ error: 'none', pagination: { total: 0 } },
		{ message: 'No calls', pagination: { total: 0 } },
		{ message: 'No failed calls, no errors', pagination: {} },
	])('with %j beside an empty list is an empty list', async (others) => {
		await withServer(answering(200, JSON.stringify({ calls: [], ...others })), async (baseUrl) => {
			const { result, error } = await probe.run({ baseUrl, token }, list);
			expect(error).toBeUndefined();
			expect(result?.rows).toEqual([]);
		});
	});

	it.each([500, 520, 521, 522, 523, 524])(
		'with status %i to a read is asked for again',
		async (status) => {
			shortBackoffs();
			let asked = 0;
			await withServer(
				(...exchange) =>
					asked++ === 0
						? answering(status, '')(...exchange)
						: answering(200, '{"calls":[],"pagination":{"total":0}}')(...exchange),
				async (baseUrl) => {
					const { result } = await probe.run({ baseUrl, token }, list);
					expect(result?.rows).toEqual([]);
				},
			);
			expect(asked).toBe(2);
		},
	);

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
	];

	it.each([
		['a message', 401, JSON.stringify({ message: `Not valid: ${forms.join(' ')}` })],
		['plain text', 403, forms.join('\n')],
		['nested words', 400, JSON.stringify({ errors: forms.map((message) => ({ message })) })],
		['an answer of another shape', 200, JSON.stringify({ echoed: forms })],
		['broken data', 200, `{"token":"${token}`],
		['a web page', 500, `<html>${forms.join('<br>')}</html>`],
	])('appears nowhere when the service echoes it in %s', async (_where, status, body) => {
		const { run, error } = await shownFor(answering(status, body));
		const everything = [
			JSON.stringify(error),
			inspect(error, { depth: 10, showHidden: true }),
			JSON.stringify(run.executionData.resultData),
			run.logs.map(({ text }) => text).join('\n'),
			error.stack,
		].join('\n');
		for (const secret of [token, forms[3]?.replace(/=+$/, '')]) {
			expect(everything).not.toContain(secret);
		}
	});

	it('appears nowhere when the connection breaks or is refused', async () => {
		const reset = await shownFor((request) => request.socket.resetAndDestroy());
		const silent = await shownFor(() => {}, { timeoutMs: 200 });
		for (const { error, run } of [reset, silent]) {
			const everything = `${inspect(error, { depth: 10, showHidden: true })}${JSON.stringify(run.executionData.resultData)}${JSON.stringify(run.logs)}`;
			expect(everything).not.toContain(token);
		}
	});

	it('appears nowhere in a failed item with Continue on Fail', async () => {
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

	it('is removed from a response that echoes it', async () => {
		const body = JSON.stringify({ success: false, call: null, message: `Not valid: ${token}` });
		await withServer(answering(200, body), async (baseUrl) => {
			const { result } = await probe.run({ baseUrl, token }, async (client) => dial(client));
			expect(result?.['message']).toBe('Not valid: [hidden]');
		});
	});

	it('appears nowhere when a redirect carries it', async () => {
		const { run, error, message } = await shownFor((_request, response) => {
			response.writeHead(302, { Location: `https://x.example/${token}?token=${token}` }).end();
		});
		expect(message).toContain('redirected the request to https://x.example/[hidden]');
		expect(inspect(error, { depth: 10 }) + JSON.stringify(run.executionData)).not.toContain(token);
	});
});
