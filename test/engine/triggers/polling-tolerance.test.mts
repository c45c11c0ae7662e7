import { openPublishing } from '../support/triggers/published-trigger.mts';
import { clock, HOUR, iso, MINUTE, setClock, start } from '../support/triggers/simulated-clock.mts';

const { openService, publish } = openPublishing();

const callOf = (id: number, made: number) => ({ id, createdAt: iso(made), summary: 'said' });

describe('times without a zone', () => {
	it.each([-6, 5.5, 14])('in UTC%p do not cause a missed record', async (zone) => {
		const service = await openService();
		const { poller, ids } = await publish({ event: 'newCall' });
		const inserted: number[] = [];
		for (let id = 1; id <= 288; id++) {
			setClock(start + id * 5 * MINUTE);
			const createdAt = iso(clock.now + zone * HOUR).replace(/(\.\d+)?Z$/, '');
			service.add(clock.now - 1, { id, createdAt, summary: 'said' });
			inserted.push(id);
			if (id % 4 === 0) await poller.poll();
		}
		expect(ids()).toEqual(inserted);
	});
});

describe('times without a zone in a busy hour', () => {
	it.each([-6, 6])('in UTC%p need few requests', async (zone) => {
		const service = await openService();
		const { poller, ids } = await publish({ event: 'newCall' });
		const inserted = Array.from({ length: 3000 }, (_, index) => index + 1);
		for (const id of inserted) {
			const made = start + id * 1000;
			const createdAt = iso(made + zone * HOUR).replace(/(\.\d+)?Z$/, '');
			service.add(made, { id, createdAt, summary: 'said' });
		}
		setClock(start + 55 * MINUTE);
		for (let poll = 0; poll < 4; poll++) await poller.poll();
		expect(ids()).toEqual(inserted);
		expect(service.requests).toBeLessThan(60);
	});
});

describe('a service that lists a record for longer than the overlap', () => {
	it.each([
		['all day, with only the day as its time', (made: number) => iso(made).slice(0, 10), 24],
		['for days, with no time', () => null, 60],
	])('brings it once: %s', async (_how, createdAt, hours) => {
		const service = await openService();
		service.returns = () =>
			service.rows.filter(({ made }) => {
				const day = Math.floor(made / (24 * HOUR)) * 24 * HOUR;
				return made < clock.now && clock.now - HOUR < day + hours * HOUR;
			});
		service.total = () => service.returns([]).length;
		const { poller, ids } = await publish({ event: 'newCall' });
		const inserted: number[] = [];
		for (let id = 1; id <= 72; id++) {
			setClock(start + id * HOUR);
			if (id % 3 === 0) {
				service.add(clock.now - 1, { id, createdAt: createdAt(clock.now - 1), summary: 'said' });
				inserted.push(id);
			}
			await poller.poll();
		}
		expect(ids()).toEqual(inserted);
	});
});

describe('calls whose ID is always 0', () => {
	it('are distinguished by time and numbers', async () => {
		const service = await openService();
		const { poller } = await publish({ event: 'newCall' });
		for (let nth = 1; nth <= 10; nth++) {
			const made = start + nth * MINUTE;
			service.add(made, { id: 0, createdAt: iso(made), toPhone: `+1312555010${nth % 3}` });
		}
		setClock(start + 20 * MINUTE);
		await poller.poll();
		await poller.poll();
		expect(poller.items).toHaveLength(10);
	});
});

describe('times with the wrong zone', () => {
	it.each([-6, 5.5])('by %p hours, miss no record made after the first hours', async (zone) => {
		const service = await openService();
		const { poller, ids } = await publish({ event: 'newCall' });
		setClock(start + 7 * HOUR);
		await poller.poll();
		const inserted: number[] = [];
		for (let id = 1; id <= 60; id++) {
			setClock(clock.now + 5 * MINUTE);
			service.add(clock.now - 1, { id, createdAt: iso(clock.now + zone * HOUR), summary: 'said' });
			inserted.push(id);
			if (id % 4 === 0) await poller.poll();
		}
		await poller.poll();
		expect(ids()).toEqual(inserted);
	});
});

describe('a service that returns the whole day', () => {
	it('brings each record once, and none from before the workflow was published', async () => {
		const service = await openService();
		const day = Array.from({ length: 72 }, (_, id) => start + (id - 36) * 20 * MINUTE);
		service.returns = () => service.rows.filter(({ made }) => made <= clock.now);
		for (const [id, made] of day.entries()) service.add(made, callOf(id, made));
		const { poller, ids } = await publish({ event: 'newCall' });
		for (let round = 0; round < 36; round++) {
			setClock(clock.now + 20 * MINUTE);
			await poller.poll();
		}
		expect(ids()).toEqual(Array.from({ length: 35 }, (_, index) => index + 37));
	});
});

describe('a service that lists nothing for some polls', () => {
	it('does not make those records come again that it lists afterwards', async () => {
		const service = await openService();
		const { poller, ids } = await publish({ event: 'newCall' });
		const inserted = Array.from({ length: 20 }, (_, index) => index + 1);
		for (const id of inserted) service.add(start + id, callOf(id, start + id));
		for (let minute = 1; minute <= 30; minute++) {
			setClock(start + minute * MINUTE);
			service.returns = (rows) => (minute % 5 < 3 ? rows : []);
			service.total = () => service.returns(service.rows).length;
			await poller.poll();
		}
		expect(ids()).toEqual(inserted);
	});
});

describe('bids', () => {
	const bid = (changes: object = {}) => ({
		...{ loadId: 48213, callDateTime: iso(start + 1), carrierMc: '123456', callerName: 'Ann' },
		...changes,
	});

	it('on one load from one call are two when two are listed', async () => {
		const service = await openService();
		const { poller } = await publish({ event: 'newBid' });
		setClock(start + MINUTE);
		service.add(start + 1, bid());
		service.add(start + 1, bid());
		await poller.poll();
		expect(poller.items).toHaveLength(2);
		setClock(start + 2 * MINUTE);
		const third = bid({ callerName: 'Bob', phoneNumber: '+13125550188' });
		service.add(start + 1, third);
		await poller.poll();
		await poller.poll();
		expect(poller.items.slice(2)).toEqual([third]);
	});

	it('are not returned again when the MC number is corrected or a name is filled in', async () => {
		const service = await openService();
		const { poller } = await publish({ event: 'newBid' });
		setClock(start + MINUTE);
		service.add(start + 1, bid({ callerName: null }));
		await poller.poll();
		service.rows = [{ made: start + 1, row: bid({ carrierMc: '654321', carrierDot: '7' }) }];
		setClock(start + 2 * MINUTE);
		await poller.poll();
		expect(poller.items).toHaveLength(1);
	});
});

describe('calls', () => {
	it('that end without an outcome are delivered once, after the set time', async () => {
		const service = await openService();
		const options = { giveUpHours: 2 };
		const { poller, ids } = await publish({ event: 'callEndedWithoutOutcome', options });
		service.add(start + 1, { id: 1, createdAt: iso(start + 1), summary: null });
		service.add(start + 2, { id: 2, createdAt: iso(start + 2), summary: 'said' });
		for (let minute = 10; minute <= 5 * 60; minute += 10) {
			setClock(start + minute * MINUTE);
			await poller.poll();
			if (minute < 120) expect(ids()).toEqual([]);
		}
		expect(ids()).toEqual([1]);
	});
});
