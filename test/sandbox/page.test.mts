import { get } from 'node:http';
import { CHECK_CALL, checkCall, request } from './support/requests.mts';
import { sandboxPerTest } from './support/sandbox-per-test.mts';
import { receiverPerTest } from './support/webhook-receiver.mts';

const start = sandboxPerTest();
const startReceiver = receiverPerTest();

const noToken = { token: null };

describe("the sandbox's page", () => {
	it('is at the root, needs no token, and is not in the ledger', async () => {
		const sandbox = await start();
		const { status, headers, text } = await request(sandbox, '/', noToken);
		expect(status).toBe(200);
		expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
		expect(headers.get('content-security-policy')).toContain("default-src 'self'");
		for (const [, path = ''] of text.matchAll(/(?:href|src)="(\/[^"]+)"/g)) {
			expect(await request(sandbox, path, noToken)).toMatchObject({ status: 200 });
		}
		expect(sandbox.ledger.requests()).toEqual([]);
	});

	it('shows the calls, newest first, with summary and transcript once they end', async () => {
		const sandbox = await start();
		await request(sandbox, CHECK_CALL, { body: checkCall });
		await request(sandbox, CHECK_CALL, { body: { ...checkCall, loadNumber: '48214' } });
		const before = await request(sandbox, '/sandbox/page/state', noToken);
		expect(before.json).toMatchObject({
			calls: [
				{ load: '48214', transcript: null },
				{ load: '48213', transcript: null },
			],
		});
		await sandbox.finishCalls();
		const after = await request(sandbox, '/sandbox/page/state', noToken);
		const ended = { summary: expect.any(String), transcript: expect.stringContaining('Agent: ') };
		expect(after.json).toMatchObject({ calls: [ended, ended] });
		const [{ callId } = { callId: 0 }] = sandbox.ledger.dialed();
		const recording = await request(sandbox, `/sandbox/page/recordings/${callId}.wav`, noToken);
		expect(recording.text.slice(0, 4)).toBe('RIFF');
	});

	describe('with calls about two loads, of which the first has ended', () => {
		const loads = async (sandbox: Awaited<ReturnType<typeof start>>, query = '') => {
			const { json } = await request(sandbox, `/sandbox/page/state${query}`, noToken);
			return (json as { calls: { load: string }[] }).calls.map(({ load }) => load);
		};
		const startWithCalls = async () => {
			const sandbox = await start();
			await request(sandbox, CHECK_CALL, { body: checkCall });
			await sandbox.finishCalls();
			const other = { ...checkCall, loadNumber: 'LD-77', toPhone: '+13125550188' };
			await request(sandbox, CHECK_CALL, { body: other });
			return sandbox;
		};

		it.each([
			['', ['LD-77', '48213']],
			['?load=ld-7', ['LD-77']],
			['?phone=312%20555%200188', ['LD-77']],
			['?status=completed', ['48213']],
			['?status=inProgress', ['LD-77']],
			['?status=completed&load=ld', []],
		])('the filter "%s" shows the calls about %j', async (query, shown) => {
			expect(await loads(await startWithCalls(), query)).toEqual(shown);
		});

		it('Clear empties the page, not the service; later calls are shown', async () => {
			const sandbox = await startWithCalls();
			await request(sandbox, '/sandbox/page/clear', { ...noToken, body: {} });
			expect(await loads(sandbox)).toEqual([]);
			expect(sandbox.ledger.dialed()).toHaveLength(2);
			await request(sandbox, CHECK_CALL, { body: { ...checkCall, loadNumber: '48214' } });
			expect(await loads(sandbox)).toEqual(['48214']);
		});

		it('rejects a filter that it does not have', async () => {
			const { status } = await request(await start(), '/sandbox/page/state?status=failed', noToken);
			expect(status).toBe(400);
		});
	});

	it('makes the next driver late, once', async () => {
		const sandbox = await start();
		const isLate = async () => (await request(sandbox, '/sandbox/page/state', noToken)).json;
		await request(sandbox, '/sandbox/page/late-driver', { ...noToken, body: {} });
		expect(await isLate()).toMatchObject({ nextDriverIsLate: true });
		await request(sandbox, CHECK_CALL, { body: checkCall });
		await request(sandbox, CHECK_CALL, { body: checkCall });
		await sandbox.finishCalls();
		expect(await isLate()).toMatchObject({
			nextDriverIsLate: false,
			calls: [
				{ summary: expect.not.stringContaining(' late ') },
				{ summary: expect.stringContaining(' late ') },
			],
		});
	});

	it('sends a TMS event and a sample webhook event to a URL on this computer, and reports the status', async () => {
		const sandbox = await start();
		const receiver = await startReceiver([200, 404]);
		const event = { event: 'load.departed', loadNumber: '48213' };
		const tms = { ...noToken, body: { url: receiver.url, event } };
		const sample = { ...noToken, body: { url: receiver.url } };
		expect((await request(sandbox, '/sandbox/page/tms-event', tms)).json).toMatchObject({
			status: 200,
		});
		expect((await request(sandbox, '/sandbox/page/sample-event', sample)).json).toMatchObject({
			status: 404,
		});
		expect(receiver.received.map((one) => one.event)).toMatchObject([
			event,
			{ event: 'call.completed', data: { loadNumber: '48213' } },
		]);
	});

	it.each([
		[200, 'load.departed', 'The call about load 76006 follows within about a minute.'],
		[200, 'load.departed', 'the reason is under "Manual calls" on the call board'],
		[200, 'load.departed', 'calls_to_make_by_hand'],
		[200, 'load.arrived', 'calls only about departures'],
	])('after the status %d of a %s event says "%s"', async (status, event, said) => {
		const sandbox = await start();
		const { url } = await startReceiver([status]);
		const body = { url, event: { event, loadNumber: '76006' } };
		const { json } = await request(sandbox, '/sandbox/page/tms-event', { ...noToken, body });
		expect(json).toEqual({ status, whatFollows: expect.stringContaining(said) });
	});

	it('promises no call if n8n rejects the event', async () => {
		const sandbox = await start();
		const { url } = await startReceiver([404]);
		const body = { url, event: { event: 'load.departed', loadNumber: '76006' } };
		const { json } = await request(sandbox, '/sandbox/page/tms-event', { ...noToken, body });
		expect(json).toEqual({ status: 404 });
	});

	it('reports a TMS URL that does not respond', async () => {
		const sandbox = await start();
		const receiver = await startReceiver();
		await receiver.close();
		const body = { url: receiver.url, event: {} };
		const { json } = await request(sandbox, '/sandbox/page/tms-event', { ...noToken, body });
		expect(json).toEqual({ status: null, error: 'ECONNREFUSED' });
	});

	it('offers the URLs it was given', async () => {
		const sandbox = await start();
		sandbox.setTmsUrl('http://127.0.0.1:5678/webhook/tms-event');
		sandbox.setTestUrl('http://127.0.0.1:5678/webhook-test/outcome');
		const { json } = await request(sandbox, '/sandbox/page/state', noToken);
		expect(json).toMatchObject({
			tmsUrl: 'http://127.0.0.1:5678/webhook/tms-event',
			testUrl: 'http://127.0.0.1:5678/webhook-test/outcome',
		});
	});

	it('shows a carrier that calls in and bids, among the calls', async () => {
		const sandbox = await start();
		await request(sandbox, CHECK_CALL, { body: checkCall });
		const { json } = await request(sandbox, '/sandbox/records', {
			...noToken,
			body: { loadId: 'L-1' },
		});
		const state = await request(sandbox, '/sandbox/page/state', noToken);
		const { callIds } = json as { callIds: number[] };
		expect((state.json as { calls: object[] }).calls).toContainEqual(
			expect.objectContaining({
				...{ callId: callIds[0], kind: 'bid', load: 'L-1' },
				transcript: expect.stringContaining('Agent: '),
			}),
		);
		expect((state.json as { calls: object[] }).calls).toHaveLength(2);
	});

	it.each(['http://192.0.2.7/hook', 'https://example.com/hook', 'http://127.0.0.1.example.com/'])(
		'sends nothing to %s, which is not on this computer',
		async (url) => {
			const sandbox = await start();
			for (const [path, body] of [
				['page/tms-event', { url, event: {} }],
				['page/sample-event', { url }],
				['webhook', { url }],
			] as const) {
				const { status, json } = await request(sandbox, `/sandbox/${path}`, { ...noToken, body });
				expect([status, json]).toEqual([400, expect.objectContaining({ field: 'url' })]);
			}
			expect(sandbox.ledger.deliveries()).toEqual([]);
		},
	);

	it('may use a URL elsewhere that the sandbox was started with', async () => {
		const webhookUrl = 'https://n8n.example.com/webhook/outcome';
		const sandbox = await start({ webhookUrl });
		const { status } = await request(sandbox, '/sandbox/webhook', {
			...{ ...noToken, body: { url: webhookUrl } },
		});
		expect(status).toBe(200);
	});

	it('cannot be controlled by a page from another site', async () => {
		const sandbox = await start();
		const headers = { origin: 'https://example.com' };
		for (const path of ['/sandbox/page/late-driver', '/sandbox/finish-calls', '/sandbox/faults']) {
			const { status } = await request(sandbox, path, { ...noToken, headers, body: {} });
			expect(status).toBe(403);
		}
	});

	it.each([
		['rebound.example.com', 403],
		['rebound.example.com:5690', 403],
		['127.0.0.1.example.com', 403],
		['192.0.2.7', 403],
		['localhost:5690', 200],
		['127.0.0.1', 200],
		['[::1]:5690', 200],
	])('answers a request to the host %s with status %d', async (host, expected) => {
		const sandbox = await start();
		for (const path of ['/', '/sandbox/page/state', '/sandbox/ledger']) {
			const status = await new Promise((resolve, reject) => {
				const options = { headers: { host } };
				get(sandbox.baseUrl + path, options, (response) => {
					response.resume();
					resolve(response.statusCode);
				}).on('error', reject);
			});
			expect([path, status]).toEqual([path, expected]);
		}
	});
});
