import { CallJournal } from '../../../nodes/CarrierLoadCommunications/calls/memory/journal/callJournal.ts';
import { SETTLE_MS } from '../../../nodes/CarrierLoadCommunications/calls/memory/journal/nodeEntries.ts';
import { slowTable, whenDone, worker } from '../support/calls/workers.mts';

const ROUNDS = 20;

describe('the reservation of a call by several workers at the same moment', () => {
	beforeEach(() => jest.useFakeTimers({ now: Date.parse('2026-01-15T14:00:05Z') }));
	afterEach(() => jest.useRealTimers());

	it('is kept when the execution on another worker is stopped', async () => {
		let reservations = 0;
		for (let round = 0; round < ROUNDS; round++) {
			const table = slowTable(round);
			const target = 'a driver and a load';
			const [stopped, other, later] = ['A', 'B', 'C'].map(
				(name) => new CallJournal(worker(name + round, table)),
			);
			const stop = new AbortController();
			const begin = async (journal: CallJournal | undefined, key: string) => {
				const noted = await journal?.note([{ key, target }], key === 'A' ? stop.signal : undefined);
				return noted?.reserved.has(target) === false;
			};
			const stopping = begin(stopped, 'A')
				.catch(() => false)
				.finally(async () => await stopped?.forget(['A']));
			setTimeout(() => stop.abort(), SETTLE_MS / 2);
			const [, isFree] = await whenDone(Promise.all([stopping, begin(other, 'B')]));
			if (!isFree) continue;
			reservations++;
			expect(await whenDone(begin(later, 'C'))).toBe(false);
		}
		expect(reservations).toBeGreaterThan(0);
	});
});
