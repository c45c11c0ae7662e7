import { eventOf, send, signed } from '../support/events.mts';
import type { TriggersEnvironment } from '../support/triggers-environment.mts';
import { startWaiting } from '../support/waiting-workflow.mts';
import { waitUntil } from '../../../support/wait-until.mts';

/** The trigger with other nodes of n8n. */
export function testWorkflows(environment: TriggersEnvironment): void {
	describe('Remove Duplicates after a trigger that lets duplicates through', () => {
		it('runs the next nodes once for each event', async () => {
			const { url, id } = await environment.recipe();
			const body = eventOf({ id: 'evt_1' });
			let count = 0;
			for (const other of [body, body, eventOf({ id: 'evt_2' }), body]) {
				expect(await send(url, signed(other))).toMatchObject({ status: 200 });
				count += 1;
				await waitUntil('the end of its execution', async () => {
					const ids = await environment.executionIds(id);
					return ids.length === count && (await environment.haveEnded(ids));
				});
			}
			const executions = await environment.executionIds(id);
			const passed = await Promise.all(
				executions.map(async (one) => await environment.itemsOf(one, 'Remove Duplicates', 0)),
			);
			const ids = passed.flat().map((item) => Object(item['payload']).id);
			expect(ids.sort()).toEqual(['evt_1', 'evt_2']);
		});
	});

	describe('a waiting execution', () => {
		it('continues with the event, and no other execution starts', async () => {
			const { id, url } = await environment.activeTrigger();
			const { workflowId: waitingId, n8nResumeUrl } = await startWaiting(environment);
			expect(n8nResumeUrl).toContain('/webhook-waiting/');

			const body = eventOf({ metadata: { n8nResumeUrl } });
			const { text } = await send(url, signed(body));
			expect(JSON.parse(text)).toMatchObject({ resumed: 1, started: 0 });
			const [execution = ''] = await environment.executionIds(waitingId);
			await waitUntil(
				'the end of the waiting',
				async () => await environment.haveEnded([execution]),
			);
			const [item] = await environment.itemsOf(execution, 'Wait');
			// Anyone with the resume URL can end the wait, so the workflow doesn't see it.
			const payload = { ...JSON.parse(body), metadata: {} };
			expect(item?.['body']).toMatchObject({ event: 'call.completed', payload });
			expect(await environment.executionIds(id)).toEqual([]);

			// The wait is over, and this trigger only resumes: the trigger that saves all outcomes starts.
			const late = await send(url, signed(eventOf({ metadata: { n8nResumeUrl } })));
			expect(JSON.parse(late.text)).toMatchObject({ resumed: 0, started: 0 });
		});
	});
}
