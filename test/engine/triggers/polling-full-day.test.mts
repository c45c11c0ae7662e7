import { openPublishing } from '../support/triggers/published-trigger.mts';
import { clock, HOUR, iso, MINUTE, setClock, start } from '../support/triggers/simulated-clock.mts';

const { openService, publish } = openPublishing();
const DAY = 24 * HOUR;

describe('Call Ended Without Outcome on a day with 10,000 calls, 3,000 of them without an outcome,', () => {
	it('tells each of the 3,000 once, with at most three requests a poll, and remembers less than 20 kB', async () => {
		const service = await openService();
		const { poller, ids } = await publish({ event: 'callEndedWithoutOutcome' });
		const silent: number[] = [];
		for (let id = 1; id <= 10_000; id++) {
			const made = start + Math.floor((id * DAY) / 10_001);
			const isSilent = id % 10 < 3;
			service.add(made, { id, createdAt: iso(made), summary: isSilent ? null : 'said' });
			if (isSilent) silent.push(id);
		}
		let [most, largest] = [0, 0];
		for (let minute = 10; minute <= 2 * 24 * 60 + 10; minute += 10) {
			setClock(start + minute * MINUTE);
			const before = service.requests;
			await poller.poll();
			most = Math.max(most, service.requests - before);
			largest = Math.max(largest, JSON.stringify(poller.stored).length);
		}
		expect(poller.failures).toEqual([]);
		expect(ids()).toEqual(silent);
		expect(most).toBeLessThanOrEqual(3);
		expect(largest).toBeLessThan(20_000);
	});
});

describe('Call Ended Without Outcome', () => {
	it('tells a call that was made before the workflow was published when its time is up after that', async () => {
		const service = await openService();
		const add = (id: number, made: number) => service.add(made, { id, createdAt: iso(made) });
		add(1, start - 25 * HOUR);
		add(2, start - 23 * HOUR);
		const { poller, ids } = await publish({ event: 'callEndedWithoutOutcome' });
		for (let hour = 1; hour <= 3; hour++) {
			setClock(start + hour * HOUR);
			await poller.poll();
		}
		expect(ids()).toEqual([2]);
	});

	it('counts with the new hours from when they are changed, and tells no call twice', async () => {
		const service = await openService();
		const event = 'callEndedWithoutOutcome';
		const { poller, ids, change } = await publish({ event, options: { giveUpHours: 4 } });
		for (let hour = 1; hour <= 10; hour++) {
			const made = start + hour * HOUR;
			service.add(made, { id: hour, createdAt: iso(made) });
		}
		const pollUntil = async (hours: number) => {
			for (; clock.now < start + hours * HOUR; ) {
				setClock(clock.now + 10 * MINUTE);
				await poller.poll();
			}
		};
		await pollUntil(6.5);
		expect(ids()).toEqual([1, 2]);
		await change({ event, options: { giveUpHours: 2 } });
		expect(ids()).toEqual([1, 2, 3, 4]);
		await pollUntil(8.5);
		await change({ event, options: { giveUpHours: 4 } });
		await pollUntil(16);
		expect(ids()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
	});
});
