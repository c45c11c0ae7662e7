import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { selfSigned } from '../../support/self-signed.mts';
import { startEngine, type Engine } from '../support/harness/index.mts';
import { withServer } from '../support/service/answering-server.mts';

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

const working = { status: 'OK', message: 'Connection successful' };

describe('the test of the API credential', () => {
	it.each(['', '/', '///', '/api/v1', '/api/v1/', '//api/v1//', '/API/V1'])(
		'works with "%s" at the end of the base URL',
		async (ending) => {
			expect(await test(`${sandbox.baseUrl}${ending}`)).toEqual(working);
			expect(sandbox.ledger.requests().map(({ path }) => path)).toEqual(['/api/v1/analytics']);
		},
	);

	it('sends the token past the proxy of HTTP_PROXY to a service on the same machine', async () => {
		const proxied: unknown[] = [];
		await withServer(
			({ url }, response) => {
				proxied.push(url);
				response.writeHead(502).end();
			},
			async (proxy) => {
				const env = {
					...process.env,
					HTTP_PROXY: proxy,
					http_proxy: proxy,
					NO_PROXY: '',
					no_proxy: '',
				};
				const replaced = jest.replaceProperty(process, 'env', env);
				expect(await test(sandbox.baseUrl)).toEqual(working);
				replaced.restore();
			},
		);
		expect(proxied).toEqual([]);
	});

	it('names the port if it does not use https', async () => {
		const { message } = await test(sandbox.baseUrl.replace('http:', 'https:'));
		expect(message).toMatch(/Check the base URL in the credential, especially the port/);
	});

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
				paths.push(request.url?.replace(/^http:\/\/[^/]+|\?.*/g, ''));
				response.setHeader('Content-Type', 'application/json').end('{"data":[]}');
			},
			async (baseUrl) => expect(await test(`${baseUrl}/tms/voice/api/v1/`)).toEqual(working),
		);
		expect(paths).toEqual(['/tms/voice/api/v1/analytics']);
	});

	it.each([
		['a sign-in page', 200, '<!doctype html>', 'responded with a web page instead of data'],
		['an empty response', 200, '', 'responded with nothing'],
		['other JSON', 200, '{"ok":true}', 'responded without the requested list "data"'],
		['text', 200, 'hello', 'responded with broken or incomplete data'],
		['an error with status 200', 200, '{"data":null,"error":"Expired"}', 'said: "Expired"'],
		['an error beside data', 200, '{"data":[1],"status":"error","message":"No"}', 'said: "No"'],
		['words beside an empty list', 200, '{"data":[],"message":"Access denied"}', '"Access denied"'],
		['its token', 401, '{"message":"Unknown token TOKEN"}', '"Unknown token [hidden]"'],
		['a status 401', 401, '', 'rejected the access token (status 401). Check the access token'],
		['a status 403', 403, '{"message":"No plan"}', 'not allow this request (status 403). Ask'],
		['a page for 404', 404, '<html>', 'not found at the base URL (status 404). Check the base URL'],
		['a status 407', 407, '', 'asks n8n to sign in (status 407). Ask your n8n administrator'],
		['a status 429', 429, '{}', 'received too many requests (status 429). Try again later'],
		['a status 503', 503, '{"message":"Busy"}', 'The service said: "Busy"'],
	])('says, as every read does, that the server sent %s', async (_what, status, body, words) => {
		await withServer(
			(_request, response) =>
				response.writeHead(status).end(body.replace('TOKEN', sandbox.tokens.north)),
			async (baseUrl) => {
				expect(await test(baseUrl)).toEqual({
					status: 'Error',
					message: expect.stringContaining(words),
				});
			},
		);
	});

	it.each([
		{ data: [] },
		{ data: [{ error: 'none' }], error: 'none' },
		{ data: [], error: 'false' },
	])('works with the response %j', async (answer) => {
		await withServer(
			(_request, response) => response.end(JSON.stringify(answer)),
			async (baseUrl) => expect(await test(baseUrl)).toEqual(working),
		);
	});

	it('reads no more than 1 MB of a compressed response', async () => {
		const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
		await withServer(
			(_request, response) => response.setHeader('Content-Encoding', 'gzip').end(bomb),
			async (baseUrl) => {
				expect((await test(baseUrl)).message).toContain('responded with nothing');
			},
		);
	});

	it('ends a response that trickles in, and names the time that it waited', async () => {
		const file = join(import.meta.dirname, '../../../dist/nodes/shared/service/contract.js');
		const defaults = jest.requireActual<{ DEFAULT_TIMEOUT_MS: number }>(file);
		const timeoutMs = defaults.DEFAULT_TIMEOUT_MS;
		Object.assign(defaults, { DEFAULT_TIMEOUT_MS: 2000 });
		const trickle = setInterval.bind(undefined);
		await withServer(
			(_request, response) => {
				const timer = trickle(() => void response.write(' '), 50);
				response.on('close', () => clearInterval(timer));
			},
			async (baseUrl) => {
				expect((await test(baseUrl)).message).toContain('did not respond within 2 seconds');
			},
		);
		Object.assign(defaults, { DEFAULT_TIMEOUT_MS: timeoutMs });
	});

	it('says that a certificate is not trusted', async () => {
		const server = createHttpsServer(selfSigned());
		await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
		const { port } = server.address() as AddressInfo;
		expect((await test(`https://127.0.0.1:${port}`)).message).toMatch(
			/^The certificate of 127\.0\.0\.1:\d+ was not accepted\. Ask the service operator/,
		);
		await new Promise((closed) => server.close(closed));
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
							`redirected the request to ${elsewhere}/ (status 302)`,
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
		['http://calls.example.com', 'The base URL does not start with https://'],
		['calls.example.com:8443', 'The base URL does not start with https://'],
		['https://the service', 'The base URL is not a URL'],
		['ftp://calls.example.com', 'The base URL does not start with https://'],
		['', 'The base URL is empty'],
		['https://me:secret@calls.example.com', 'The base URL contains a user name or password'],
	])('rejects the base URL "%s" before anything is sent', async (baseUrl, message) => {
		const result = await test(baseUrl);
		expect(result.status).toBe('Error');
		expect(result.message).toContain(
			`${message}. In the credential, enter the base URL that the service operator gave you`,
		);
		expect(result.message).not.toContain('secret');
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
});
