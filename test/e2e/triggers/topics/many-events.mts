import { deliver, eventOf } from '../support/events.mts';
import type { TriggersEnvironment } from '../support/triggers-environment.mts';
import { waitUntil } from '../../../support/wait-until.mts';

/** Many events at a time. */
export function testManyEvents(environment: TriggersEnvironment): void {
	describe('many events', () => {
		// Ten for each sender. An event costs n8n a fifth of a second of CPU time.
		const COUNT = 160;

		it('start one execution each, with their own metadata; none is lost or duplicated', async () => {
			const { id, url } = await environment.activeTrigger();
			const numbers = Array.from({ length: COUNT }, (_, nth) => nth);
			const queue = numbers.values();
			const statuses: number[] = [];
			const sender = async () => {
				for (const nth of queue) {
					const body = eventOf({ callId: nth, metadata: { nth, load: `L${nth}` } });
					statuses.push((await deliver(url, body)).status);
				}
			};
			await Promise.all(Array.from({ length: 16 }, sender));
			expect(statuses.filter((status) => status === 200)).toHaveLength(COUNT);

			const all = async () => (await environment.executionCount(id, 'success')) >= COUNT;
			await waitUntil('all executions', all, 1_000_000);
			const metadata: unknown[] = [];
			const executions = (await environment.executionIds(id)).values();
			const reader = async () => {
				for (const execution of executions) {
					const items = await environment.itemsOf(execution);
					metadata.push(...items.map((item) => item['metadata']));
				}
			};
			await Promise.all(Array.from({ length: 4 }, reader));
			const byNumber = (one: unknown, other: unknown) =>
				Number(Object(one).nth) - Object(other).nth;
			expect(metadata.sort(byNumber)).toEqual(numbers.map((nth) => ({ nth, load: `L${nth}` })));
		});
	});
}
