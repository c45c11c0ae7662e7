import { gzipSync } from 'node:zlib';
import { pauseOf, shortBackoffs } from '../../../support/pauses.mts';
import { answering, withServer } from '../../support/service/answering-server.mts';
import { dial } from '../../support/service/check-call.mts';
import { callsOf, listsOf } from '../../support/service/list-service.mts';
import { failureOf, startProbe, type Probe } from '../../support/service/probe.mts';
import { list } from '../../support/service/shown-error.mts';

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());
afterEach(() => jest.restoreAllMocks());

describe('a response', () => {
	it.each([
		['body', 'HTTP/1.1 200 OK'],
		['error body', 'HTTP/1.1 500 No'],
	])('whose %s trickles in ends at the timeout', async (_what, head) => {
		const trickle = setInterval.bind(undefined);
		await withServer(
			(request) => {
				const { socket } = request;
				socket.write(
					`${head}\r\nContent-Type: application/json\r\nContent-Length: 999999\r\n\r\n{`,
				);
				const timer = trickle(() => void socket.write(' '), 50);
				socket.on('close', () => clearInterval(timer));
				socket.on('error', () => {});
			},
			async (baseUrl) => {
				const probed = await probe.run({ baseUrl, timeoutMs: 500, retryBudgetMs: 0 }, list);
				expect(failureOf(probed).details.kind).toBe('timeout');
				expect(probed.ms).toBeLessThan(60_000);
			},
		);
	});

	it('of more than 32 MB, compressed to a few bytes, is rejected and not requested again', async () => {
		const megabyte = gzipSync(Buffer.alloc(1024 * 1024, ' '));
		const packed = Buffer.concat(Array.from({ length: 110 }, () => megabyte));
		let requests = 0;
		await withServer(
			(_request, response) => {
				requests++;
				response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
				response.end(packed);
			},
			async (baseUrl) => {
				const failure = failureOf(await probe.run({ baseUrl }, list));
				expect(failure.message).toBe("The service's response is larger than 32 MB");
				expect(requests).toBe(1);
			},
		);
	});
});

describe('a service that asks to wait', () => {
	const busy = (retryAfter: string) => {
		const times: number[] = [];
		const listener: Parameters<typeof withServer>[0] = (_request, response) => {
			times.push(Date.now());
			response.writeHead(429, { 'Retry-After': retryAfter }).end('{}');
		};
		return { times, listener };
	};

	it.each(['0', 'Sun, 01 Mar 2020 12:00:00 GMT'])(
		'with Retry-After %j gets at most 6 requests, for reads and calls',
		async (retryAfter) => {
			shortBackoffs();
			for (const task of [list, dial]) {
				const { times, listener } = busy(retryAfter);
				await withServer(listener, async (baseUrl) => {
					failureOf(await probe.run<unknown>({ baseUrl, retryBudgetMs: 300_000 }, task));
				});
				expect(times).toHaveLength(6);
			}
		},
	);

	it('for a minute gets it, within the budget of 5 minutes', async () => {
		const stop = new AbortController();
		const { times, listener } = busy('60');
		const stopLater: typeof listener = (...asked) => {
			listener(...asked);
			void pauseOf(60_000).then(() => stop.abort());
		};
		await withServer(stopLater, async (baseUrl) => {
			const probed = await probe.run({ baseUrl, signal: stop.signal }, list);
			// It waited until the user pressed Stop, instead of failing at once.
			expect(failureOf(probed).details.kind).toBe('cancelled');
			expect(times).toHaveLength(1);
		});
	});
});

describe('a search for a call', () => {
	it('finds one on page 2 of a service that clamps pages and reports only one', async () => {
		const read = listsOf(() => probe);
		expect((await read({ rows: callsOf(3) })).result?.rows).toHaveLength(3);
		const page = (offset: number) => callsOf(250).slice(offset, offset + 100);
		await withServer(
			(request, response) => {
				const offset = Number(new URL(request.url ?? '', 'http://x').searchParams.get('offset'));
				const calls = page(offset);
				const body = { calls, pagination: { limit: 100, total: calls.length } };
				answering(200, JSON.stringify(body))(request, response);
			},
			async (baseUrl) => {
				const range = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' };
				const ids: unknown[] = [];
				await probe.run({ baseUrl }, async (client) =>
					client.walkCalls(range, ({ id }) => ids.push(id) > 1000 || id === 60),
				);
				expect(ids).toContain(60);
			},
		);
	});
});
