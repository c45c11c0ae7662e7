import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { createServer } from 'node:https';
import { skipPauses } from '../../support/pauses.mts';
import { selfSigned } from '../../support/self-signed.mts';
import { startEngine, type Engine } from '../support/harness/index.mts';
import { addressOf, receiver, type Reply } from '../support/triggers/webhook-receiver.mts';
import { event, open, senderTo } from '../support/triggers/webhook-sender.mts';

let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());

const send = senderTo(() => engine);

const running: Reply = { status: 409, body: { message: 'The execution "1" is running already.' } };
const finished: Reply = {
	status: 409,
	body: { message: 'The execution "1 has finished already.' },
};

describe('an event about a call that an execution waits for', () => {
	let n8n: Server;
	let n8nUrl: string;
	let received: Array<[path: unknown, event: unknown]>;
	let replies: Array<number | Reply>;
	let always: number | Reply | undefined;

	beforeAll(async () => {
		n8n = await receiver(async ({ rawBody, query }) => {
			received.push([query?.path, JSON.parse(String(rawBody))]);
			return replies.shift() ?? always ?? 200;
		});
		n8nUrl = addressOf(n8n);
	});
	afterAll(() => {
		n8n.closeAllConnections();
		n8n.close();
	});
	beforeEach(() => {
		received = [];
		replies = [];
		always = undefined;
	});
	afterEach(() => jest.restoreAllMocks());

	const waiting = (execution = 231) =>
		`${n8nUrl}/webhook-waiting/${execution}?signature=abc&wait=1`;
	const about = (n8nResumeUrl: string, changes: object = {}) => ({
		...event,
		...changes,
		metadata: { ...event.metadata, n8nResumeUrl },
	});
	const deliver = (body: unknown, parameters: object = {}, id: string = randomUUID()) =>
		send({ ...open, ...parameters }, { body, n8nUrl, node: { id } });

	it("resumes the execution without starting the trigger's workflow", async () => {
		const { status, started, body } = await deliver(about(waiting()));
		expect({ status, started }).toEqual({ status: 200, started: false });
		expect(body).toMatchObject({ resumed: 1, started: 0 });
		expect(received).toEqual([
			[
				'/webhook-waiting/231?signature=abc&wait=1',
				expect.objectContaining({ event: 'call.completed', callId: 7, payload: expect.anything() }),
			],
		]);
	});

	it('resumes the execution regardless of the event types that start the workflow', async () => {
		const { started, body } = await deliver(about(waiting()), { kinds: 'call.failed' });
		expect(started).toBe(false);
		expect(body).toMatchObject({ resumed: 1 });
		expect(received).toHaveLength(1);
	});

	it.each(['tool_calls', 'transcript', 'call.ringing', 'call_answered', 'call.created'])(
		'resumes nothing and starts nothing during the call: %s',
		async (type) => {
			const { started, body } = await deliver(about(waiting(), { event: type }));
			expect(started).toBe(false);
			expect(body).toMatchObject({ resumed: 0, filtered: 1 });
			expect(received).toEqual([]);
		},
	);

	it('also starts the workflow if the user wants that', async () => {
		const both = await deliver(about(waiting()), { eventOptions: { resume: 'resumeAndStart' } });
		expect(both).toMatchObject({ started: true, body: { resumed: 1, started: 1 } });
		expect(received).toHaveLength(1);
	});

	it('never exposes the resume URL to a workflow or an execution', async () => {
		const body = about(waiting());
		const { workflowData } = await deliver(body, { eventOptions: { resume: 'resumeAndStart' } });
		expect(workflowData?.[0]?.[0]?.json.metadata).toEqual({ loadNumber: '48213' });
		expect(JSON.stringify([workflowData, received[0]?.[1]])).not.toContain('webhook-waiting');
	});

	it.each([
		['does not exist', { status: 404 }, 'n8n responded with 404'],
		['is elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, '302'],
	])('starts the workflow if the execution %s, and reports that', async (_what, reply, reason) => {
		replies = [reply];
		const { started, logs } = await deliver(about(waiting()));
		expect(started).toBe(true);
		expect(received).toHaveLength(1);
		expect(logs.map(({ text }) => text).join()).toContain(reason);
		expect(JSON.stringify(logs)).not.toContain('abc');
	});

	it('starts no workflow if the execution has finished, because another trigger resumed it', async () => {
		replies = [finished];
		const { started, logs } = await deliver(about(waiting()));
		expect(started).toBe(false);
		expect(logs.map(({ text }) => text).join()).toContain('has finished');
		replies = [finished];
		const both = await deliver(about(waiting()), { eventOptions: { resume: 'resumeAndStart' } });
		expect(both.started).toBe(true);
	});

	it("starts the workflow if n8n's own certificate is not accepted, because nothing was sent", async () => {
		let requests = 0;
		const untrusted = createServer(selfSigned(), () => requests++);
		await new Promise<void>((ready) => untrusted.listen(0, '127.0.0.1', ready));
		const url = addressOf(untrusted).replace('http:', 'https:');
		const body = about(`${url}/webhook-waiting/1`);
		const { started, logs } = await send(open, { body, n8nUrl: url });
		untrusted.close();
		expect([started, requests]).toEqual([true, 0]);
		expect(logs.map(({ text }) => text).join()).toContain('could not be reached at its own URL');
	});

	it('resumes an execution that is not waiting yet', async () => {
		replies = [running, running, 200];
		const { started, body } = await deliver(about(waiting()));
		expect(started).toBe(false);
		expect(body).toMatchObject({ resumed: 1 });
		expect(received).toHaveLength(3);
	});

	it('does not start the workflow if it is unknown whether the execution was resumed', async () => {
		for (const reply of [{ instead: 'hangUp' }, { status: 502 }, { status: 504 }] as Reply[]) {
			replies = [reply];
			const { status, started, logs } = await deliver(about(waiting()));
			expect([status, started]).toEqual([200, false]);
			expect(logs.map(({ text }) => text).join()).toContain('no clear response');
		}
		expect(received).toHaveLength(3);
	});

	it('is acknowledged within 8 seconds while 20 executions do not respond', async () => {
		skipPauses(500);
		const begin = Date.now();
		const SILENT = 20;
		const hanging = await receiver(async ({ query }) =>
			String(query?.path).includes(`/${SILENT}?`) ? { instead: 'never' } : running,
		);
		const url = addressOf(hanging);
		const events = Array.from({ length: SILENT + 1 }, (_, nth) =>
			about(`${url}/webhook-waiting/${nth}?signature=abc`, { callId: nth }),
		);
		const { status, body } = await send(open, { body: events, n8nUrl: url });
		const took = Date.now() - begin;
		hanging.closeAllConnections();
		hanging.close();
		// Only 20 are sent at the same time, so the last begins when the others have been given up.
		expect({ status, body }).toMatchObject({ status: 200, body: { started: 20, resumed: 1 } });
		expect(took).toBeGreaterThanOrEqual(8000);
		expect(took).toBeLessThan(15_000);
	});

	it('is passed on at the same time as the other events of its request', async () => {
		let arrived = 0;
		let release: () => void = () => undefined;
		const all = new Promise<void>((resolve) => (release = resolve));
		const slow = await receiver(async () => {
			arrived += 1;
			if (arrived === 10) release();
			await all;
			return 200;
		});
		const url = addressOf(slow);
		const body = Array.from({ length: 10 }, (_, callId) =>
			about(`${url}/webhook-waiting/${callId}`, { callId }),
		);
		const answer = await send(open, { body, n8nUrl: url });
		release();
		slow.close();
		expect(answer).toMatchObject({ started: false, body: { resumed: 10 } });
	});

	it('starts nothing when it is delivered again, during or after the first time', async () => {
		const id = randomUUID();
		replies = [200, finished, finished, finished];
		const body = about(waiting());
		const together = await Promise.all([1, 2, 3].map(() => deliver(body, {}, id)));
		const later = await deliver(body, {}, id);
		expect([...together, later].map(({ started }) => started)).toEqual(Array(4).fill(false));
		expect(together.filter(({ body: seen }) => Object(seen).resumed === 1)).toHaveLength(1);
		expect(later.body).toMatchObject({ duplicates: 1, resumed: 0 });
	});

	it('resumes the execution even if its ID looks like a duplicate', async () => {
		const id = randomUUID();
		const byType = { eventOptions: { eventIdField: 'event' } };
		await deliver(about(waiting(1)), byType, id);
		const second = await deliver(about(waiting(2), { callId: 8 }), byType, id);
		expect(second.body).toMatchObject({ resumed: 1, started: 0 });
		expect(received).toHaveLength(2);
	});

	it('is never sent to another host or path', async () => {
		const other = await receiver(async ({ query }) => {
			received.push([query?.path, 'other']);
			return 200;
		});
		for (const url of [
			`${addressOf(other)}/webhook-waiting/1`,
			`${n8nUrl}/webhook-waiting/../rest/users`,
			`${n8nUrl}/rest/users`,
		]) {
			expect(await deliver(about(url))).toMatchObject({ started: true, body: { resumed: 0 } });
		}
		other.close();
		expect(received).toEqual([]);
	});
});

describe('a subscription', () => {
	it('always exists, because the service has no subscriptions', async () => {
		for (const method of ['checkExists', 'create', 'delete'] as const) {
			expect(await engine.webhookMethod(method, {}, {})).toBe(true);
		}
	});
});
