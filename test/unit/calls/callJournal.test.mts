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

describe('a listed call that another worker writes beside', () => {
	beforeEach(() => jest.useFakeTimers({ now: Date.parse('2026-01-15T14:00:05Z') }));
	afterEach(() => jest.useRealTimers());

	const busy = async (journal: CallJournal) => {
		for (let call = 0; call < 5; call++) {
			await journal.note([{ key: `other ${call}`, target: undefined }], undefined);
			await journal.forget([`other ${call}`]);
		}
	};

	it.each<[string, (journal: CallJournal) => Promise<unknown>]>([
		[
			'asked about it',
			async (journal) => await journal.listed.ownAmong(['call 1'], 'a refused call'),
		],
		[
			'claimed it in vain',
			async (journal) => await journal.listed.claim('call 1', 'a refused call'),
		],
	])('is not taken for the call of an item that only %s', async (_how, ask) => {
		for (let round = 0; round < ROUNDS; round++) {
			const table = slowTable(round);
			const [owner, asking, other, later] = ['owner', 'A', 'B', 'A'].map(
				(name, index) => new CallJournal(worker(`${name}${index}${round}`, table)),
			);
			if (!owner || !asking || !other || !later) throw new Error('Four journals');
			owner.placed('the placed call', 'call 1');
			await whenDone(owner.close());
			await whenDone(Promise.all([ask(asking), busy(other)]));
			expect(await whenDone(later.listed.ownAmong(['call 1'], 'a refused call'))).toEqual([]);
			expect(await whenDone(later.listed.ownAmong(['call 1'], 'a refused call'))).toEqual([]);
		}
	});

	it('stays the call of the item that placed it', async () => {
		for (let round = 0; round < ROUNDS; round++) {
			const table = slowTable(round);
			const [owner, later] = ['owner', 'later'].map(
				(name) => new CallJournal(worker(name + round, table)),
			);
			if (!owner || !later) throw new Error('Two journals');
			owner.placed('the placed call', 'call 1');
			await whenDone(owner.close());
			for (let time = 0; time < 3; time++) {
				expect(await whenDone(later.listed.ownAmong(['call 1'], 'the placed call'))).toEqual([
					'call 1',
				]);
			}
			expect(await whenDone(later.listed.claim('call 1', 'the placed call'))).toBe(true);
			expect(await whenDone(later.listed.claim('call 1', 'another call'))).toBe(false);
		}
	});
});
