import type { Socket } from 'node:net';
import type { ListQuery } from '../../../../nodes/shared/service/contract.ts';
import type { ServiceClient } from '../../../../nodes/shared/service/client.ts';
import { failureOf, startProbe, type Probe } from '../../support/service/probe.mts';
import { pauseOf, shortBackoffs } from '../../../support/pauses.mts';
import { json, withServer } from '../../support/service/raw-server.mts';

const query: ListQuery = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' };
const list = async (client: ServiceClient) => await client.readList('calls', query);

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());
afterEach(() => jest.restoreAllMocks());

describe('a read', () => {
	const page = { calls: [{ id: 1 }], pagination: { limit: 10, offset: 0, total: 1 } };

	it.each([
		['a reset', (socket: Socket) => socket.resetAndDestroy()],
		['429', (socket: Socket) => socket.end(json({}, '429 No', 'Retry-After: 0\r\n'))],
		['502', (socket: Socket) => socket.end(json({}, '502 No'))],
		['503', (socket: Socket) => socket.end(json({}, '503 No'))],
		['504', (socket: Socket) => socket.end(json({}, '504 No'))],
		[
			'an answer that breaks off',
			(socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"c'),
		],
		[
			'data that was cut off',
			(socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"calls":'),
		],
	])('is repeated after %s', async (_what, break_) => {
		shortBackoffs();
		let requested = 0;
		await withServer(
			(socket) => void (requested++ === 0 ? break_(socket) : socket.end(json(page))),
			async (baseUrl, requests) => {
				const { result, error } = await probe.run({ baseUrl }, list);
				expect(error).toBeUndefined();
				expect(result?.rows).toEqual([{ id: 1 }]);
				expect(requests).toHaveLength(2);
			},
		);
	});

	it.each([401, 403, 404, 409, 501, 505])('is not repeated after %i', async (status) => {
		await withServer(
			(socket) => socket.end(json({ message: 'no' }, `${status} No`)),
			async (baseUrl, requests) => {
				const failure = failureOf(await probe.run({ baseUrl }, list));
				expect(failure.details).toMatchObject({ kind: 'status', status, serviceMessage: 'no' });
				expect(requests).toHaveLength(1);
			},
		);
	});

	it('is given up after a few attempts without a response', async () => {
		shortBackoffs();
		await withServer(
			(socket) => socket.end(json({}, '503 No')),
			async (baseUrl, requests) => {
				const failure = failureOf(await probe.run({ baseUrl }, list));
				expect(failure.details).toMatchObject({ status: 503, attempts: requests.length });
				expect(requests.length).toBe(6);
			},
		);
	});

	it('waits until the HTTP date in Retry-After', async () => {
		const times: number[] = [];
		await withServer(
			(socket) => {
				times.push(Date.now());
				const date = new Date(Date.now() + 2000).toUTCString();
				socket.end(
					times.length === 1 ? json({}, '503 No', `Retry-After: ${date}\r\n`) : json(page),
				);
			},
			async (baseUrl) => {
				const { result } = await probe.run({ baseUrl }, list);
				expect(result?.rows).toHaveLength(1);
				// The date has whole seconds, so two seconds from now is at least one second.
				expect(Number(times[1]) - Number(times[0])).toBeGreaterThanOrEqual(950);
			},
		);
	});

	it('fails immediately when the service asks for a longer wait than there is time for', async () => {
		await withServer(
			(socket) => socket.end(json({}, '429 No', 'Retry-After: 120\r\n')),
			async (baseUrl, requests) => {
				const probed = await probe.run({ baseUrl, retryBudgetMs: 60_000 }, list);
				expect(failureOf(probed).details.advice).toContain('wait 2 minutes');
				expect(probed.ms).toBeLessThan(60_000);
				expect(requests).toHaveLength(1);
			},
		);
	});

	it('ends immediately when the user presses Stop before the next attempt', async () => {
		const stop = new AbortController();
		await withServer(
			(socket) => {
				socket.end(json({}, '429 No', 'Retry-After: 120\r\n'));
				void pauseOf(120_000).then(() => stop.abort());
			},
			async (baseUrl, requests) => {
				const probed = await probe.run(
					{ baseUrl, signal: stop.signal, retryBudgetMs: 300_000 },
					list,
				);
				expect(failureOf(probed).details.kind).toBe('cancelled');
				expect(probed.ms).toBeLessThan(60_000);
				expect(requests).toHaveLength(1);
			},
		);
	});

	it('ends immediately when the user presses Stop while the service is silent', async () => {
		const stop = new AbortController();
		await withServer(
			() => stop.abort(),
			async (baseUrl) => {
				const probed = await probe.run({ baseUrl, signal: stop.signal }, list);
				expect(failureOf(probed).details.kind).toBe('cancelled');
				expect(probed.ms).toBeLessThan(60_000);
			},
		);
	});

	it('ends immediately when the user presses Stop in the middle of a response', async () => {
		const stop = new AbortController();
		await withServer(
			(socket) => {
				socket.write('HTTP/1.1 200 OK\r\nContent-Length: 31000000\r\n\r\n{"calls":');
				// More than the sockets hold: written only once the client has read a part.
				socket.write(' '.repeat(30_000_000), () => stop.abort());
			},
			async (baseUrl, requests) => {
				const options = { baseUrl, timeoutMs: 120_000, signal: stop.signal };
				const probed = await probe.run(options, list);
				expect(failureOf(probed).details.kind).toBe('cancelled');
				expect(probed.ms).toBeLessThan(60_000);
				expect(requests).toHaveLength(1);
			},
		);
	});

	it('ends in time when the service falls silent in the middle of a response', async () => {
		await withServer(
			(socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{"calls":'),
			async (baseUrl) => {
				const options = { baseUrl, timeoutMs: 100, retryBudgetMs: 100 };
				const probed = await probe.run(options, list);
				expect(failureOf(probed).details.kind).toBe('timeout');
				expect(probed.ms).toBeLessThan(60_000);
			},
		);
	});

	it('ends in time when the service is silent', async () => {
		await withServer(
			() => {},
			async (baseUrl, requests) => {
				shortBackoffs();
				const options = { baseUrl, timeoutMs: 100, retryBudgetMs: 10_000 };
				const probed = await probe.run(options, list);
				expect(failureOf(probed).details.kind).toBe('timeout');
				expect(failureOf(probed).message).toContain('within 1 second');
				expect(requests.length).toBeGreaterThan(1);
				expect(probed.ms).toBeLessThan(60_000);
			},
		);
	});
});
