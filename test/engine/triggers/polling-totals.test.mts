import { openPublishing } from '../support/triggers/published-trigger.mts';
import { clock, HOUR, iso, MINUTE, setClock, start } from '../support/triggers/simulated-clock.mts';

const { openService, publish } = openPublishing();

const callAt = (id: number, made: number) => ({ id, createdAt: iso(made), summary: 'said' });

describe('a service whose total disagrees with its list', () => {
	it('does not stop polling when the total is too high by one', async () => {
		const service = await openService();
		service.total = (count) => count + 1;
		const { poller, ids } = await publish({ event: 'newCall' });
		for (let id = 1; id <= 1200; id++) service.add(start + id, callAt(id, start + id));
		for (let poll = 0; poll < 4; poll++) {
			setClock(clock.now + MINUTE);
			await poller.poll();
		}
		expect(poller.failures).toEqual([]);
		expect(ids()).toEqual(Array.from({ length: 1200 }, (_, index) => index + 1));
	});

	it('is read in parts when it returns only some of a range', async () => {
		const service = await openService();
		const { poller, ids } = await publish({ event: 'newCall', options: { catchUpHours: 24 } });
		for (let id = 1; id <= 40; id++)
			service.add(start + id * MINUTE, callAt(id, start + id * MINUTE));
		service.returns = (rows) => rows.slice(0, 10);
		setClock(start + 5 * HOUR);
		await poller.poll();
		expect(ids()).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
	});

	it('makes a poll fail visibly when a range cannot be read completely, and continues there later', async () => {
		const service = await openService();
		const { poller, ids } = await publish({ event: 'newCall' });
		for (let id = 1; id <= 200; id++) {
			service.add(start + MINUTE + id, callAt(id, start + MINUTE + id));
		}
		let request = 0;
		// Each response has one different record, so no two agree.
		service.returns = (rows) => rows.slice((request += 7) % rows.length).slice(0, 1);
		setClock(start + 5 * HOUR);
		await poller.poll();
		expect(poller.failures).toHaveLength(1);
		expect(poller.failures[0]).toMatchObject({
			description: expect.stringMatching(
				/^The service returned \d+ records .* The next poll reads them again\./,
			),
		});
		service.returns = (rows) => rows;
		await poller.poll();
		expect(ids()).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
	});
});

describe('more records in the overlap than the trigger remembers', () => {
	it('are delivered once', async () => {
		const service = await openService();
		const { poller, ids } = await publish({ event: 'newCall' });
		for (let id = 1; id <= 2500; id++)
			service.add(start + id * 1000, callAt(id, start + id * 1000));
		setClock(start + 45 * MINUTE);
		for (let poll = 0; poll < 12; poll++) {
			setClock(clock.now + MINUTE);
			await poller.poll();
		}
		expect(poller.failures).toEqual([]);
		expect(ids()).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1));
	});
});
