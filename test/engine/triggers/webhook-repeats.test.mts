import { createHmac, randomUUID } from 'node:crypto';
import { startEngine, type Engine } from '../support/harness/index.mts';
import {
	clock,
	HOUR,
	MINUTE,
	setClock,
	start,
	stopClock,
} from '../support/triggers/simulated-clock.mts';
import { event, open, senderTo } from '../support/triggers/webhook-sender.mts';

let engine: Engine;
beforeAll(async () => {
	engine = await startEngine();
	stopClock();
});
afterAll(() => {
	jest.useRealTimers();
	engine.close();
});
beforeEach(() => setClock(start));

const send = senderTo(() => engine);
const byId = { ...open, eventOptions: { eventIdField: 'id' } };

/** Delivers the same body to one trigger at several times, and returns when it started. */
async function startsAt(times: number[], parameters: object, body: object): Promise<number[]> {
	const node = { id: randomUUID() };
	const started: number[] = [];
	for (const time of times) {
		setClock(start + time);
		const answer = await send(parameters, { body, node });
		expect(answer.status).toBe(200);
		if (answer.started) started.push(time);
	}
	return started;
}

describe('an event that is equal to an earlier one', () => {
	it('and has no ID starts nothing for an hour, which the response and the log say', async () => {
		const node = { id: randomUUID() };
		await send(open, { body: event, node });
		setClock(start + HOUR - 1);
		const { started, body, logs } = await send(open, { body: event, node });
		expect(started).toBe(false);
		expect(body).toMatchObject({ duplicates: 1, started: 0 });
		expect(logs.map(({ text }) => text).join()).toContain('ignored a duplicate delivery');
	});

	it('and has no ID starts the workflow after an hour, and again after the next', async () => {
		const times = [0, 30 * MINUTE, HOUR + 1, HOUR + 30 * MINUTE, 2 * HOUR + 2];
		expect(await startsAt(times, open, event)).toEqual([0, HOUR + 1, 2 * HOUR + 2]);
	});

	it('and has an ID starts nothing for three days', async () => {
		const times = [0, HOUR + 1, 71 * HOUR, 72 * HOUR + 1];
		expect(await startsAt(times, byId, { ...event, id: 'e1' })).toEqual([0, 72 * HOUR + 1]);
	});

	it('and has no ID is forgotten after an hour, even across a restart', async () => {
		const { staticData } = await send(open, { body: event });
		const stored = { 'node:Node under test': staticData };
		setClock(start + HOUR - 1);
		expect(await send(open, { body: event, staticData: stored })).toMatchObject({ started: false });
		setClock(start + HOUR + 1000);
		expect(await send(open, { body: event, staticData: stored })).toMatchObject({ started: true });
	});

	it('and is signed is remembered as long as its signature is accepted', async () => {
		const secret = 'agreed-with-the-operator-of-the-service';
		const credentials = {
			carrierLoadCommunicationsWebhookApi: { method: 'hmac', secret, toleranceSeconds: 3 * 3600 },
		};
		const rawBody = JSON.stringify(event);
		const time = String(Math.floor(start / 1000));
		const signature = createHmac('sha256', secret).update(`${time}.${rawBody}`).digest('hex');
		const headers = {
			...{ 'content-type': 'application/json', 'x-timestamp': time },
			'x-signature': `sha256=${signature}`,
		};
		const node = { id: randomUUID() };
		const replay = async () => await send({}, { rawBody, headers, node, credentials });
		expect(await replay()).toMatchObject({ status: 200, started: true });
		setClock(clock.now + 2 * HOUR);
		expect(await replay()).toMatchObject({ status: 200, started: false });
		setClock(clock.now + 2 * HOUR);
		expect(await replay()).toMatchObject({ status: 401, started: false });
	});
});
