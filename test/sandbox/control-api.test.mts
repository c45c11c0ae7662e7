import type { Sandbox } from '../../sandbox/index.mts';
import { request, CALLS, CHECK_CALL, checkCall, ALL_TIME, walk } from './support/requests.mts';
import { startReceiver } from './support/webhook-receiver.mts';
import { sandboxPerTest } from './support/sandbox-per-test.mts';

const start = sandboxPerTest();

/** The control routes require no token. */
const steer = (sandbox: Sandbox, method: string, path: string, body?: unknown) =>
	request(sandbox, `/sandbox/${path}`, { token: null, method, body });

describe('the control API of the sandbox', () => {
	it('adds, lists and clears faults', async () => {
		const sandbox = await start();
		const rule = { endpoint: 'listCalls', fault: { kind: 'status', status: 503 }, times: 'always' };
		expect((await steer(sandbox, 'POST', 'faults', rule)).json).toEqual([rule]);
		const more = [{ endpoint: '*', fault: { kind: 'latency', ms: 1 }, times: 2 }];
		expect((await steer(sandbox, 'POST', 'faults', more)).json).toEqual([rule, ...more]);
		expect((await request(sandbox, `/api/v1/calls?${ALL_TIME}`)).status).toBe(503);
		expect((await steer(sandbox, 'GET', 'faults')).json).toEqual([rule, { ...more[0], times: 1 }]);
		expect((await steer(sandbox, 'DELETE', 'faults')).json).toEqual([]);
		expect((await request(sandbox, `/api/v1/calls?${ALL_TIME}`)).status).toBe(200);
	});

	it('returns the ledger and clears it', async () => {
		const sandbox = await start();
		await request(sandbox, CHECK_CALL, { body: checkCall });
		const { json } = await steer(sandbox, 'GET', 'ledger');
		expect(json).toMatchObject({
			requests: [{ endpoint: 'triggerCheckCall' }],
			dialed: [{ loadNumber: '48213' }],
			deliveries: [],
		});
		await steer(sandbox, 'DELETE', 'ledger');
		expect(sandbox.ledger.dialed()).toEqual([]);
	});

	it('sets the webhook URL, ends calls and sends a webhook event', async () => {
		const receiver = await startReceiver();
		const sandbox = await start();
		const address = { url: receiver.url, secret: 'hush' };
		const { json, text } = await steer(sandbox, 'POST', 'webhook', address);
		expect([json, text.includes('hush')]).toEqual([{ url: receiver.url }, false]);
		await request(sandbox, CHECK_CALL, { body: checkCall });
		await steer(sandbox, 'POST', 'finish-calls');
		await steer(sandbox, 'POST', 'deliver', { event: 'call.other' });
		expect(receiver.received.map(({ event }) => event.event)).toEqual([
			'call.completed',
			'call.other',
		]);
		expect(receiver.received[0]?.headers['x-signature']).toMatch(/^sha256=/);
		await receiver.close();
	});

	it('inserts records', async () => {
		const sandbox = await start();
		const { json } = await steer(sandbox, 'POST', 'records', { count: 2, loadId: 'TMS-9' });
		const { rows } = await walk(sandbox, CALLS, { filter: `${ALL_TIME}&loadId=TMS-9` });
		expect(json).toEqual({ callIds: rows.map(({ id }) => id).toReversed() });
		expect(rows).toHaveLength(2);
	});

	it.each([
		['faults', { endpoint: 'listCalls' }, 'fault'],
		['faults', { endpoint: 'webhook', fault: { kind: 'html' } }, 'endpoint'],
		['webhook', { url: 'ftp://example.com' }, 'url'],
		['webhook', { url: null, secrets: 'x' }, 'secrets'],
		['records', { count: 0 }, 'count'],
		['records', { createdAt: 'yesterday' }, 'createdAt'],
		['deliver', {}, 'url'],
	])('rejects invalid input: %s %j', async (path, body, field) => {
		const { status, json } = await steer(await start(), 'POST', path, body);
		expect([status, json]).toEqual([400, expect.objectContaining({ field })]);
	});

	it('is not recorded in the ledger', async () => {
		const sandbox = await start();
		await steer(sandbox, 'GET', 'ledger');
		await steer(sandbox, 'GET', 'faults');
		expect(sandbox.ledger.requests()).toEqual([]);
	});
});
