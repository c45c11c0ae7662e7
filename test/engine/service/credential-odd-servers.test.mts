import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { selfSigned } from '../../support/self-signed.mts';
import { startEngine, type Engine } from '../support/harness/index.mts';
import { json, withServer } from '../support/service/raw-server.mts';

const TOKEN = 'clc_live_8f3A9c2b71d0';

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());

/** The test's message for a base URL, which never contains the token. */
async function messageFor(baseUrl: string): Promise<string> {
	const credential = { baseUrl, accessToken: TOKEN, ignoreSslIssues: false };
	const { status, message } = await engine.testCredential(
		'carrierLoadCommunicationsApi',
		credential,
	);
	expect(message).not.toContain(TOKEN);
	expect(status).toBe(message === 'Connection successful' ? 'OK' : 'Error');
	return message;
}

/** The same for a server that gives one response to everything, with HOST for its host. */
async function messageAfter(response: string | Buffer): Promise<string> {
	let message = '';
	await withServer(
		(socket) => socket.end(response),
		async (baseUrl) => {
			message = (await messageFor(baseUrl)).replaceAll(new URL(baseUrl).host, 'HOST');
		},
	);
	return message;
}

const page = (status: string, headers = '') =>
	`HTTP/1.1 ${status}\r\nContent-Type: text/html\r\n${headers}Connection: close\r\n\r\n<!doctype html>`;
const empty = (status: string, headers = '') =>
	page(status, headers).replace('<!doctype html>', '');
const redirect = (to: string) =>
	`HTTP/1.1 302 Found\r\nLocation: ${to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
const echo = { message: `Unknown token ${TOKEN}` };

describe('the test of the API credential says what responded, and what to do, when it gets', () => {
	it.each([
		['a sign-in page', page('200 OK'), /something other .* at HOST \(a web page\)\. Enter the URL/],
		['nothing (204)', empty('204 No Content'), /an empty response/],
		['data in another shape', json({ data: 'hello' }), /not the data of the service/],
		['an error with status 200', json({ data: null, error: 'expired' }), /rejected .*: "expired"$/],
		['an error beside its data', json({ ...echo, data: [], status: 'error' }), /: "Unknown token/],
		['the token in an error', json(echo), /The service said: "Unknown token \[hidden\]"$/],
		['401 with the token', json(echo, '401 X'), /base URL is right.*token\..*"Unknown token \[hid/],
		[
			'401 for a user',
			page('401 X', 'WWW-Authenticate: Basic realm="x"\r\n'),
			/asks for a user name/,
		],
		['401 as a web page', page('401 Unauthorized'), /^HOST asks for a user name .* proxy/],
		['403 of the service', json({ message: 'No plan' }, '403 X'), /allowed to read.*"No plan"$/],
		['403 of a firewall', page('403 X'), /^HOST, or a proxy or firewall before it, blocked/],
		['403 of a proxy', empty('403 X'), /^HOST, or a proxy or firewall before it, blocked/],
		['401 with nothing', empty('401 X'), /^HOST does not accept this access token\. Paste/],
		[
			'404',
			page('404 Not Found'),
			/not found at http:\/\/HOST\. If the URL .* has a path, enter all/,
		],
		['407', page('407 X'), /proxy between n8n and HOST .* Ask your n8n administrator/],
		['429', json({}, '429 X', 'Retry-After: 90\r\n'), /too many .* Test again in 90 seconds\.$/],
		[
			'429 until the year 2999',
			json({}, '429 X', 'Retry-After: Fri, 01 Jan 2999 00:00:00 GMT\r\n'),
			/Test again later\.$/,
		],
		['304', empty('304 X'), /refused the request \(status 304\)/],
		['400', json({ message: 'No' }, '400 X'), /at HOST refused .*400.* "No"$/],
		['half a response', page('200 OK').replace('<!doctype html>', '{"data":[{"d'), /in the middle/],
		['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', /HOST was lost .* https:\/\/ and the port/],
	])('%s', async (_what, response, message) => {
		expect(await messageAfter(response)).toMatch(message);
	});

	it.each([
		['https://login.example.com/signin?next=1', 'may be a sign-in page'],
		['http://calls.example.com/api/v1/analytics', 'may be a sign-in page'],
		[
			'https://calls.example.com/tms/api/v1/analytics?x=1',
			'enter https://calls.example.com/tms as',
		],
	])('a redirect to %s', async (target, advice) => {
		const message = await messageAfter(redirect(target));
		const [shown = ''] = target.split('?');
		expect(message).toContain(
			`HOST redirected the request to ${shown}, where the token was not sent`,
		);
		expect(message).toContain(advice);
	});

	it('404, without a token that was pasted into Base URL, too', async () => {
		await withServer(
			(socket) => socket.end(page('404 Not Found')),
			async (baseUrl) => {
				expect(await messageFor(`${baseUrl}/${TOKEN}`)).toContain(`at ${baseUrl}/[hidden].`);
			},
		);
	});

	it('a certificate that is not trusted', async () => {
		const server = createHttpsServer(selfSigned()).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		expect(await messageFor(`https://127.0.0.1:${port}`)).toMatch(
			/^The certificate of 127\.0\.0\.1:\d+ was not accepted\. Ask the service operator/,
		);
		await new Promise((closed) => server.close(closed));
	});

	it.each([
		['http://[::1]:1', /^The service at \[::1\]:1 could not be reached\. Check the base URL/],
		[
			'https://calls.example.invalid',
			/could not be reached\. Check the base URL: there is no host/,
		],
	])('no connection to %s', async (baseUrl, message) => {
		expect(await messageFor(baseUrl)).toMatch(message);
	});
});

describe('the test of the API credential ends', () => {
	it('with a compressed response that becomes too large', async () => {
		const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
		const head = empty('200 OK', 'Content-Encoding: gzip\r\n');
		expect(await messageAfter(Buffer.concat([Buffer.from(head), bomb]))).toContain(
			'more than 1 MB',
		);
	});

	it('with a response that never ends', async () => {
		const file = join(resolve(import.meta.dirname, '../../../dist'), 'nodes/shared/service/http');
		const defaults = jest.requireActual<{ DEFAULT_TIMEOUT_MS: number }>(join(file, 'defaults.js'));
		const timeoutMs = defaults.DEFAULT_TIMEOUT_MS;
		Object.assign(defaults, { DEFAULT_TIMEOUT_MS: 500 });
		await withServer(
			(socket) => {
				socket.write(empty('200 OK'));
				const trickle = setInterval(() => socket.write(' '), 50);
				socket.on('close', () => clearInterval(trickle));
			},
			async (baseUrl) => {
				expect(await messageFor(baseUrl)).toMatch(
					/did not answer within 0\.5 seconds\. Check the base/,
				);
			},
		);
		Object.assign(defaults, { DEFAULT_TIMEOUT_MS: timeoutMs });
	});
});
