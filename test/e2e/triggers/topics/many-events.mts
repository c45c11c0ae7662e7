import { deliver, eventOf } from '../support/events.mts';
import type { TriggersEnvironment } from '../support/triggers-environment.mts';
import { waitUntil } from '../../../support/wait-until.mts';

/** Many events at a time. Restarts n8n. */
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

		it('start once when each is delivered several times at once, and again after a restart', async () => {
			const { id, url } = await environment.activeTrigger();
			// Few enough for n8n: a write to SQLite that waits for over 60 s fails, and then n8n 2.41 may
			// leave an execution that it runs at its next start, although it answered 500.
			const bodies = Array.from({ length: 20 }, () => eventOf());
			const deliveries = Array.from({ length: 5 }, () => bodies).flat();
			const answers = await Promise.all(deliveries.map(async (body) => await deliver(url, body)));
			expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
			await waitUntil('the executions', async () => (await environment.executionCount(id)) === 20);

			// Of simultaneous requests, the last one's static data wins. The next event saves all of it.
			await deliver(url, eventOf());
			await environment.restart();
			const again = url.replace(/^http:\/\/[^/]+/, environment.baseUrl);
			await environment.registered(again);
			const repeated = await Promise.all(
				bodies.map(async (body) => JSON.parse((await deliver(again, body)).text) as object),
			);
			expect(repeated).toEqual(
				bodies.map(() => expect.objectContaining({ duplicates: 1, started: 0 })),
			);
			expect(await environment.executionIds(id)).toHaveLength(21);
		});
	});
}
