import { createHmac } from 'node:crypto';
import { request } from '../support/requests.mts';
import { loadsOf, placeCheckCall, receiverPerTest } from '../support/webhook-receiver.mts';
import { sandboxPerTest } from '../support/sandbox-per-test.mts';

const start = sandboxPerTest();
const receiving = receiverPerTest();

describe('a misbehaving webhook', () => {
	it('can be delivered twice', async () => {
		const receiver = await receiving();
		const sandbox = await start({ webhookUrl: receiver.url });
		sandbox.faults.add({ endpoint: 'webhook', fault: { kind: 'duplicate' } });
		await placeCheckCall(sandbox, '1');
		await sandbox.finishCalls();
		await placeCheckCall(sandbox, '2');
		await sandbox.finishCalls();
		expect(loadsOf(receiver)).toEqual(['1', '1', '2']);
	});

	it('can be lost', async () => {
		const receiver = await receiving();
		const sandbox = await start({ webhookUrl: receiver.url });
		sandbox.faults.add({ endpoint: 'webhook', fault: { kind: 'lost' } });
		await placeCheckCall(sandbox, '1');
		await sandbox.finishCalls();
		expect([loadsOf(receiver), sandbox.ledger.deliveries()]).toEqual([[], []]);
	});
});

describe('an event sent on request', () => {
	it('is a sample event with the given overrides, sent once', async () => {
		const receiver = await receiving([500]);
		const sandbox = await start({ webhookUrl: receiver.url });
		const delivery = await sandbox.deliver({ event: 'call.failed', metadata: { a: 1 } });
		expect(delivery).toMatchObject({ status: 500, attempt: 1, event: 'call.failed' });
		expect(receiver.received.map(({ event }) => event)).toMatchObject([
			{ event: 'call.failed', metadata: { a: 1 }, data: { loadNumber: '48213' } },
		]);
		await sandbox.deliver();
		const [one, other] = receiver.received;
		expect(one?.event.id).not.toBe(other?.event.id);
	});

	it('can be forged: another secret, timestamp, header, URL or raw body', async () => {
		const receiver = await receiving();
		const sandbox = await start({ webhookSecret: 'real' });
		const rawBody = '{ "event" : "call.completed" }';
		const how = {
			url: receiver.url,
			secret: 'forged',
			timestamp: 1,
			headers: { 'X-Extra': 'yes' },
			rawBody,
		};
		await sandbox.deliver({}, how);
		await sandbox.deliver({}, { url: receiver.url, secret: null });
		const [forged, unsigned] = receiver.received;
		const hex = createHmac('sha256', 'forged').update(`1.${rawBody}`).digest('hex');
		expect(forged?.headers).toMatchObject({
			'x-extra': 'yes',
			'x-timestamp': '1',
			'x-signature': `sha256=${hex}`,
		});
		expect(forged?.body).toBe(rawBody);
		expect(unsigned?.headers['x-signature']).toBeUndefined();
	});

	it('fails without a webhook URL and says what to do', async () => {
		await expect((await start()).deliver()).rejects.toThrow('setWebhook');
	});
});

describe('closing the sandbox', () => {
	it('abandons calls in progress and pending deliveries', async () => {
		const receiver = await receiving([500, 500, 500]);
		const sandbox = await start({
			webhookUrl: receiver.url,
			webhookBackoffMs: 60_000,
			callDelayMs: 0,
		});
		await placeCheckCall(sandbox, '1');
		await placeCheckCall(sandbox, '2');
		await sandbox.close();
		await sandbox.whenIdle();
		await expect(request(sandbox, '/api/v1/calls')).rejects.toThrow();
	});
});
