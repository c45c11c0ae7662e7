import { openPublishing } from '../support/triggers/published-trigger.mts';
import { clock, HOUR, iso, MINUTE, setClock, start } from '../support/triggers/simulated-clock.mts';

const { openSandbox, openService, publish } = openPublishing();
const DAY = 24 * HOUR;

describe('old records do not arrive as new', () => {
	it('after a filter was corrected', async () => {
		const sandbox = await openSandbox();
		const { poller, ids, change } = await publish({
			event: 'newCall',
			filters: { mcNumber: '7382020000' },
		});
		for (let minute = 1; minute <= 20; minute++) {
			setClock(start + minute * 5 * MINUTE);
			sandbox.insert({ count: 15 });
			await poller.poll();
		}
		await change({ event: 'newCall' });
		expect(ids()).toEqual([]);
		setClock(clock.now + MINUTE);
		const inserted = sandbox.insert({ count: 2 });
		await poller.poll();
		expect(ids()).toEqual(inserted);
	});

	it('after the workflow was unpublished for 60 days', async () => {
		const sandbox = await openSandbox();
		const { poller, ids } = await publish({ event: 'newBid' });
		await poller.poll();
		poller.unpublish();
		for (let day = 1; day < 59; day++) sandbox.insert({ createdAt: iso(start + day * DAY) });
		setClock(start + 60 * DAY);
		sandbox.insert({ createdAt: iso(clock.now - HOUR) });
		await poller.publish();
		expect(ids()).toHaveLength(1);
	});

	it('and the option says how far back polling goes after a pause', async () => {
		const sandbox = await openSandbox();
		const { poller, ids } = await publish({ event: 'newCall', options: { catchUpHours: 72 } });
		poller.unpublish();
		const inserted = [1, 2, 3, 4, 5, 6].flatMap((day) =>
			sandbox.insert({ createdAt: iso(start + day * DAY) }),
		);
		setClock(start + 6 * DAY + HOUR);
		await poller.publish();
		expect(ids()).toEqual(inserted.slice(-3));
	});
});

describe('a call that ended without outcome', () => {
	it.each([5, 20 * 60])(
		'is delivered if its time came while n8n was down for %i minutes, after days without any',
		async (minutes) => {
			const service = await openService();
			const { poller, ids } = await publish({ event: 'callEndedWithoutOutcome' });
			const made = start + 48 * HOUR + 50 * MINUTE;
			service.add(made, { id: 1, createdAt: iso(made), summary: '' });
			for (let hour = 1; hour <= 72; hour++) {
				setClock(start + hour * HOUR);
				await poller.poll();
			}
			setClock(start + 72 * HOUR + (50 + minutes) * MINUTE);
			await poller.crash();
			setClock(clock.now + 20 * MINUTE);
			await poller.poll();
			expect(ids()).toEqual([1]);
		},
	);
});

describe('polling once a week', () => {
	it('does not count as a pause', async () => {
		const sandbox = await openSandbox();
		const pollTimes = { item: [{ mode: 'everyWeek', weekday: '1', hour: 9, minute: 0 }] };
		const { poller, ids } = await publish({ event: 'newCall', pollTimes });
		const inserted = [1, 3, 6].flatMap((day) =>
			sandbox.insert({ createdAt: iso(start + day * DAY) }),
		);
		setClock(start + 7 * DAY);
		await poller.poll();
		expect(ids()).toEqual(inserted);
	});
});

describe('polling on some days of the week', () => {
	it.each([
		['1-5', 7],
		['MON,WED,FRI', 7],
		['FRI-MON', 9],
		['0,3,7', 9],
		['*', 3],
		['2', 15],
		['1#2', 15],
	])('(%s) makes a pause of %i days one', async (dayOfWeek, days) => {
		const service = await openService();
		const pollTimes = {
			item: [{ mode: 'custom', cronExpression: `0 */10 8-17 * * ${dayOfWeek}` }],
		};
		const { poller, ids } = await publish({ event: 'newBid', pollTimes });
		poller.unpublish();
		for (const [id, hours] of [0.5, 24 * days - 36].entries()) {
			const made = start + hours * HOUR;
			service.add(made, { id, callDateTime: iso(made) });
		}
		setClock(start + days * DAY);
		await poller.publish();
		expect(ids()).toEqual([1]);
	});
});

describe('a crash of n8n', () => {
	it("before static data was saved repeats the last execution's records, and misses none", async () => {
		const sandbox = await openSandbox();
		const { poller, ids } = await publish({ event: 'newCall' });
		setClock(start + MINUTE);
		const first = sandbox.insert({ count: 2 });
		await poller.poll();
		setClock(start + 2 * MINUTE);
		const second = sandbox.insert({ count: 2 });
		poller.losesNextSave = true;
		await poller.poll();
		const third = sandbox.insert({ count: 1 });
		setClock(start + 3 * MINUTE);
		await poller.crash();
		expect(ids()).toEqual([...first, ...second, ...second, ...third]);
	});

	it('with durable cursors repeats no record', async () => {
		const sandbox = await openSandbox();
		const { poller, ids } = await publish({ event: 'newCall' }, { durable: true });
		setClock(start + MINUTE);
		const first = sandbox.insert({ count: 2 });
		await poller.poll();
		setClock(start + 2 * MINUTE);
		const second = sandbox.insert({ count: 2 });
		await poller.crash();
		await poller.poll();
		expect(ids()).toEqual([...first, ...second]);
	});
});

describe('a clock that was hours ahead and is right again', () => {
	const callOf = (id: number, made: number, summary: string) => ({
		...{ id, createdAt: iso(made), summary },
	});

	it.each([1, 20, 30, 72])('by %p hours, does not stop polling', async (ahead) => {
		const service = await openService();
		const { poller, ids } = await publish({ event: 'newCall' });
		setClock(start + ahead * HOUR);
		await poller.poll();
		setClock(start + MINUTE);
		await poller.poll();
		const later = [2, 3, 4].map((minute) => start + minute * MINUTE);
		for (const [index, made] of later.entries()) {
			setClock(made);
			service.add(made - 1, callOf(index, made - 1, 'said'));
			await poller.poll();
		}
		expect(ids()).toEqual([0, 1, 2]);
	});

	it('does not delay the outcomes of calls by those hours', async () => {
		const service = await openService();
		const { poller, ids } = await publish({ event: 'callOutcomeReady' });
		const call = callOf(1, start + MINUTE, '');
		service.add(start + MINUTE, call);
		for (const hour of [1, 9, 3]) {
			setClock(start + hour * HOUR);
			await poller.poll();
		}
		call.summary = 'said';
		setClock(start + 4 * HOUR);
		await poller.poll();
		expect(ids()).toEqual([1]);
	});
});

describe('damaged static data', () => {
	it.each([
		{ waiting: { 1: 'damaged' } },
		{ waiting: { 1: null } },
		{ windowMs: 0, passStartedAt: start },
		{ floor: Number.MAX_SAFE_INTEGER },
	])('does not stop polling: %j', async (damage) => {
		const service = await openService();
		const { poller, ids } = await publish({ event: 'callOutcomeReady' });
		const call = { id: 1, createdAt: iso(start + MINUTE), summary: '' };
		service.add(start + MINUTE, call);
		setClock(start + 2 * MINUTE);
		await poller.poll();
		poller.unpublish();
		for (const data of Object.values(poller.stored)) Object.assign(Object(data).state, damage);
		await poller.publish('init');
		setClock(start + 3 * HOUR);
		await poller.poll();
		call.summary = 'said';
		const made = clock.now - MINUTE;
		service.add(made, { id: 2, createdAt: iso(made), summary: 'said' });
		setClock(start + 4 * HOUR);
		await poller.poll();
		expect(ids()).toContain(2);
		if (!('floor' in damage)) expect(ids()).toContain(1);
	});
});
