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

describe('rare poll times', () => {
	it.each([
		['every minute', { mode: 'everyMinute' }, 3],
		['once a day', { mode: 'everyDay', hour: 2, minute: 30 }, 4],
		['once a week', { mode: 'everyWeek', weekday: '1', hour: 9, minute: 0 }, 9],
		['by a custom schedule', { mode: 'custom', cronExpression: '0 0 9 * * 1' }, 9],
		['once a month', { mode: 'everyMonth', dayOfMonth: 1, hour: 9, minute: 0 }, 33],
	])('(%s) make a pause of %3$i days one', async (_times, item, days) => {
		const service = await openService();
		const { poller, ids } = await publish({ event: 'newBid', pollTimes: { item: [item] } });
		poller.unpublish();
		for (const [id, hours] of [0.5, 24 * days - 12].entries()) {
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
