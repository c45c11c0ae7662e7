import { cpuTime } from '../../support/cpu-time.mts';
import { startEngine, type Engine } from '../support/harness/index.mts';
import { event, open, senderTo } from '../support/triggers/webhook-sender.mts';
import { addressOf, receiver } from '../support/triggers/webhook-receiver.mts';

let engine: Engine;
beforeAll(async () => {
	engine = await startEngine();
	// What n8n loads at the first request is not the sender's doing.
	await send(open, { body: event });
});
afterAll(() => engine.close());

const send = senderTo(() => engine);

describe('a header with text that slows patterns down', () => {
	it('14 kB of spaces in a timestamp are rejected immediately, before the signature is checked', async () => {
		const secret = 'agreed-with-the-operator';
		const credentials = { carrierLoadCommunicationsWebhookApi: { method: 'hmac', secret } };
		const timestamp = `2026-03-02T12:00${' '.repeat(14_000)}!`;
		const headers = {
			...{ 'x-timestamp': timestamp, 'x-signature': `sha256=${'0'.repeat(64)}` },
			'content-type': 'application/json',
		};
		const requests = Array.from({ length: 20 }, () => ({ rawBody: '{}', headers, credentials }));
		const { result, cpuMs } = await cpuTime(
			async () => await Promise.all(requests.map((request) => send({}, request))),
		);
		expect(new Set(result.map(({ status }) => status))).toEqual(new Set([401]));
		expect(result[0]?.logs[0]?.text).toContain('its timestamp is not a time');
		expect(cpuMs).toBeLessThan(1000);
	});
});

describe('an event without an ID in the envelope of an event bus', () => {
	const envelope = (metadata: object) => ({
		...{ 'detail-type': 'call_ended', source: 'voice.example', account: '1', region: 'us-east-1' },
		detail: { callId: 7, summary: 'On time.', inputData: { loadNumber: '48213', metadata } },
	});

	it('has its type, its call and its metadata', async () => {
		const { workflowData } = await send(open, { body: envelope({ team: 'north' }) });
		expect(workflowData?.[0]?.[0]?.json).toMatchObject({
			...{ event: 'call_ended', callId: 7, loadNumber: '48213', summary: 'On time.' },
			metadata: { team: 'north' },
		});
	});

	it('resumes the execution that waits for its call, and shows its URL to no one', async () => {
		const received: string[] = [];
		const n8n = await receiver(async ({ rawBody }) => {
			received.push(String(rawBody));
			return 200;
		});
		const n8nUrl = addressOf(n8n);
		const body = envelope({ n8nResumeUrl: `${n8nUrl}/webhook-waiting/231?signature=abc` });
		const answer = await send(open, { body, n8nUrl });
		n8n.close();
		expect(answer).toMatchObject({ started: false, body: { resumed: 1 } });
		expect(received.join()).not.toContain('webhook-waiting');
	});
});
