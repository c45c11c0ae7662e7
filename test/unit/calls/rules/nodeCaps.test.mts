import type { IExecuteFunctions } from 'n8n-workflow';
import {
	NodeEntries,
	SETTLE_MS,
} from '../../../../nodes/CarrierLoadCommunications/calls/memory/journal/nodeEntries.ts';
import type { Caps } from '../../../../nodes/CarrierLoadCommunications/calls/rules/caps/callCaps.ts';
import { NodeCaps } from '../../../../nodes/CarrierLoadCommunications/calls/rules/caps/nodeCaps.ts';
import { slowTable, whenDone, worker } from '../../support/calls/workers.mts';

const ROUNDS = 20;

const capsOf = (execution: IExecuteFunctions, signal?: AbortSignal) =>
	new NodeCaps(new NodeEntries(execution), signal);

/** Claims slots for one call after another. Resolves to how many may be placed. */
async function claimAll(caps: NodeCaps, count: number, of: Caps): Promise<number> {
	let allowed = 0;
	for (let call = 0; call < count; call++) {
		const [claim] = await caps.claim([of]);
		if (Array.isArray(claim)) allowed++;
	}
	return allowed;
}

const sum = (counts: number[]) => counts.reduce((all, each) => all + each);

describe('the caps of a node on several workers', () => {
	beforeEach(() => jest.useFakeTimers({ now: Date.parse('2026-01-15T14:00:05Z') }));
	afterEach(() => jest.useRealTimers());

	it('count a call in the hour although another worker reached the day at the same moment', async () => {
		for (let round = 0; round < ROUNDS; round++) {
			const table = slowTable(round);
			const claims = ['A', 'B', 'C'].map(async (name) => {
				return await claimAll(capsOf(worker(name + round, table)), 2, { perHour: 3, perDay: 2 });
			});
			const today = sum(await whenDone(Promise.all(claims)));
			expect(today).toBeLessThanOrEqual(2);
			const later = await whenDone(claimAll(capsOf(worker(`D${round}`, table)), 4, { perHour: 3 }));
			expect(today + later).toBeLessThanOrEqual(3);
		}
	});

	it('count a call although a run on another worker was stopped at the same moment', async () => {
		let rejected = 0;
		for (let round = 0; round < ROUNDS; round++) {
			const table = slowTable(round);
			const stop = new AbortController();
			const stopped = capsOf(worker(`A${round}`, table), stop.signal).claim([{ perHour: 1 }]);
			const claims = claimAll(capsOf(worker(`B${round}`, table)), 1, { perHour: 1 });
			setTimeout(() => stop.abort(), SETTLE_MS / 2);
			const [{ status }, placed] = await whenDone(
				Promise.all([Promise.allSettled([stopped]).then(([ended]) => ended), claims]),
			);
			if (status === 'rejected') rejected++;
			const later = await whenDone(claimAll(capsOf(worker(`C${round}`, table)), 2, { perHour: 1 }));
			expect(placed + later).toBeLessThanOrEqual(1);
		}
		expect(rejected).toBeGreaterThan(0);
	});
});
