import type { RunningN8n } from '../../../playground/n8n/n8n.mts';
import { waitUntil } from '../../support/wait-until.mts';
import type { Cluster } from '../support/cluster.mts';
import { post } from '../support/workflows.mts';
import { newDriver } from '../support/drivers.mts';
import { EventWorkflow } from '../support/event-workflow.mts';

const eventOf = (callId: string) => ({ event: 'call_ended', callId, summary: 'On time' });
const sumOf = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0);
const measured = (line: string) => process.stderr.write(`Measured: ${line}\n`);

/**
 * n8n 2.41 responds to an event once it has stored the execution and then the static data (live-webhooks.js,
 * executeWebhook). A process that gets the event after that finds both.
 *
 * Needs a worker that can run Code nodes.
 */
export function testWebhookProcesses(cluster: Cluster): void {
	let one: RunningN8n;
	let other: RunningN8n;
	beforeAll(async () => {
		const start = async (name: string) => await cluster.startWebhookProcess(name);
		[one, other] = await Promise.all([start('webhook1'), start('webhook2')]);
		// Waiting executions are resumed through the first one, whoever gets the event.
		cluster.resumeThrough(one);
	});
	afterAll(async () => {
		cluster.resumeThrough(cluster.main);
		await cluster.stopWebhookProcesses();
	});
	beforeEach(() => cluster.forget());

	it('start once for an event that is delivered again to the other one', async () => {
		const workflow = await EventWorkflow.publish(cluster);
		for (let nth = 1; nth <= 10; nth++) {
			const event = eventOf(`again ${nth}`);
			const [first, second] = nth % 2 === 0 ? [one, other] : [other, one];
			expect(await workflow.deliver(first, event)).toBe(1);
			expect(await workflow.deliver(second, event)).toBe(0);
			expect(await workflow.deliver(first, event)).toBe(0);
		}
		expect(await workflow.executions()).toBe(10);
	});

	it('start once or twice for an event that reaches both at the same time, and not again later', async () => {
		const workflow = await EventWorkflow.publish(cluster);
		const started: number[] = [];
		for (let nth = 1; nth <= 20; nth++) {
			const event = eventOf(`at once ${nth}`);
			const both = [one, other].map((each) => workflow.deliver(each, event));
			started.push(sumOf(await Promise.all(both)));
			expect(await workflow.deliver(one, event)).toBe(0);
			expect(await workflow.deliver(other, event)).toBe(0);
		}
		measured(`20 events that reached both at once started ${sumOf(started)} executions`);
		expect(Math.min(...started)).toBeGreaterThanOrEqual(1);
		expect(await workflow.executions()).toBe(sumOf(started));
	});

	it('may each miss an event that the other gets at the same moment, but never both', async () => {
		const workflow = await EventWorkflow.publish(cluster);
		const again: number[] = [];
		for (let nth = 1; nth <= 20; nth++) {
			const [left, right] = [eventOf(`left ${nth}`), eventOf(`right ${nth}`)];
			const both = [workflow.deliver(one, left), workflow.deliver(other, right)];
			expect(await Promise.all(both)).toEqual([1, 1]);
			// The process that got an event knows it, whatever the other one has saved since.
			expect(await workflow.deliver(one, left)).toBe(0);
			expect(await workflow.deliver(other, right)).toBe(0);
			again.push((await workflow.deliver(other, left)) + (await workflow.deliver(one, right)));
			expect(await workflow.deliver(other, left)).toBe(0);
			expect(await workflow.deliver(one, right)).toBe(0);
		}
		measured(`in 20 pairs at once, ${sumOf(again)} events started again at the other process`);
		expect(Math.max(...again)).toBeLessThanOrEqual(1);
		expect(await workflow.executions()).toBe(40 + sumOf(again));
	});

	it('know such an event again after the next one at the process that got it', async () => {
		const workflow = await EventWorkflow.publish(cluster);
		for (let nth = 1; nth <= 10; nth++) {
			const [left, right] = [eventOf(`left ${nth}`), eventOf(`right ${nth}`)];
			const both = [workflow.deliver(one, left), workflow.deliver(other, right)];
			expect(await Promise.all(both)).toEqual([1, 1]);
			expect(await workflow.deliver(one, eventOf(`next at one ${nth}`))).toBe(1);
			expect(await workflow.deliver(other, eventOf(`next at the other ${nth}`))).toBe(1);
			expect(await workflow.deliver(other, left)).toBe(0);
			expect(await workflow.deliver(one, right)).toBe(0);
		}
		expect(await workflow.executions()).toBe(40);
	});

	it('each still know their own events after a node that saved static data itself, which overwrites theirs', async () => {
		const jsCode = "$getWorkflowStaticData('global').last = Date.now(); return $input.all();";
		const saving = { type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
		const workflow = await EventWorkflow.publish(cluster, saving);
		let again = 0;
		for (let nth = 1; nth <= 8; nth++) {
			const event = eventOf(`overwritten ${nth}`);
			expect(await workflow.deliver(one, event)).toBe(1);
			// The worker saves static data when the execution ends.
			const ended = async () => (await workflow.successesByCall()).has(event.callId);
			await waitUntil('the end of the execution', ended);
			expect(await workflow.deliver(one, event)).toBe(0);
			again += await workflow.deliver(other, event);
			expect(await workflow.deliver(one, event)).toBe(0);
			expect(await workflow.deliver(other, event)).toBe(0);
		}
		measured(`after a node saved static data, ${again} of 8 events started again at the other`);
		// Else the node did not overwrite anything.
		expect(again).toBeGreaterThan(0);
		expect(await workflow.executions()).toBe(8 + again);
	});

	describe('one of which is killed while it receives events', () => {
		const known = eventOf('before the kill');
		const calls = Array.from({ length: 20 }, (_, nth) => `at the kill ${nth}`);
		let before: EventWorkflow;
		let during: EventWorkflow;
		let answered: number;
		beforeAll(async () => {
			before = await EventWorkflow.publish(cluster);
			during = await EventWorkflow.publish(cluster);
			expect(await before.deliver(other, known)).toBe(1);
			const first = calls.map(async (callId) => await during.deliver(other, eventOf(callId)));
			const settled = Promise.allSettled(first);
			await Promise.any(first);
			process.kill(other.pid, 'SIGKILL');
			await other.exited;
			other = await cluster.startWebhookProcess('webhook2');
			answered = (await settled).filter(({ status }) => status === 'fulfilled').length;
		});

		it('remember the events of one that was killed and started again', async () => {
			expect(await before.deliver(one, known)).toBe(0);
			expect(await before.deliver(other, known)).toBe(0);
			expect(await before.executions()).toBe(1);
		});

		it('run an event once or twice, and never miss it, if one is killed while it receives it', async () => {
			let again = 0;
			for (const [nth, callId] of calls.entries()) {
				again += await during.deliver(nth % 2 === 0 ? one : other, eventOf(callId));
			}
			const successes = async () => await during.successesByCall();
			await waitUntil('each event', async () => (await successes()).size === calls.length);
			const stored = await during.executions();
			measured(`killed after ${answered} of 20 answers: ${again} started again, ${stored} stored`);
			expect(Math.max(...(await successes()).values())).toBeLessThanOrEqual(2);
		});
	});

	it('resume a waiting execution once, whichever of them gets the event, or both', async () => {
		const workflow = await EventWorkflow.publish(cluster);
		const waiting = await cluster.workflows.checkCall({ waitForOutcome: 'webhook', waitLimit: 30 });
		const withStatus = async (status: string) =>
			(await cluster.executions.of(waiting.id)).filter((each) => each.status === status).length;
		const receivers = [[one], [other], [one, other], [other, one]];
		for (const [nth, processes] of receivers.entries()) {
			await post(waiting.url, newDriver());
			await waitUntil('the wait', async () => (await withStatus('waiting')) === 1);
			const { callId, metadata } = cluster.sandbox.ledger.dialed()[nth] ?? {};
			const event = { ...eventOf(''), callId, metadata };
			const started = await Promise.all(
				processes.map(async (each) => await workflow.deliver(each, event)),
			);
			measured(`event for a waiting execution at ${started.length}: ${sumOf(started)} started`);
			// The one whose event is not taken anymore starts the workflow instead.
			expect(sumOf(started)).toBeLessThan(processes.length);
			await waitUntil('the outcome', async () => (await withStatus('success')) === nth + 1);
			expect(await workflow.deliver(one, event)).toBe(0);
			expect(await workflow.deliver(other, event)).toBe(0);
		}
		for (const { id } of await cluster.executions.of(waiting.id)) {
			const { items, runs } = await cluster.executions.calls(id);
			expect(runs).toBe(1);
			expect(items).toEqual([expect.objectContaining({ timedOut: false, summary: 'On time' })]);
		}
		expect(cluster.sandbox.ledger.dialed()).toHaveLength(receivers.length);
	});
}
