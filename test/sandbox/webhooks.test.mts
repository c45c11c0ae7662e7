import { readEvents } from '../../nodes/CarrierLoadCommunicationsTrigger/parse.ts';
import { createHmac } from 'node:crypto';
import {
	AGENT_CALL,
	agentCall,
	request,
	CHECK_CALL,
	checkCall,
	NOON,
} from './support/requests.mts';
import { loadsOf, metadata, placeCheckCall, receiverPerTest } from './support/webhook-receiver.mts';
import { sandboxPerTest } from './support/sandbox-per-test.mts';

const start = sandboxPerTest();
const receiving = receiverPerTest();

function readItems(body: object) {
	const events = readEvents(body, NOON.toISOString());
	if (!Array.isArray(events)) throw new Error(events.reason);
	return events.map(({ item }) => item);
}

describe('the webhook of a call', () => {
	it('delivers outcome and metadata once, when the call ends', async () => {
		const receiver = await receiving();
		const sandbox = await start({ webhookUrl: receiver.url });
		await placeCheckCall(sandbox, '48213');
		await sandbox.finishCalls();
		const [dialed] = sandbox.ledger.dialed();
		expect(receiver.received.map(({ event }) => event)).toEqual([
			{
				event: 'call.completed',
				id: `evt_${dialed?.callId}_completed`,
				createdAt: NOON.toISOString(),
				data: {
					...{
						callId: dialed?.callId,
						conversationId: dialed?.conversationId,
						status: 'COMPLETED',
					},
					...{
						toPhone: '+18155550142',
						loadNumber: '48213',
						metadata,
						contentTags: 'check_call,on_time',
					},
					...{ summary: expect.any(String), transcript: expect.any(String) },
					recordingUrl: `${sandbox.baseUrl}/recordings/${dialed?.callId}.wav`,
				},
				metadata,
			},
		]);
		expect(receiver.received[0]?.headers['x-signature']).toBeUndefined();
	});

	it('does not hold up the end of calls if another call begins while it is delivered', async () => {
		const receiver = await receiving();
		const sandbox = await start({ webhookUrl: receiver.url });
		await placeCheckCall(sandbox, '48213');
		const ended = sandbox.finishCalls();
		await placeCheckCall(sandbox, '48214');
		await ended;
		expect(receiver.received).toHaveLength(1);
		await sandbox.finishCalls();
		expect(receiver.received).toHaveLength(2);
	});

	it('of an agent call has the agent and its variables but no metadata', async () => {
		const receiver = await receiving();
		const sandbox = await start({ webhookUrl: receiver.url });
		await request(sandbox, AGENT_CALL, { body: agentCall });
		await sandbox.finishCalls();
		const [event] = receiver.received.map((each) => each.event);
		const { dynamicVariables } = agentCall;
		expect(event?.data).toMatchObject({ agentId: 'agent-7', dynamicVariables });
		expect(event).not.toHaveProperty('metadata');
	});

	it('is preceded by call.started if configured', async () => {
		const receiver = await receiving();
		const sandbox = await start({ webhookUrl: receiver.url, startedEvents: true, callDelayMs: 0 });
		await placeCheckCall(sandbox, '48213');
		await sandbox.whenIdle();
		const events = receiver.received.map(({ event }) => [event.event, event.data['status']]);
		expect(events.toSorted()).toEqual([
			['call.completed', 'COMPLETED'],
			['call.started', 'IN_PROGRESS'],
		]);
	});

	it.each(['a', 'plain', 'nested', 'list'] as const)(
		'is written in shape "%s", with events during the call',
		async (shape) => {
			const receiver = await receiving();
			const sandbox = await start({ webhookUrl: receiver.url, events: shape, callDelayMs: 300 });
			await request(sandbox, CHECK_CALL, { body: { ...checkCall, metadata: { tmsId: 'T-9' } } });
			await sandbox.whenIdle();
			const bodies: unknown[] = receiver.received.map(({ body }) => JSON.parse(body));
			const received = bodies.flatMap((body) => readItems(Object(body)));
			const end = shape === 'a' ? 'call_ended' : 'call.completed';
			expect(received.filter(({ event }) => event === end)).toEqual([
				expect.objectContaining({
					...{ loadNumber: '48213', metadata: { tmsId: 'T-9' } },
					transcript: expect.stringContaining('\n'),
				}),
			]);
			// Each is a request of its own, so they can arrive in another order.
			const types = received.map(({ event }) => String(event)).filter((event) => event !== end);
			expect(types.sort()).toEqual([
				...(shape === 'a' ? [] : ['call.answered', 'call.ringing']),
				...['tool_calls', 'transcript', 'transcript'],
			]);
		},
	);

	it('is signed over timestamp and raw body if a secret is set', async () => {
		const receiver = await receiving();
		const sandbox = await start({ webhookUrl: receiver.url, webhookSecret: 's3cret' });
		await request(sandbox, CHECK_CALL, { body: { ...checkCall, driverName: 'Zoë Łukasz' } });
		await sandbox.finishCalls();
		const [webhook] = receiver.received;
		const timestamp = webhook?.headers['x-timestamp'];
		expect(timestamp).toBe(String(NOON.getTime() / 1000));
		const hex = createHmac('sha256', 's3cret')
			.update(`${timestamp}.${webhook?.body}`)
			.digest('hex');
		expect(webhook?.headers['x-signature']).toBe(`sha256=${hex}`);
		expect(webhook?.body).toContain('Zoë Łukasz');
	});

	it('is retried with the same event until it is accepted', async () => {
		const receiver = await receiving([500, 404]);
		const sandbox = await start({ webhookUrl: receiver.url, webhookBackoffMs: 1 });
		await placeCheckCall(sandbox, '48213');
		await sandbox.finishCalls();
		expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(1);
		expect(sandbox.ledger.deliveries()).toMatchObject([
			{ attempt: 1, status: 500 },
			{ attempt: 2, status: 404 },
			{ attempt: 3, status: 200 },
		]);
	});

	it('is abandoned after the configured attempts, even if nothing is listening', async () => {
		const receiver = await receiving();
		await receiver.close();
		const sandbox = await start({
			webhookUrl: receiver.url,
			webhookBackoffMs: 1,
			webhookAttempts: 3,
		});
		await placeCheckCall(sandbox, '48213');
		await sandbox.finishCalls();
		expect(sandbox.ledger.deliveries().map(({ status, error }) => [status, error])).toEqual(
			Array.from({ length: 3 }, () => [null, 'ECONNREFUSED']),
		);
	});

	it('goes to the URL that was set last, or nowhere', async () => {
		const [first, second] = [await receiving(), await receiving()];
		const sandbox = await start({ webhookUrl: first.url });
		sandbox.setWebhook({ url: second.url, secret: 'new' });
		await placeCheckCall(sandbox, '1');
		await sandbox.finishCalls();
		sandbox.setWebhook({ url: null });
		await placeCheckCall(sandbox, '2');
		await sandbox.finishCalls();
		expect([first.received.length, loadsOf(second)]).toEqual([0, ['1']]);
		expect(second.received[0]?.headers['x-signature']).toMatch(/^sha256=/);
	});
});
