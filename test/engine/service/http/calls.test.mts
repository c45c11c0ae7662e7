import type { Socket } from 'node:net';
import { shortBackoffs } from '../../../support/pauses.mts';
import { freePort } from '../../../../playground/process/ports.mts';
import { dial } from '../../support/service/check-call.mts';
import { failureOf, startProbe, type Probe } from '../../support/service/probe.mts';
import { json, withServer } from '../../support/service/raw-server.mts';

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => probe.close());

describe('a call that cannot have reached the service', () => {
	it('is certainly not placed when the connection is refused, and is tried again', async () => {
		shortBackoffs();
		const baseUrl = `http://127.0.0.1:${await freePort()}`;
		const failure = failureOf(await probe.run({ baseUrl, retryBudgetMs: 6000 }, dial));
		expect(failure.details).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
		expect(failure.nothingHappened).toBe(true);
		expect(failure.details.attempts).toBeGreaterThan(1);
	});

	it('is certainly not placed when every IP address of the host refuses', async () => {
		const baseUrl = `http://localhost:${await freePort()}`;
		const failure = failureOf(await probe.run({ baseUrl, retryBudgetMs: 0 }, dial));
		expect(failure.details).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
	});

	it('is certainly not placed when the host name cannot be resolved', async () => {
		const baseUrl = 'https://no-such-host.invalid';
		const failure = failureOf(await probe.run({ baseUrl, retryBudgetMs: 0 }, dial));
		expect(failure.details.kind).toBe('unreachable');
		expect(failure.nothingHappened).toBe(true);
		expect(failure.message).toBe('The service at no-such-host.invalid could not be reached');
	});

	it('is certainly not placed when https reaches an http port', async () => {
		await withServer(
			(socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
			async (baseUrl) => {
				const failure = failureOf(
					await probe.run({ baseUrl: baseUrl.replace('http:', 'https:'), timeoutMs: 2000 }, dial),
				);
				expect(failure.message).toMatch(
					/^No secure connection to 127\.0\.0\.1:\d+ could be set up$/,
				);
				expect(failure.details.kind).toBe('tls');
				expect(failure.nothingHappened).toBe(true);
			},
		);
	});
});

describe('a call whose response is lost', () => {
	it.each([
		['is reset without an answer', (socket: Socket) => socket.resetAndDestroy(), 'interrupted'],
		['is closed without an answer', (socket: Socket) => socket.destroy(), 'interrupted'],
		[
			'breaks off in the headers',
			(socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Ty'),
			'interrupted',
		],
		[
			'breaks off in the body',
			(socket: Socket) =>
				socket.end(
					'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{"success":',
				),
			'interrupted',
		],
		['never comes', () => {}, 'timeout'],
		['is no HTTP', (socket: Socket) => socket.end('hello\r\n\r\n'), 'interrupted'],
	])('may have been placed when it %s, and is not sent again', async (_how, answer, kind) => {
		await withServer(answer, async (baseUrl, requests) => {
			const timeoutMs = kind === 'timeout' ? 300 : 20_000;
			const failure = failureOf(await probe.run({ baseUrl, timeoutMs }, dial));
			expect(failure.details.kind).toBe(kind);
			expect(failure.nothingHappened).toBe(false);
			expect(requests).toHaveLength(1);
		});
	});

	it('may have been placed when the user presses Stop after it was sent', async () => {
		const stop = new AbortController();
		await withServer(
			() => stop.abort(),
			async (baseUrl, requests) => {
				const failure = failureOf(await probe.run({ baseUrl, signal: stop.signal }, dial));
				expect(failure.details.kind).toBe('cancelled');
				expect(failure.nothingHappened).toBe(false);
				expect(requests).toHaveLength(1);
			},
		);
	});

	it.each([500, 502, 503, 504, 408])(
		'may have been placed at status %i, and is not sent again',
		async (status) => {
			await withServer(
				(socket) => socket.end(json({ message: 'no' }, `${status} No`, 'Retry-After: 0\r\n')),
				async (baseUrl, requests) => {
					const failure = failureOf(await probe.run({ baseUrl }, dial));
					expect(failure.nothingHappened).toBe(false);
					expect(requests).toHaveLength(1);
				},
			);
		},
	);
});

describe('a call that the service rejects', () => {
	it.each([400, 401, 403, 404, 409, 422])(
		'is certainly not placed at status %i, and sent once',
		async (status) => {
			await withServer(
				(socket) => socket.end(json({ message: 'no' }, `${status} No`)),
				async (baseUrl, requests) => {
					const failure = failureOf(await probe.run({ baseUrl }, dial));
					expect(failure.nothingHappened).toBe(true);
					expect(requests).toHaveLength(1);
				},
			);
		},
	);

	it('is sent again after 429, when the wait that the service asked for is over', async () => {
		let answered = 0;
		const times: number[] = [];
		await withServer(
			(socket) => {
				times.push(performance.now());
				socket.end(
					answered++ === 0
						? json({}, '429 Too Many', 'Retry-After: 1\r\n')
						: json({ success: true, call: { id: 1 } }),
				);
			},
			async (baseUrl, requests) => {
				const { result } = await probe.run({ baseUrl }, dial);
				expect(result).toEqual({ success: true, call: { id: 1 } });
				expect(requests).toHaveLength(2);
				expect(requests[0]).toBe(requests[1]);
				expect(Number(times[1]) - Number(times[0])).toBeGreaterThanOrEqual(990);
			},
		);
	});

	it('is not sent again after 429 with a date that no one can wait for, and the error does not name it', async () => {
		const later = 'Retry-After: Tue, 31 Dec 2999 23:59:59 GMT\r\n';
		await withServer(
			(socket) => socket.end(json({}, '429 Too Many', later)),
			async (baseUrl, requests) => {
				const { run } = await probe.run({ baseUrl, fails: 'stop' }, dial);
				expect(run.error?.description).toMatch(/^Try again later\. /);
				expect(requests).toHaveLength(1);
			},
		);
	});

	it('is not sent again when the service redirects it', async () => {
		await withServer(
			(socket) =>
				socket.end(json({}, '302 Found', 'Location: https://elsewhere.example/login?next=x\r\n')),
			async (baseUrl, requests) => {
				const failure = failureOf(await probe.run({ baseUrl }, dial));
				expect(failure.message).toContain('https://elsewhere.example/login');
				expect(failure.message).not.toContain('next=x');
				expect(failure.details.advice).toContain('base URL');
				expect(failure.nothingHappened).toBe(false);
				expect(requests).toHaveLength(1);
			},
		);
	});
});
