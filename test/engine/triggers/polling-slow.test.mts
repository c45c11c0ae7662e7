import { setTimeout as wait } from 'node:timers/promises';
import type { ListService } from '../support/triggers/list-service.mts';
import { openPublishing } from '../support/triggers/published-trigger.mts';
import { clock, HOUR, iso, MINUTE, setClock, start } from '../support/triggers/simulated-clock.mts';

const { openService, publish } = openPublishing();

/** Calls that the service lists, with IDs from 1. */
function addCalls(service: ListService, count: number, madeAt: (index: number) => number) {
	const first = service.rows.length + 1;
	return Array.from({ length: count }, (_, index) => {
		const made = madeAt(index);
		service.add(made, { id: first + index, createdAt: iso(made), summary: 'said' });
		return first + index;
	});
}

describe.each([
	['static data', false],
	['durable cursors', true],
])('with %s, a list that takes longer to read than n8n lets a poll run', (_, durable) => {
	it('is delivered in order, in several polls, after failed ones that say so', async () => {
		const service = await openService();
		const { poller, ids } = await publish({ event: 'newCall' }, { durable });
		const added: number[] = [];
		for (let hour = 1; hour <= 6; hour++) {
			added.push(...addCalls(service, 1500, (index) => start + hour * HOUR + index * 1000));
		}
		setClock(start + 7 * HOUR);
		// Pages of 500 calls: a poll can read fewer than 2,500.
		service.before = async () => await wait(40, undefined);
		poller.options.budgetMs = 350;
		for (let poll = 0; poll < 60 && ids().length < added.length; poll++) {
			setClock(clock.now + MINUTE);
			await poller.poll();
		}
		expect(ids()).toEqual(added);
		expect(poller.executions.length).toBeGreaterThan(3);
		for (const failure of poller.failures) {
			expect(failure).toMatchObject({
				description: expect.stringContaining('The next poll reads a shorter time range'),
			});
		}
	});
});

it('a service that is slow for a while fails the polls visibly, and nothing is lost', async () => {
	const service = await openService();
	const { poller, ids } = await publish({ event: 'newCall' });
	const added = addCalls(service, 20, (index) => start + index * MINUTE);
	setClock(start + 30 * MINUTE);
	service.before = async () => await wait(200, undefined);
	poller.options.budgetMs = 100;
	for (let poll = 0; poll < 3; poll++) await poller.poll();
	expect(poller.failures).toHaveLength(3);
	poller.options.budgetMs = 5 * MINUTE;
	service.before = async () => undefined;
	await poller.poll();
	expect(ids()).toEqual(added);
});
