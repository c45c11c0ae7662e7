import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { skipPauses } from '../../support/pauses.mts';
import { waitUntil } from '../../support/wait-until.mts';
import { startEngine, type Engine } from '../support/harness/index.mts';
import { open } from '../support/triggers/webhook-sender.mts';

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterEach(() => jest.restoreAllMocks());
afterAll(() => engine.close());

/** How often the trigger looks whether n8n has stored an execution, in milliseconds. */
const LOOK_MS = 25;

/** How long n8n takes to store an execution, in milliseconds. */
const STORING_MS = 300;

/** A trigger, and how often n8n has stored each event. It fails as often for each event first. */
async function openTrigger(failures = 0) {
	const stored = new Map<unknown, number>();
	const attempts = new Map<unknown, number>();
	const webhook = await engine.openWebhook(
		open as never,
		async (_incoming, { workflowData }) => {
			if (!workflowData) return;
			const callId = workflowData.flat()[0]?.json.callId;
			const attempt = (attempts.get(callId) ?? 0) + 1;
			attempts.set(callId, attempt);
			await wait(STORING_MS);
			if (attempt <= failures) throw new Error('The database is locked');
			stored.set(callId, (stored.get(callId) ?? 0) + 1);
		},
		{ node: { id: randomUUID() } },
	);
	/** The status; undefined if the sender gave up and hung up. */
	async function deliver(callId: number, patienceMs = 120_000): Promise<number | undefined> {
		const response = await fetch(`http://127.0.0.1:${webhook.port}/webhook`, {
			method: 'POST',
			body: JSON.stringify({ event: 'call_ended', callId }),
			headers: { 'content-type': 'application/json' },
			signal: AbortSignal.timeout(patienceMs),
		}).catch(() => undefined);
		return response?.status;
	}
	return { ...webhook, stored, deliver };
}

const moments = Array.from({ length: 21 }, (_, nth) => 5 + nth * 20);

describe('a sender that hangs up and delivers the event again', () => {
	it('starts one execution, regardless of when the sender hangs up', async () => {
		const { deliver, stored, close } = await openTrigger();
		const senders = moments.map(async (patienceMs, callId) => {
			await deliver(callId, patienceMs);
			return await deliver(callId);
		});
		expect(new Set(await Promise.all(senders))).toEqual(new Set([200]));
		close();
		expect([...stored.values()]).toEqual(moments.map(() => 1));
	});

	it('starts one execution even if n8n fails to store the first ones', async () => {
		const { deliver, stored, close } = await openTrigger(2);
		const senders = moments.map(async (patienceMs, callId) => {
			await deliver(callId, patienceMs);
			for (let attempt = 0; attempt < 20; attempt++) {
				if ((await deliver(callId)) === 200) return;
			}
			throw new Error(`Call ${callId} was never accepted`);
		});
		await Promise.all(senders);
		close();
		expect([...stored.values()]).toEqual(moments.map(() => 1));
	});

	it('is asked to retry if n8n is still storing the event after 8 seconds', async () => {
		let finish: () => void = () => undefined;
		const storing = new Promise<void>((resolve) => (finish = resolve));
		let started = 0;
		const { port, close } = await engine.openWebhook(
			open as never,
			async (_incoming, { workflowData }) => {
				if (!workflowData) return;
				started += 1;
				await storing;
			},
			{ node: { id: randomUUID() } },
		);
		const deliver = async (signal?: AbortSignal) =>
			await fetch(`http://127.0.0.1:${port}/webhook`, {
				...{ method: 'POST', body: '{"event":"call_ended","callId":7}' },
				...(signal && { signal }),
			}).catch(() => undefined);
		const hangUp = new AbortController();
		const first = deliver(hangUp.signal);
		await waitUntil('the execution', () => started === 1);
		hangUp.abort();
		await first;
		skipPauses(LOOK_MS);
		const asked = Date.now();
		const second = await deliver();
		expect(second?.status).toBe(503);
		const waited = Date.now() - asked;
		expect(waited).toBeGreaterThanOrEqual(8000);
		expect(waited).toBeLessThan(15_000);
		expect(second?.headers.get('retry-after')).toBe('10');
		finish();
		expect((await deliver())?.status).toBe(200);
		close();
		expect(started).toBe(1);
	});
});

describe('a connection that is cut in the middle of the body', () => {
	it('starts nothing, even if it received a whole event; delivered again, it starts once', async () => {
		const handled: Array<{ started: boolean; error: unknown }> = [];
		const { port, close } = await engine.openWebhook(
			open as never,
			(_incoming, outcome) => void handled.push(outcome),
			{ node: { id: randomUUID() } },
		);
		const event = '{"event":"call_ended","callId":7}';
		const type = 'application/cloudevents';
		const socket = connect(port, '127.0.0.1');
		socket.on('error', () => undefined);
		const head = `POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 9999\r\n\r\n`;
		socket.write(head + event, () => socket.end());
		await waitUntil('the node to return', () => handled.length === 1);
		socket.destroy();
		expect(handled[0]).toMatchObject({ started: false, error: undefined });
		const whole = { method: 'POST', body: event, headers: { 'content-type': type } };
		const again = await fetch(`http://127.0.0.1:${port}/webhook`, whole);
		close();
		expect(again.status).toBe(200);
		expect(handled.map(({ started }) => started)).toEqual([false, true]);
	});
});
