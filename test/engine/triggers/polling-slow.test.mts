import { shortBackoffs } from '../../support/pauses.mts';
import { waitUntil } from '../../support/wait-until.mts';
import type { ListService } from '../support/triggers/list-service.mts';
import { openPublishing } from '../support/triggers/published-trigger.mts';
import { clock, HOUR, iso, MINUTE, setClock, start } from '../support/triggers/simulated-clock.mts';

const { openService, publish } = openPublishing();
afterEach(() => jest.restoreAllMocks());

/** So short that no list with several pages can be read in one poll, in milliseconds. */
const budgetMs = 20;

/** Calls that the service lists, with IDs from 1. */
function addCalls(service: ListService, count: number, madeAt: (id: number) => number) {
	const first = service.rows.length + 1;
	const ids = Array.from({ length: count }, (_, index) => first + index);
	for (const id of ids) {
		service.add(madeAt(id), { id, createdAt: iso(madeAt(id)), summary: 'said' });
	}
	return ids;
}

/** Makes the service answer only while the returned function has been called. */
function holdAnswers(service: ListService): () => void {
	let release: () => void = () => undefined;
	const held = new Promise<void>((resolve) => (release = resolve));
	service.before = async () => {
		await held;
		return undefined;
	};
	return release;
}

describe.each([
	['static data', false],
	['durable cursors', true],
])('with %s, a list that takes longer to read than a poll may', (_, durable) => {
	const open = async () => {
		const service = await openService();
		const published = await publish({ event: 'newCall' }, { durable });
		setClock(start + MINUTE);
		// A publish must be quick; the polls after it are not.
		published.poller.options.budgetMs = budgetMs;
		return { service, ...published };
	};

	it('brings all calls of one second once, and is read once', async () => {
		const { service, poller, ids } = await open();
		const added = addCalls(service, 2600, () => start + 1);
		setClock(start + 2 * MINUTE);
		const release = holdAnswers(service);
		const before = service.requests;
		for (let late = 0; late < 3; late++) await poller.poll();
		expect(ids()).toEqual([]);
		expect(service.requests - before).toBe(1);
		release();
		await waitUntil('the calls', async () => {
			await poller.poll();
			return ids().length > 0;
		});
		expect(ids()).toEqual(added);
		expect(poller.executions).toHaveLength(1);
		expect(poller.failures).toEqual([]);
		// Two tries with up to 2,000 of them, and one that reads all, six or more requests each.
		expect(service.requests - before).toBeLessThan(30);
		const later = addCalls(service, 3, () => clock.now - 1);
		setClock(start + 3 * MINUTE);
		await waitUntil('more calls', async () => {
			await poller.poll();
			return ids().length > added.length;
		});
		expect(ids()).toEqual([...added, ...later]);
	});

	it('brings them although the service returns 50 at a time, and is busy every third time', async () => {
		shortBackoffs();
		const { service, poller, ids } = await open();
		const added = addCalls(service, 700, () => start + 1);
		service.pageSize = 50;
		service.before = async () => (service.requests % 3 === 0 ? 503 : undefined);
		poller.options.budgetMs = 2000;
		setClock(start + 2 * MINUTE);
		await waitUntil('the calls', async () => {
			await poller.poll();
			return ids().length > 0;
		});
		expect(ids()).toEqual(added);
	});

	it('brings a catch-up of six hours in order, in several executions', async () => {
		const { service, poller, ids } = await open();
		const added: number[] = [];
		for (let hour = 1; hour <= 6; hour++) {
			added.push(...addCalls(service, hour === 3 ? 2200 : 300, () => start + hour * HOUR));
		}
		setClock(start + 7 * HOUR);
		await waitUntil('the calls', async () => {
			await poller.poll();
			return ids().length >= added.length;
		});
		expect(ids()).toEqual(added);
		expect(poller.executions.length).toBeGreaterThan(1);
		expect(poller.failures).toEqual([]);
	});

	it('fails a poll visibly if the service fails after the poll was over', async () => {
		const { service, poller, ids } = await open();
		const added = addCalls(service, 2, () => start + 1);
		setClock(start + 2 * MINUTE);
		let isDown = true;
		const release = holdAnswers(service);
		const { before } = service;
		service.before = async () => {
			await before();
			return isDown ? 500 : undefined;
		};
		await poller.poll();
		expect(poller.failures).toEqual([]);
		release();
		await waitUntil('a failed poll', async () => {
			await poller.poll();
			return poller.failures.length > 0;
		});
		expect(poller.failures[0]).toMatchObject({ name: 'NodeApiError', httpCode: '500' });
		isDown = false;
		await waitUntil('the calls', async () => {
			await poller.poll();
			return ids().length > 0;
		});
		expect(ids()).toEqual(added);
	});

	it('fails the polls visibly after 15 minutes, and still brings its calls', async () => {
		const { service, poller, ids } = await open();
		const added = addCalls(service, 2, () => start + 1);
		setClock(start + 2 * MINUTE);
		const release = holdAnswers(service);
		await poller.poll();
		setClock(start + 17 * MINUTE);
		await poller.poll();
		expect(poller.failures[0]).toMatchObject({
			description: expect.stringContaining('has been read for 15 minutes and is not complete'),
		});
		release();
		await waitUntil('the calls', async () => {
			await poller.poll();
			return ids().length > 0;
		});
		expect(ids()).toEqual(added);
	});
});
