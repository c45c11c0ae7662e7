import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import type { ListQuery } from '../../../nodes/shared/service/contract/listQuery.ts';
import type { ServiceClient } from '../../../nodes/shared/service/client.ts';
import { failureOf, startProbe, type Probe } from './probe.mts';

const query: ListQuery = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' };
const paging = { pageSize: 10, pagesInParallel: 1, onPageFailure: 'error' as const };
const checkCall = { toPhone: '+13125550188', loadNumber: '48213', nextStopIndex: 1 };

const list = async (client: ServiceClient) => await client.listCalls(query, paging);
const dial = async (client: ServiceClient) => await client.triggerCheckCall(checkCall);

jest.setTimeout(60_000);

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());

/** A server of bytes: `onRequest` gets the socket and what came so far. */
async function withServer(
	onRequest: (socket: Socket, request: string) => void,
	use: (baseUrl: string, requests: string[]) => Promise<void>,
): Promise<void> {
	const requests: string[] = [];
	const sockets = new Set<Socket>();
	const server = createTcpServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		let text = '';
		socket.on('data', (bytes) => {
			text += bytes.toString('latin1');
			// A TLS client says hello with byte 22.
			if (bytes[0] !== 22 && !isWhole(Buffer.from(text, 'latin1').toString())) return;
			const request = Buffer.from(text, 'latin1').toString();
			text = '';
			requests.push(request);
			onRequest(socket, request);
		});
	});
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	try {
		await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests);
	} finally {
		for (const socket of sockets) socket.destroy();
		await new Promise((closed) => server.close(closed));
	}
}

function isWhole(request: string): boolean {
	const [head = '', ...body] = request.split('\r\n\r\n');
	if (!request.includes('\r\n\r\n')) return false;
	const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
	return Buffer.byteLength(body.join('\r\n\r\n')) >= length;
}

const json = (value: unknown, status = '200 OK', headers = '') => {
	const body = JSON.stringify(value);
	return `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
};

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
	const server = createTcpServer();
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	const { port } = server.address() as AddressInfo;
	await new Promise((closed) => server.close(closed));
	return port;
}

describe('a call that cannot have reached the service', () => {
	it('is certain not to be placed when the connection is refused, and is tried again', async () => {
		const baseUrl = `http://127.0.0.1:${await closedPort()}`;
		const failure = failureOf(await probe.run({ baseUrl, retryBudgetMs: 2000 }, dial));
		expect(failure.details).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
		expect(failure.nothingHappened).toBe(true);
		expect(failure.details.attempts).toBeGreaterThan(1);
	});

	it('is certain not to be placed when every address of the host refuses', async () => {
		const baseUrl = `http://localhost:${await closedPort()}`;
		const failure = failureOf(await probe.run({ baseUrl, retryBudgetMs: 0 }, dial));
		expect(failure.details).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
	});

	it('is certain not to be placed when the name of the host is not known', async () => {
		const baseUrl = 'https://no-such-host.invalid';
		const failure = failureOf(await probe.run({ baseUrl, retryBudgetMs: 0 }, dial));
		expect(failure.details.kind).toBe('unreachable');
		expect(failure.nothingHappened).toBe(true);
		expect(failure.message).toBe('The service at no-such-host.invalid could not be reached');
	});

	it('is certain not to be placed when https is spoken to a plain port', async () => {
		await withServer(
			(socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
			async (baseUrl) => {
				const failure = failureOf(
					await probe.run({ baseUrl: baseUrl.replace('http:', 'https:'), timeoutMs: 2000 }, dial),
				);
				expect(failure.message).toMatch(/^127\.0\.0\.1:\d+ does not speak https$/);
				expect(failure.details.kind).toBe('tls');
				expect(failure.nothingHappened).toBe(true);
			},
		);
	});
});

describe('a call whose answer is lost', () => {
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

describe('a call that the service refuses', () => {
	it.each([400, 401, 403, 404, 409, 422])(
		'is certain not to be placed at status %i, and sent once',
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

	it('is sent again after 429 when the time is up that the service asks to wait', async () => {
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

	it('is not sent again when the service sends it on to another address', async () => {
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

describe('what is sent', () => {
	it('is exactly the body, with the token and the right headers', async () => {
		await withServer(
			(socket) => socket.end(json({ success: true, call: null })),
			async (baseUrl, requests) => {
				const metadata = JSON.parse('{"__proto__":"x","constructor":1,"a b":"ü"}');
				await probe.run(
					{ baseUrl: `${baseUrl}/tms/api/v1/`, token: 'secret-token' },
					async (client) =>
						client.triggerCheckCall({ ...checkCall, driverName: undefined, metadata }),
				);
				const [head = '', body = ''] = (requests[0] ?? '').split('\r\n\r\n');
				expect(head).toMatch(/^POST \/tms\/api\/v1\/track-and-trace\/trigger-check-call HTTP/);
				expect(head).toMatch(/\r\nauthorization: Bearer secret-token(\r\n|$)/i);
				expect(head).toMatch(/\r\ncontent-type: application\/json(\r\n|$)/i);
				expect(body).toBe(
					'{"toPhone":"+13125550188","loadNumber":"48213","nextStopIndex":1,"metadata":{"__proto__":"x","constructor":1,"a b":"ü"}}',
				);
			},
		);
	});

	it.each([
		['a/b', 'a%2Fb'],
		['../calls', '..%2Fcalls'],
		['100%', '100%25'],
		['%2e%2e', '%252e%252e'],
		['...', '...'],
		['agent 7?x=1#y', 'agent%207%3Fx%3D1%23y'],
		['näh 電', 'n%C3%A4h%20%E9%9B%BB'],
		['a\\b', 'a%5Cb'],
		['a;b=c', 'a%3Bb%3Dc'],
	])('reaches the agent "%s" as one part of the path', async (agentId, part) => {
		await withServer(
			(socket) => socket.end(json({ status: 'success', call: {} })),
			async (baseUrl, requests) => {
				await probe.run({ baseUrl }, async (client) =>
					client.createAgentCall(agentId, { toPhone: '+13125550188' }),
				);
				expect(requests[0]).toMatch(/^POST /);
				expect(requests[0]?.split(' ')[1]).toBe(
					`/api/v1/custom-use-cases/${part}/create-phone-call`,
				);
			},
		);
	});

	it.each(['.', '..', '', '\ud800'])(
		'is nothing for an agent ID that has no place in a path (%j)',
		async (agentId) => {
			await withServer(
				(socket) => socket.end(json({})),
				async (baseUrl, requests) => {
					const failure = failureOf(
						await probe.run({ baseUrl }, async (client) =>
							client.createAgentCall(agentId, { toPhone: '+13125550188' }),
						),
					);
					expect(failure.details.kind).toBe('configuration');
					expect(failure.nothingHappened).toBe(true);
					expect(requests).toEqual([]);
				},
			);
		},
	);
});

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

	it.each([400, 401, 403, 404, 409, 422, 500, 501])('is not repeated after %i', async (status) => {
		await withServer(
			(socket) => socket.end(json({ message: 'no' }, `${status} No`)),
			async (baseUrl, requests) => {
				const failure = failureOf(await probe.run({ baseUrl }, list));
				expect(failure.details).toMatchObject({ kind: 'status', status, serviceMessage: 'no' });
				expect(requests).toHaveLength(1);
			},
		);
	});

	it('is given up after a few times without a word from the service', async () => {
		await withServer(
			(socket) => socket.end(json({}, '503 No')),
			async (baseUrl, requests) => {
				const failure = failureOf(await probe.run({ baseUrl }, list));
				expect(failure.details).toMatchObject({ status: 503, attempts: requests.length });
				expect(requests.length).toBe(5);
			},
		);
	}, 20_000);

	it('waits as long as an HTTP date in Retry-After says', async () => {
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
				// The date has whole seconds: two seconds from now are at least one.
				expect(Number(times[1]) - Number(times[0])).toBeGreaterThanOrEqual(950);
			},
		);
	});

	it('fails at once when the service asks to wait for longer than there is time', async () => {
		await withServer(
			(socket) => socket.end(json({}, '429 No', 'Retry-After: 120\r\n')),
			async (baseUrl, requests) => {
				const probed = await probe.run({ baseUrl }, list);
				expect(failureOf(probed).details.advice).toContain('wait 120 seconds');
				expect(probed.ms).toBeLessThan(20_000);
				expect(requests).toHaveLength(1);
			},
		);
	});

	it('ends at once when the user presses Stop while it waits to be repeated', async () => {
		const stop = new AbortController();
		await withServer(
			(socket) => {
				socket.end(json({}, '429 No', 'Retry-After: 30\r\n'));
				setTimeout(() => stop.abort(), 200);
			},
			async (baseUrl, requests) => {
				const probed = await probe.run({ baseUrl, signal: stop.signal }, list);
				expect(failureOf(probed).details.kind).toBe('cancelled');
				expect(probed.ms).toBeLessThan(20_000);
				expect(requests).toHaveLength(1);
			},
		);
	});

	it('ends at once when the user presses Stop while the service is silent', async () => {
		const stop = new AbortController();
		await withServer(
			() => stop.abort(),
			async (baseUrl) => {
				const probed = await probe.run({ baseUrl, signal: stop.signal }, list);
				expect(failureOf(probed).details.kind).toBe('cancelled');
				expect(probed.ms).toBeLessThan(20_000);
			},
		);
	});

	it('is bounded in time when the service falls silent in the middle of an answer', async () => {
		await withServer(
			(socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{"calls":'),
			async (baseUrl) => {
				const options = { baseUrl, timeoutMs: 300, retryBudgetMs: 500 };
				const probed = await probe.run(options, list);
				expect(failureOf(probed).details.kind).toBe('timeout');
				expect(probed.ms).toBeLessThan(20_000);
			},
		);
	});

	it('is bounded in time when the service is silent', async () => {
		await withServer(
			() => {},
			async (baseUrl, requests) => {
				const options = { baseUrl, timeoutMs: 300, retryBudgetMs: 1000 };
				const probed = await probe.run(options, list);
				expect(failureOf(probed).details.kind).toBe('timeout');
				expect(failureOf(probed).message).toContain('within 0.3 seconds');
				expect(requests.length).toBeGreaterThan(1);
				expect(probed.ms).toBeLessThan(20_000);
			},
		);
	});
});
