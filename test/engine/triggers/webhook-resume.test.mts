import type { Server } from 'node:http';
import { startEngine, type Engine } from '../support/harness/index.mts';
import { addressOf, receiver } from '../support/triggers/webhook-receiver.mts';
import { event, open, senderTo } from '../support/triggers/webhook-sender.mts';

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());

const send = senderTo(() => engine);

describe('a call that is waited for', () => {
	let n8n: Server;
	let received: unknown[];
	let statuses: number[];
	let base: string;

	beforeAll(async () => {
		n8n = await receiver(async ({ rawBody, query }) => {
			received.push([query?.path, JSON.parse(String(rawBody))]);
			return statuses.shift() ?? 200;
		});
		base = `${addressOf(n8n)}/webhook-waiting`;
	});
	afterAll(() => n8n.close());
	beforeEach(() => {
		received = [];
		statuses = [];
	});

	const about = (n8nResumeUrl: string) => ({ ...event, metadata: { n8nResumeUrl } });
	const sendAbout = (url: string, eventOptions = {}) =>
		send(
			{ ...open, eventOptions, ownWaitingAddress: `${base}/__UNKNOWN__` },
			{ body: about(url), patienceMs: 15_000 },
		);

	it('gets the event, and the workflow of the trigger does not start', async () => {
		const { status, started, body } = await sendAbout(`${base}/231?signature=abc&wait=1`);
		expect({ status, started }).toEqual({ status: 200, started: false });
		expect(body).toMatchObject({ resumed: 1 });
		expect(received).toEqual([
			[
				'/webhook-waiting/231?signature=abc&wait=1',
				expect.objectContaining({ event: 'call.completed', callId: 7, payload: expect.anything() }),
			],
		]);
	});

	it('gets the event, and the workflow starts as well, or gets none, as the user likes', async () => {
		const url = `${base}/231`;
		const both = await sendAbout(url, { resume: 'resumeAndStart' });
		expect(both).toMatchObject({ started: true, body: { resumed: 1, started: 1 } });
		const off = await sendAbout(url, { resume: 'off' });
		expect(off).toMatchObject({ started: true, body: { resumed: 0 } });
		expect(received).toHaveLength(1);
	});

	it('starts the workflow when the execution does not take it, and says so', async () => {
		statuses = [404];
		const { started, logs } = await sendAbout(`${base}/231?signature=abc`);
		expect(started).toBe(true);
		expect(logs.map(({ text }) => text).join()).toContain('n8n answered 404');
		expect(JSON.stringify(logs)).not.toContain('abc');
	});

	it('is never looked for at another address', async () => {
		const other = await receiver(async (request) => {
			received.push(request);
			return 200;
		});
		for (const url of [`${addressOf(other)}/webhook-waiting/1`, `${base}/../rest/users`]) {
			expect(await sendAbout(url)).toMatchObject({ started: true, body: { resumed: 0 } });
		}
		other.close();
		expect(received).toEqual([]);
	});

	it('is looked for at the addresses of this n8n by default', async () => {
		const { logs, started } = await send(open, {
			...{ body: about('http://localhost:5678/webhook-waiting/1'), patienceMs: 15_000 },
		});
		expect(started).toBe(true);
		expect(logs.map(({ text }) => text).join()).toContain('did not take it');
	});
});

describe('a subscription', () => {
	it('is always there, because the service has none', async () => {
		for (const method of ['checkExists', 'create', 'delete'] as const) {
			expect(await engine.webhookMethod(method, {}, {})).toBe(true);
		}
	});
});
