import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { startEngine, type Engine } from '../support/harness/index.mts';

let engine: Engine;
let sandbox: Sandbox;

beforeAll(async () => {
	engine = await startEngine();
	sandbox = await startSandbox({ calls: 10 });
});

afterAll(async () => {
	engine.close();
	await sandbox.close();
});

beforeEach(() => {
	sandbox.faults.clear();
	sandbox.ledger.clear();
});

const test = async (baseUrl: string, accessToken = sandbox.tokens.north) =>
	await engine.testCredential('carrierLoadCommunicationsApi', {
		baseUrl,
		accessToken,
		ignoreSslIssues: false,
	});

/** A server that is not the service. */
async function withServer(answer: RequestListener, use: (baseUrl: string) => Promise<void>) {
	const server = createServer(answer);
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	try {
		await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	} finally {
		server.closeAllConnections();
		await new Promise((closed) => server.close(closed));
	}
}

const working = { status: 'OK', message: 'Connection successful' };

describe('the test of the API credential', () => {
	it.each(['', '/', '///', '/api/v1', '/api/v1/', '//api/v1//', '/API/V1'])(
		'works with "%s" at the end of the base URL',
		async (ending) => {
			expect(await test(`${sandbox.baseUrl}${ending}`)).toEqual(working);
			expect(sandbox.ledger.requests().map(({ path }) => path)).toEqual(['/api/v1/analytics']);
		},
	);

	it('works with spaces around the base URL', async () => {
		expect(await test(`  ${sandbox.baseUrl} \n`)).toEqual(working);
	});

	it.each([' TOKEN', 'TOKEN\n', 'Bearer TOKEN', 'bearer  TOKEN ', '\tTOKEN\r\n'])(
		'works with a token pasted as %j',
		async (pasted) => {
			const token = pasted.replace('TOKEN', sandbox.tokens.north);
			expect(await test(sandbox.baseUrl, token)).toEqual(working);
		},
	);

	it('keeps a path prefix', async () => {
		const paths: Array<string | undefined> = [];
		await withServer(
			(request, response) => {
				paths.push(request.url?.split('?')[0]);
				response.setHeader('Content-Type', 'application/json').end('{"data":[]}');
			},
			async (baseUrl) => expect(await test(`${baseUrl}/tms/voice/api/v1/`)).toEqual(working),
		);
		expect(paths).toEqual(['/tms/voice/api/v1/analytics']);
	});

	it('recognizes a wrong token', async () => {
		expect(await test(sandbox.baseUrl, 'wrong')).toEqual({
			status: 'Error',
			message: expect.stringMatching(
				/^The base URL is right, but the service does not accept this access token\. Paste it again/,
			),
		});
	});

	it('recognizes a path without the service', async () => {
		const result = await test(`${sandbox.baseUrl}/elsewhere`);
		expect(result.message).toContain(
			`Wrong base URL: the service was not found at ${sandbox.baseUrl}/elsewhere.`,
		);
	});

	it.each([
		['a web page', 'text/html', '<!doctype html><title>Sign in</title>'],
		['nothing', 'application/json', ''],
		['other JSON', 'application/json', '{"ok":true}'],
		['text', 'text/plain', 'hello'],
	])('recognizes a URL that returns %s', async (_what, type, body) => {
		await withServer(
			(_request, response) => response.setHeader('Content-Type', type).end(body),
			async (baseUrl) => {
				expect(await test(baseUrl)).toEqual({
					status: 'Error',
					message: expect.stringContaining(
						`Wrong base URL: something other than the service responds at ${new URL(baseUrl).host} (`,
					),
				});
			},
		);
	});

	it('recognizes a redirect, and sends no token to its target', async () => {
		const reached: unknown[] = [];
		await withServer(
			(request, response) => {
				reached.push(request.headers.authorization);
				response.end('{"data":[]}');
			},
			async (elsewhere) =>
				await withServer(
					(_request, response) => response.writeHead(302, { Location: elsewhere }).end(),
					async (baseUrl) => {
						const result = await test(baseUrl);
						expect(result.status).toBe('Error');
						expect(result.message).toContain(
							`redirected the request to ${elsewhere}/, where the token`,
						);
					},
				),
		);
		expect(reached).toEqual([]);
	});

	it('says what to check when nothing responds at the base URL', async () => {
		let closed = '';
		await withServer(
			() => {},
			async (baseUrl) => {
				closed = baseUrl;
			},
		);
		expect((await test(closed)).message).toMatch(
			/^The service at 127\.0\.0\.1:\d+ could not be reached\. Check the base URL/,
		);
	});

	it('says what to check when the host name is mistyped', async () => {
		const { status, message } = await test('https://calls.example.invalid');
		expect(status).toBe('Error');
		expect(message).toMatch(/^The service at calls\.example\.invalid could not be reached\./);
	});

	it.each([
		[
			'http://calls.example.com',
			'The base URL http://calls.example.com does not start with https://',
		],
		['the service', 'The base URL is not a URL'],
		[
			'ftp://calls.example.com',
			'The base URL ftp://calls.example.com does not start with https://',
		],
		['', 'The base URL is empty'],
		['https://me:secret@calls.example.com', 'The base URL contains a user name or password'],
	])('rejects the base URL "%s" before anything is sent', async (baseUrl, message) => {
		const result = await test(baseUrl);
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(
			new RegExp(`^${message.replaceAll('.', '\\.')}\\. In the credential,`),
		);
		expect(result.message).not.toContain('secret');
	});

	it.each([
		['calls.example.com', 'https://calls.example.com'],
		['calls.example.com/api/v1', 'https://calls.example.com'],
		['calls.example.com:8443', 'https://calls.example.com:8443'],
		['localhost:5690', 'http://localhost:5690'],
	])('says what to enter instead of "%s"', async (baseUrl, right) => {
		expect(await test(baseUrl)).toEqual({
			status: 'Error',
			message: `The base URL "${right.replace(/^https?:\/\//, '')}" does not start with https://. In the credential, enter ${right}`,
		});
	});

	it.each([
		'clc_live_8f3A9c2b71d0',
		'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.dBjftJeZ4CVP0mB92K27uhbUJU1p1r9wW1gFWFOEjXk',
		'calls.example.com/?token=clc_live_8f3A9c2b71d0',
		'Bearer clc_live_8f3A9c2b71d0',
	])('does not show a token that was pasted into Base URL: %s', async (pasted) => {
		const { status, message } = await test(pasted);
		expect(status).toBe('Error');
		expect(message.toLowerCase()).not.toMatch(/8f3a9c2b71d0|eyjhbgcioi/);
	});

	it.each([
		['', 'The access token in the credential is empty'],
		['   ', 'The access token in the credential is empty'],
		['Bearer ', 'The access token in the credential is empty'],
		['to ken', 'The access token in the credential contains spaces or special characters'],
		['"token"', 'The access token in the credential starts with "'],
		['<ACCESS_TOKEN>', 'The access token in the credential starts with <'],
		['tök', 'The access token in the credential contains spaces or special characters'],
		['a\r\nX-Evil: 1', 'The access token in the credential contains spaces or special characters'],
	])('rejects the token %j before anything is sent', async (token, message) => {
		const result = await test(sandbox.baseUrl, token);
		expect(result.status).toBe('Error');
		expect(result.message.startsWith(`${message}. In the credential,`)).toBe(true);
		expect(sandbox.ledger.requests()).toEqual([]);
	});

	it('says so when the service returns a server error', async () => {
		sandbox.faults.add({ endpoint: 'getAnalytics', fault: { kind: 'status', status: 503 } });
		expect(await test(sandbox.baseUrl)).toEqual({
			status: 'Error',
			message: `The service at ${new URL(sandbox.baseUrl).host} returned a server error (status 503). Try again later. The service said: "The sandbox was asked to answer 503"`,
		});
	});
});
