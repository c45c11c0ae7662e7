import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { waitUntil } from '../../support/wait-until.mts';
import { startEngine, type Engine } from '../support/harness/index.mts';
import { open } from '../support/triggers/webhook-sender.mts';

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());

/** How long n8n takes to store an execution, in milliseconds. */
const STORING_MS = 300;

/** A trigger, and how often n8n has stored each event. `fails` selects the attempts that fail. */
async function openTrigger(fails: (attempt: number) => boolean = () => false) {
	const stored = new Map<unknown, number>();
	let attempts = 0;
	const webhook = await engine.openWebhook(
		open as never,
		async (_incoming, { workflowData }) => {
			if (!workflowData) return;
			const attempt = attempts++;
			await wait(STORING_MS);
			if (fails(attempt)) throw new Error('The database is locked');
			for (const { json } of workflowData.flat()) {
				stored.set(json.callId, (stored.get(json.callId) ?? 0) + 1);
			}
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
	it('starts one execution, at whatever moment it hangs up', async () => {
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
		const { deliver, stored, close } = await openTrigger((attempt) => attempt % 3 !== 2);
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
		const second = await deliver();
		expect(second?.status).toBe(503);
		expect(second?.headers.get('retry-after')).toBe('10');
		finish();
		expect((await deliver())?.status).toBe(200);
		close();
		expect(started).toBe(1);
	});
});
