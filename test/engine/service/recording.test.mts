import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { failureOf, startProbe, type Probe } from './probe.mts';

const token = 'recording-token-5f2c91';
const wave = Buffer.from('RIFF\u0000\u0000\u0000\u0000WAVE', 'latin1');

jest.setTimeout(60_000);

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());

interface Host {
	url: string;
	/** The Authorization header of each request. */
	tokens: Array<string | undefined>;
	paths: Array<string | undefined>;
}

const none: Host = { url: '', tokens: [], paths: [] };
const urlOf = (host: Host | undefined): string => host?.url ?? '';

/** Hosts on one machine: each has a port, so an origin, of its own. */
async function withHosts(
	answers: Array<(hosts: Host[]) => RequestListener>,
	use: (home: Host, other: Host) => Promise<void>,
): Promise<void> {
	const hosts: Host[] = [];
	const servers = await Promise.all(
		answers.map(async (answer, index) => {
			const host: Host = { url: '', tokens: [], paths: [] };
			hosts[index] = host;
			const server = createServer((request, response) => {
				host.tokens.push(request.headers.authorization);
				host.paths.push(request.url);
				answer(hosts)(request, response);
			});
			await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
			host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
			return server;
		}),
	);
	try {
		const [home = none, other = none] = hosts;
		await use(home, other);
	} finally {
		for (const server of servers) server.closeAllConnections();
		await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
	}
}

const sound =
	(headers: Record<string, string> = {}): (() => RequestListener) =>
	() =>
	(_request, response) => {
		response.writeHead(200, { 'Content-Type': 'audio/wav', ...headers }).end(wave);
	};

const sendOn =
	(to: (hosts: Host[]) => string, status = 302) =>
	(hosts: Host[]): RequestListener =>
	(_request, response) => {
		response.writeHead(status, { Location: to(hosts) }).end('moved');
	};

const download = async (baseUrl: string, link: string, maxBytes = 1000, more = {}) =>
	await probe.run({ baseUrl, token, ...more }, async (client) =>
		client.downloadRecording(link, maxBytes),
	);

describe('a recording', () => {
	it('comes from the sandbox with its name and type', async () => {
		const sandbox: Sandbox = await startSandbox({ calls: 5 });
		const { result, error } = await probe.run(
			{ baseUrl: sandbox.baseUrl, token: sandbox.tokens.north },
			async (client) => {
				const { call } = await client.findCall(
					{ startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' },
					({ recordingUrl }) => typeof recordingUrl === 'string' && recordingUrl !== '',
				);
				return await client.downloadRecording(String(call?.['recordingUrl']), 10_000_000);
			},
		);
		await sandbox.close();
		expect(error).toBeUndefined();
		expect(result?.contentType).toBe('audio/wav');
		expect(result?.fileName).toMatch(/^\d+\.wav$/);
		expect(result?.data.subarray(0, 4).toString()).toBe('RIFF');
	});

	it("is asked for with the token at the service's own origin", async () => {
		await withHosts([sound()], async (home) => {
			const { result } = await download(home.url, `${home.url}/recordings/77.wav?x=1`);
			expect(result).toEqual({ data: wave, contentType: 'audio/wav', fileName: '77.wav' });
			expect(home.tokens).toEqual([`Bearer ${token}`]);
			expect(home.paths).toEqual(['/recordings/77.wav?x=1']);
		});
	});

	it('is asked for at the service when its link names no host', async () => {
		await withHosts([sound()], async (home) => {
			const { result } = await download(home.url, '/recordings/78');
			expect(result?.fileName).toBe('78.wav');
			expect(home.tokens).toEqual([`Bearer ${token}`]);
		});
	});

	it('is asked for without the token at another host', async () => {
		await withHosts([sound(), sound()], async (home, store) => {
			const { result } = await download(home.url, `${store.url}/77.wav`);
			expect(result?.data).toEqual(wave);
			expect(store.tokens).toEqual([undefined]);
			expect(home.tokens).toEqual([]);
		});
	});

	it.each([301, 302, 303, 307, 308])(
		'is followed to another host at status %i, and the token is not',
		async (status) => {
			await withHosts(
				[sendOn((hosts) => `${urlOf(hosts[1])}/signed?key=s`, status), sound()],
				async (home, store) => {
					const { result } = await download(home.url, `${home.url}/77`);
					expect(result?.data).toEqual(wave);
					expect(home.tokens).toEqual([`Bearer ${token}`]);
					expect(store.tokens).toEqual([undefined]);
					expect(store.paths).toEqual(['/signed?key=s']);
				},
			);
		},
	);

	it('is followed within the service with the token', async () => {
		let asked = 0;
		await withHosts(
			[
				() => (_request, response) =>
					asked++ === 0
						? void response.writeHead(302, { Location: '/second.wav' }).end()
						: void response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(wave),
			],
			async (home) => {
				const { result } = await download(home.url, `${home.url}/first`);
				expect(result?.fileName).toBe('second.wav');
				expect(home.tokens).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
			},
		);
	});

	it('gets no token when another host sends back to the service', async () => {
		await withHosts(
			[sound(), sendOn((hosts) => `${urlOf(hosts[0])}/api/v1/calls`)],
			async (home, store) => {
				await download(home.url, `${store.url}/77`);
				expect(home.tokens).toEqual([undefined]);
				expect(store.tokens).toEqual([undefined]);
			},
		);
	});

	it('is given up after five redirects', async () => {
		await withHosts([sendOn((hosts) => `${urlOf(hosts[0])}/on`)], async (home) => {
			const failure = failureOf(await download(home.url, `${home.url}/77`));
			expect(failure.message).toBe("The recording's link was sent on more than 5 times");
			expect(home.paths).toHaveLength(6);
		});
	});

	it.each(['http://recordings.example.com/1.wav', 'file:///etc/passwd', 'ftp://x.example/1.wav'])(
		'is not asked for at %s, also not after a redirect',
		async (link) => {
			await withHosts([sendOn(() => link)], async (home) => {
				const direct = failureOf(await download(home.url, link));
				const redirected = failureOf(await download(home.url, `${home.url}/77`));
				for (const failure of [direct, redirected]) {
					expect(failure.message).toBe("The recording's link does not start with https://");
				}
			});
		},
	);

	it.each([
		['', 'The call has no link to a recording'],
		['https://me:pw@x.example/1.wav', "The recording's link contains a user name or password"],
	])('is not asked for at the link "%s"', async (link, message) => {
		expect(failureOf(await download('https://calls.example.com', link)).message).toBe(message);
	});

	it('is not read further than its size limit, announced or not', async () => {
		let sent = 0;
		const endless: RequestListener = (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav' });
			const more = () => {
				if (response.destroyed || sent > 50_000_000) return;
				sent += 65_536;
				response.write(Buffer.alloc(65_536), more);
			};
			more();
		};
		const announced: RequestListener = (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': '3000000' });
			response.write('x');
		};
		await withHosts([() => endless, () => announced], async (open, told) => {
			for (const host of [open, told]) {
				const failure = failureOf(await download(host.url, `${host.url}/1`, 2 * 1024 * 1024));
				expect(failure.message).toBe('The recording is larger than 2 MB');
			}
		});
		expect(sent).toBeLessThan(20_000_000);
	});

	it.each([
		['text/html', '<html>Sign in', "The recording's link gave a web page instead of a recording"],
		[
			'application/json',
			'{"message":"gone"}',
			"The recording's link gave a message instead of a recording",
		],
		['audio/wav', '', "The recording's link gave nothing instead of a recording"],
	])('is not %s %s', async (type, body, message) => {
		await withHosts(
			[
				() => (_request, response) =>
					void response.writeHead(200, { 'Content-Type': type }).end(body),
			],
			async (home) => {
				expect(failureOf(await download(home.url, `${home.url}/1`)).message).toBe(message);
			},
		);
	});

	it('fails with the words of the service', async () => {
		await withHosts(
			[
				() => (_request, response) =>
					void response
						.writeHead(404, { 'Content-Type': 'application/json' })
						.end(`{"message":"No recording, ${token}"}`),
			],
			async (home) => {
				const failure = failureOf(await download(home.url, `${home.url}/1`));
				expect(failure.details).toMatchObject({
					status: 404,
					serviceMessage: 'No recording, [hidden]',
				});
			},
		);
	});

	it('is asked for again when the connection breaks off', async () => {
		let asked = 0;
		await withHosts(
			[
				() => (_request, response) => {
					response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': wave.length });
					if (asked++ > 0) response.end(wave);
					else response.write(wave.subarray(0, 4), () => response.destroy());
				},
			],
			async (home) => {
				const { result } = await download(home.url, `${home.url}/1`);
				expect(result?.data).toEqual(wave);
				expect(asked).toBe(2);
			},
		);
	});

	it('is bounded in time when the host falls silent in the middle', async () => {
		await withHosts(
			[
				() => (_request, response) => {
					response.writeHead(200, { 'Content-Type': 'audio/wav' }).write('RIFF');
				},
			],
			async (home) => {
				const options = { timeoutMs: 300, retryBudgetMs: 500 };
				const probed = await download(home.url, `${home.url}/1`, 1000, options);
				expect(failureOf(probed).details.kind).toBe('timeout');
				expect(probed.ms).toBeLessThan(20_000);
			},
		);
	});

	it('ends at once when the user presses Stop', async () => {
		const stop = new AbortController();
		await withHosts(
			[
				() => (_request, response) => {
					response.writeHead(200, { 'Content-Type': 'audio/wav' }).write('RIFF');
					setTimeout(() => stop.abort(), 100);
				},
			],
			async (home) => {
				const probed = await download(home.url, `${home.url}/1`, 1000, { signal: stop.signal });
				expect(failureOf(probed).details.kind).toBe('cancelled');
				expect(probed.ms).toBeLessThan(20_000);
			},
		);
	});

	it.each([
		['attachment; filename="call 77.mp3"', '/x', 'call 77.mp3'],
		['attachment; filename*=UTF-8\'\'Anruf%20%C3%BC.wav; filename="a.wav"', '/x', 'Anruf ü.wav'],
		['attachment; filename="../../etc/passwd"', '/x', 'passwd.wav'],
		['attachment; filename="..\\\\..\\\\boot.ini"', '/x', 'boot.ini'],
		['attachment; filename=".."', '/x', 'x.wav'],
		['', '/a/%E2%82%AC.ogg', '€.ogg'],
		['', '/', 'recording.wav'],
		['', '/a%2Fb%00c', 'bc.wav'],
	])('sent as %j from %s is named %s', async (disposition, path, name) => {
		await withHosts([sound({ 'Content-Disposition': disposition })], async (home) => {
			const { result } = await download(home.url, `${home.url}${path}`);
			expect(result?.fileName).toBe(name);
		});
	});
});
