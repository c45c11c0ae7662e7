import type { RequestListener } from 'node:http';
import { startSandbox, type Sandbox } from '../../../../sandbox/index.mts';
import { failureOf } from '../../support/service/probe.mts';
import {
	openDownloads,
	inMemory,
	sound,
	token,
	wavFile,
	withHosts,
} from '../../support/service/recording-hosts.mts';

const { download, probe } = openDownloads();

describe('a recording that is downloaded', () => {
	it('comes from the sandbox with its name and type', async () => {
		const sandbox: Sandbox = await startSandbox({ calls: 5 });
		const { result, error } = await probe().run(
			{ baseUrl: sandbox.baseUrl, token: sandbox.tokens.north },
			async (client) => {
				let link = '';
				await client.walkCalls(
					{ startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' },
					({ recordingUrl }) => (link = String(recordingUrl ?? '')) !== '',
				);
				return await client.downloadRecording(link, 10_000_000, inMemory);
			},
		);
		await sandbox.close();
		expect(error).toBeUndefined();
		expect(result?.contentType).toBe('audio/wav');
		expect(result?.fileName).toMatch(/^\d+\.wav$/);
		expect(result?.data.subarray(0, 4).toString()).toBe('RIFF');
	});

	it('is not read past its size limit, announced or not', async () => {
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
		[
			'text/html',
			'<html>Sign in',
			"The recording's link returned a web page instead of a recording",
		],
		[
			'application/json',
			'{"message":"gone"}',
			"The recording's link returned a file of the type application/json instead of a recording",
		],
		['audio/wav', '', "The recording's link returned nothing instead of a recording"],
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

	it("fails with the service's words", async () => {
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

	it('is requested again when the connection breaks', async () => {
		let asked = 0;
		await withHosts(
			[
				() => (_request, response) => {
					response.writeHead(200, {
						'Content-Type': 'audio/wav',
						'Content-Length': wavFile.length,
					});
					if (asked++ > 0) response.end(wavFile);
					else response.write(wavFile.subarray(0, 4), () => response.destroy());
				},
			],
			async (home) => {
				const { result } = await download(home.url, `${home.url}/1`);
				expect(result?.data).toEqual(wavFile);
				expect(asked).toBe(2);
			},
		);
	});

	it('ends in time when the host falls silent in the middle', async () => {
		await withHosts(
			[
				() => (_request, response) => {
					response.writeHead(200, { 'Content-Type': 'audio/wav' }).write('RIFF');
				},
			],
			async (home) => {
				const options = { timeoutMs: 100, retryBudgetMs: 100 };
				const probed = await download(home.url, `${home.url}/1`, 1000, options);
				expect(failureOf(probed).details.kind).toBe('timeout');
				expect(probed.ms).toBeLessThan(60_000);
			},
		);
	});

	it('that trickles in is an error that names the time that was waited, ten times the timeout', async () => {
		const trickle = setInterval.bind(undefined);
		await withHosts(
			[
				() => (_request, response) => {
					response.writeHead(200, { 'Content-Type': 'audio/wav' });
					const timer = trickle(() => void response.write('RIFF'), 50);
					response.on('close', () => clearInterval(timer));
				},
			],
			async (home) => {
				const options = { timeoutMs: 200, retryBudgetMs: 0 };
				const probed = await download(home.url, `${home.url}/1`, 1_000_000, options);
				expect(failureOf(probed).message).toMatch(/ did not respond within 2 seconds$/);
			},
		);
	});

	it('that never begins is an error that names the time that was waited, the timeout itself', async () => {
		await withHosts([() => () => {}], async (home) => {
			const options = { timeoutMs: 1000, retryBudgetMs: 0 };
			const probed = await download(home.url, `${home.url}/1`, 1_000_000, options);
			expect(failureOf(probed).message).toMatch(/ within 1 second$/);
		});
	});

	it('ends immediately when the user presses Stop', async () => {
		const stop = new AbortController();
		await withHosts(
			[
				() => (_request, response) => {
					response.writeHead(200, { 'Content-Type': 'audio/wav' }).write('RIFF');
					// More than the sockets hold: written only once the client has read a part.
					response.write(Buffer.alloc(50_000_000), () => stop.abort());
				},
			],
			async (home) => {
				const options = { signal: stop.signal };
				const probed = await download(home.url, `${home.url}/1`, 100_000_000, options);
				expect(failureOf(probed).details.kind).toBe('cancelled');
				expect(probed.ms).toBeLessThan(60_000);
			},
		);
	});

	it.each([
		['/recordings/48213', '48213.wav'],
		['/recordings/48213.mp3?key=1', '48213.wav'],
		['/download.php', 'download.wav'],
		['/a/RE_7-9.ogg', 'RE_7-9.wav'],
		['/', 'recording.wav'],
		['/48213.2026.3', 'recording.wav'],
		['/%E2%82%AC.ogg', 'recording.wav'],
		['/a%2F..%2Fb%00c', 'recording.wav'],
		['/a%3Ab%7Cc%3F.ogg', 'recording.wav'],
		['/call%E2%80%AE3pm.exe', 'recording.wav'],
	])('from %s is named %s', async (path, name) => {
		const disposition = { 'Content-Disposition': 'attachment; filename="invoice.exe"' };
		await withHosts([sound(disposition)], async (home) => {
			const { result } = await download(home.url, `${home.url}${path}`);
			expect(result?.fileName).toBe(name);
		});
	});
});
