import { waitUntil } from '../../support/wait-until.mts';
import { deliver, eventOf, send, signed } from './support/events.mts';
import { createKillHook, type Moment } from './support/kill-hook.mts';
import { TriggersEnvironment } from './support/triggers-environment.mts';

const hook = createKillHook();
const environment = new TriggersEnvironment({ EXTERNAL_HOOK_FILES: hook.file });
let id: string;
let path: string;
beforeAll(async () => {
	await environment.open();
	// The execution is still running when n8n is killed.
	const pause = { type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: { amount: 5 } };
	const { id: workflow, url } = await environment.activeTrigger({}, { Pause: pause });
	id = workflow;
	path = new URL(url).pathname;
});
afterAll(async () => {
	await environment.close();
	hook.remove();
});

/** Delivers an event, and again once n8n has been killed and runs again, until n8n responds. */
async function deliverThroughKill(moment: Moment, body: string): Promise<void> {
	hook.killAt(moment);
	const url = () => `${environment.baseUrl}${path}`;
	await expect(send(url(), signed(body))).rejects.toThrow();
	await environment.exited();
	hook.killAt('never');
	await environment.restart();
	await environment.registered(url());
	expect(await deliver(url(), body)).toMatchObject({ status: 200 });
}

describe('an event that is delivered again after n8n was killed', () => {
	it.each<[Moment, string[]]>([
		['before the execution is stored', ['success']],
		['before the memory is saved', ['success', 'crashed']],
		// The duplicate is ignored: n8n shows the crashed execution, and it can be retried there.
		['before the response is sent', ['crashed']],
	])('%s: its executions are %j', async (moment, expected) => {
		const before = await environment.executionIds(id);
		await deliverThroughKill(moment, eventOf({ id: moment }));
		const seen = async () => {
			const ids = (await environment.executionIds(id)).filter((each) => !before.includes(each));
			const { executions } = environment.session;
			return await Promise.all(ids.map(async (each) => await executions.status(each)));
		};
		const isOver = async () => (await seen()).every((status) => /success|crashed/.test(status));
		await waitUntil('the end of its executions', isOver);
		expect(await seen()).toEqual(expected);
	});
});

describe('an event to which n8n responds with 500 although it has stored the execution', () => {
	it('starts when it is delivered again and at the next start of n8n; Remove Duplicates drops it', async () => {
		const { id: recipe, url } = await environment.recipe();
		const body = eventOf();
		hook.failOnce();
		expect(await send(url, signed(body))).toMatchObject({ status: 500 });
		expect(await deliver(url, body)).toMatchObject({ status: 200 });
		const left = async () => (await environment.executionCount(recipe, 'new')) === 1;
		await waitUntil('the other one to have started', left);
		await environment.restart();
		const ids = await environment.executionIds(recipe);
		await waitUntil('the end of both', async () => await environment.haveEnded(ids));
		const kept = await Promise.all(
			ids.map(async (each) => (await environment.itemsOf(each, 'Remove Duplicates', 0)).length),
		);
		expect(kept.toSorted()).toEqual([0, 1]);
	});
});

describe('many events at the same time, when n8n is killed as it is about to save what it remembers', () => {
	it('start at most twice, and none is lost; those acknowledged since the last save start again', async () => {
		const before = await environment.executionCount(id);
		const bodies = new Map<number, string>();
		const answered = new Set<number>();
		let isDead = false;
		const death = environment.exited().then(() => (isDead = true));
		const numbers = Array.from({ length: 1000 }, (_, nth) => nth).values();
		const sender = async () => {
			for (const nth of numbers) {
				if (isDead) return;
				const body = eventOf({ callId: nth, kill: 'at once' });
				bodies.set(nth, body);
				const url = `${environment.baseUrl}${path}`;
				const answer = await send(url, signed(body)).catch(() => undefined);
				if (answer?.status === 200) answered.add(nth);
				if (answered.size === 40) hook.killAt('before the memory is saved');
			}
		};
		await Promise.all(Array.from({ length: 8 }, sender));
		await death;
		hook.killAt('never');
		await environment.restart();
		const url = `${environment.baseUrl}${path}`;
		await environment.registered(url);
		const again = new Map<number, number>();
		for (const [nth, body] of bodies) {
			const { text } = await deliver(url, body);
			again.set(nth, Number(Object(JSON.parse(text)).started));
		}
		const forgotten = [...answered].filter((nth) => again.get(nth) === 1).length;
		// Those of about a second, or of no time at all.
		expect(forgotten).toBeLessThan(answered.size);
		// Whoever was not answered starts now, or had started already.
		for (const [nth, body] of bodies) {
			const { text } = await deliver(url, body);
			expect([nth, JSON.parse(text)]).toEqual([nth, expect.objectContaining({ duplicates: 1 })]);
		}
		const started = (await environment.executionCount(id)) - before;
		expect(started).toBeGreaterThanOrEqual(bodies.size);
		expect(started).toBeLessThanOrEqual(2 * bodies.size);
	});
});
