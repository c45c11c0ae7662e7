import { connect } from 'node:net';
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { startEngine, type Engine } from '../support/harness/index.mts';
import { open, senderTo } from '../support/triggers/webhook-sender.mts';

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());

const send = senderTo(() => engine);

describe('metadata as JSON text', () => {
	const nested = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
	const wide = (values: number) => JSON.stringify({ a: Array.from({ length: values }, () => 1) });

	it.each([
		['with 900 values', true, () => wide(900)],
		['with 1,100 values', false, () => wide(1100)],
		['nested 5,000 levels deep', false, () => nested(5000)],
	])('%s starts the workflow, and is an object: %s', async (_what, isRead, make) => {
		const metadata = make();
		const { started, workflowData } = await send(open, { body: { event: 'call_ended', metadata } });
		const json = workflowData?.[0]?.[0]?.json;
		expect(started).toBe(true);
		expect(json?.['metadata']).toEqual(isRead ? JSON.parse(metadata) : {});
		expect(json?.['payload']).toMatchObject({ metadata });
	});
});

describe('a request', () => {
	it('with 500 events is accepted, with 501 it is not, and its connection is closed', async () => {
		const events = Array.from({ length: 501 }, (_, callId) => ({ event: 'call_ended', callId }));
		const accepted = await send(open, { body: events.slice(1) });
		expect(accepted).toMatchObject({ status: 200, body: { started: 500 } });
		const rejected = await send(open, { body: events });
		expect(rejected).toMatchObject({ status: 413, started: false });
		expect(rejected.headers['connection']).toBe('close');
		const log = rejected.logs.map(({ text }) => text).join();
		expect(log).toContain('rejected a webhook request: More than 500 events in one request');
	});

	it.each([
		['that cannot be decompressed is refused as unreadable', 'not compressed', 400],
		[
			'that is too large when decompressed is refused as too large',
			gzipSync(' '.repeat(17 * 1024 * 1024)),
			413,
		],
	])('%s', async (_what, rawBody, status) => {
		const headers = { 'content-type': 'application/cloudevents', 'content-encoding': 'gzip' };
		const rejected = await send(open, { rawBody, headers });
		expect(rejected).toMatchObject({ status, started: false });
	});

	it('with 500 events starts nothing when it is delivered again after a restart', async () => {
		const body = Array.from({ length: 500 }, (_, callId) => ({ event: 'call_ended', callId }));
		const first = await send(open, { body });
		const staticData = { 'node:Node under test': first.staticData };
		const again = await send(open, { body, staticData });
		expect(again).toMatchObject({ started: false, body: { duplicates: 500 } });
	});
});

describe('a stranger', () => {
	it.each([
		['IP address', { ...open, eventOptions: { allowedAddresses: '203.0.113.7' } }, {}],
		['token', {}, { method: 'bearer', token: 'a token that nobody guesses' }],
		['password', {}, { method: 'basic', user: 'dispatch', password: 'a long password' }],
	])(
		'with the wrong %s is rejected before a body that n8n leaves unread is read',
		async (_what, parameters, secret) => {
			const credentials = { carrierLoadCommunicationsWebhookApi: secret };
			const { port, close } = await engine.openWebhook(parameters as never, () => undefined, {
				credentials: credentials as never,
				node: { id: randomUUID() },
			});
			const seen = await new Promise<string>((resolve, reject) => {
				const socket = connect(port, '127.0.0.1', () => {
					// The body never ends: only its first byte is sent.
					socket.write(
						'POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents\r\n' +
							'Authorization: Bearer wrong\r\nContent-Length: 10000000\r\n\r\n{',
					);
				});
				socket.setTimeout(120_000, () => reject(new Error('No response within 120 s')));
				socket.on('data', (data) => {
					resolve(String(data));
					socket.destroy();
				});
				socket.on('error', reject);
			});
			close();
			expect(seen).toContain('401 Unauthorized');
		},
	);
});
