import type { Fault } from '../../../sandbox/index.mts';
import { request, ALL_TIME, NOON } from '../support/requests.mts';
import { outcome } from '../support/request-outcome.mts';
import { sandboxPerTest } from '../support/sandbox-per-test.mts';

const start = sandboxPerTest();
const LIST = `/api/v1/calls?${ALL_TIME}&limit=2`;

describe('a sandbox fault', () => {
	it('applies once by default', async () => {
		const sandbox = await start();
		sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'status', status: 503 } });
		expect((await request(sandbox, LIST)).status).toBe(503);
		expect((await request(sandbox, LIST)).status).toBe(200);
		expect(sandbox.faults.list()).toEqual([]);
	});

	it('applies to its endpoint, "times" times, after "skip" requests', async () => {
		const sandbox = await start();
		sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'status', status: 500 },
			times: 2,
			skip: 1,
		});
		const statuses: number[] = [];
		for (let nth = 0; nth < 4; nth++) {
			statuses.push(
				(await request(sandbox, `/api/v1/bids?${ALL_TIME}`)).status,
				(await request(sandbox, LIST)).status,
			);
		}
		expect(statuses).toEqual([200, 200, 200, 500, 200, 500, 200, 200]);
	});

	it('can apply to every endpoint until it is cleared', async () => {
		const sandbox = await start();
		sandbox.faults.add({ endpoint: '*', fault: { kind: 'status', status: 502 }, times: Infinity });
		for (const path of [LIST, `/api/v1/bids?${ALL_TIME}`, '/recordings/10000001.wav']) {
			expect((await request(sandbox, path)).status).toBe(502);
		}
		expect(sandbox.faults.list()).toMatchObject([{ times: 'always' }]);
		sandbox.faults.clear();
		expect((await request(sandbox, LIST)).status).toBe(200);
	});

	it('can apply to one organization only', async () => {
		const sandbox = await start();
		sandbox.faults.add({
			endpoint: '*',
			fault: { kind: 'status', status: 500 },
			times: 'always',
			organization: 'south',
		});
		const { south } = sandbox.tokens;
		expect([
			(await request(sandbox, LIST)).status,
			(await request(sandbox, LIST, { token: south })).status,
		]).toEqual([200, 500]);
	});

	it('waits its turn when an earlier fault replaces the response', async () => {
		const sandbox = await start();
		sandbox.faults.add(
			{ endpoint: 'listCalls', fault: { kind: 'status', status: 502 } },
			{ endpoint: 'listCalls', fault: { kind: 'status', status: 504 } },
		);
		const statuses = [
			await request(sandbox, LIST),
			await request(sandbox, LIST),
			await request(sandbox, LIST),
		];
		expect(statuses.map(({ status }) => status)).toEqual([502, 504, 200]);
	});

	it('applies to valid requests only: a rejected one does not use it up', async () => {
		const sandbox = await start();
		sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'status', status: 503 } });
		expect((await request(sandbox, '/api/v1/calls')).status).toBe(400);
		expect((await request(sandbox, LIST, { token: null })).status).toBe(401);
		expect((await request(sandbox, LIST)).status).toBe(503);
	});

	it.each([
		{ endpoint: 'listCalls', fault: { kind: 'status', status: 42 } },
		{ endpoint: 'listCalls', fault: { kind: 'explode' } },
		{ endpoint: 'calls', fault: { kind: 'html' } },
		{ endpoint: 'listCalls', fault: { kind: 'html' }, times: 0 },
		{ endpoint: 'listCalls', fault: { kind: 'lost' } },
		{ endpoint: 'webhook', fault: { kind: 'html' } },
	])('is rejected if it makes no sense: %j', async (rule) => {
		const sandbox = await start();
		expect(() => sandbox.faults.add(rule as never)).toThrow(/fault/i);
	});
});

describe('a faulty response', () => {
	it('is delayed by the latency', async () => {
		const sandbox = await start();
		sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'latency', ms: 80 } });
		const begun = performance.now();
		await request(sandbox, LIST);
		expect(performance.now() - begun).toBeGreaterThanOrEqual(79);
	});

	it.each([
		[7, '7'],
		[{ inSeconds: 90 }, new Date(NOON.getTime() + 90_000).toUTCString()],
		[{ inSeconds: -5 }, new Date(NOON.getTime() - 5000).toUTCString()],
	])('has Retry-After: %j', async (retryAfter, header) => {
		const sandbox = await start();
		sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'status', status: 429, retryAfter },
		});
		const { status, headers } = await request(sandbox, LIST);
		expect([status, headers.get('retry-after')]).toEqual([429, header]);
	});

	const bodies: [Fault, number, string, RegExp][] = [
		[{ kind: 'status', status: 500 }, 500, 'application/json', /^\{"message":".+"\}$/],
		[{ kind: 'status', status: 500, body: 'html' }, 500, 'text/html', /^<!DOCTYPE html>/],
		[{ kind: 'status', status: 500, body: 'text', message: 'Oops' }, 500, 'text/plain', /^Oops$/],
		[{ kind: 'status', status: 500, body: 'empty' }, 500, '', /^$/],
		[{ kind: 'html' }, 200, 'text/html', /^<!DOCTYPE html>/],
		[{ kind: 'emptyBody' }, 200, 'application/json', /^$/],
		[{ kind: 'truncated' }, 200, 'application/json', /^\{"calls":\[\{.*[^}]$/s],
		[{ kind: 'body', body: null }, 200, 'application/json', /^null$/],
		[{ kind: 'body', body: [1, { a: 2 }] }, 200, 'application/json', /^\[1,\{"a":2\}\]$/],
		[{ kind: 'body', body: 'not json' }, 200, 'application/json', /^not json$/],
	];

	it.each(bodies)('can be %j', async (fault, status, type, text) => {
		const sandbox = await start();
		sandbox.faults.add({ endpoint: 'listCalls', fault });
		const answered = await request(sandbox, LIST);
		expect(answered).toMatchObject({ status, text: expect.stringMatching(text) });
		expect(answered.headers.get('content-type') ?? '').toContain(type);
	});

	it('can promise more bytes than it sends', async () => {
		const sandbox = await start();
		sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'truncated', contentLength: true },
		});
		expect(await outcome(sandbox, LIST)).toEqual({
			failed: expect.stringMatching(/UND_ERR_SOCKET|ECONNRESET/),
		});
	});

	it('can redirect to another URL', async () => {
		const sandbox = await start();
		const to = `${sandbox.baseUrl}/elsewhere`;
		sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'redirect', to, status: 307 } });
		const { status, headers } = await request(sandbox, LIST, { redirect: 'manual' });
		expect([status, headers.get('location')]).toEqual([307, to]);
	});
});
