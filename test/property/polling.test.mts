import fc from 'fast-check';
import type { EventName } from '../../nodes/CarrierLoadCommunicationsPollingTrigger/events.ts';
import { OVERLAP, PolledByN8n } from './support/polling/n8n.mts';
import {
	filteredWorlds,
	madeAt,
	MINUTE,
	start,
	worlds,
	type World,
} from './support/polling/world.mts';
import { VirtualClock } from './support/virtual-clock.mts';

const { PROPERTY_RUNS = '1000', PROPERTY_SEED = '48213' } = process.env;
const settings = { numRuns: Number(PROPERTY_RUNS), seed: Number(PROPERTY_SEED) };

/** Publishes the workflow, runs a world's steps, and polls until nothing new comes. */
async function live(world: World, event: EventName): Promise<PolledByN8n> {
	const clock = new VirtualClock(start);
	const n8n = new PolledByN8n(world, event);
	await clock.run(async () => await liveBy(clock, n8n));
	return n8n;
}

async function liveBy(clock: VirtualClock, n8n: PolledByN8n): Promise<void> {
	const setClock = (ms: number) => (clock.now = n8n.now = ms);
	setClock(start);
	await n8n.publish();
	for (const { wait, does } of n8n.world.steps) {
		setClock(n8n.now + wait * MINUTE);
		await n8n.step(does);
	}
	const end = Math.max(n8n.now, start + 62 * 60 * MINUTE);
	for (let time = n8n.now + MINUTE; time <= end + 20 * MINUTE; time += 30 * MINUTE) {
		setClock(time);
		await n8n.step('poll');
	}
}

/** When polling starts, by the service's clock, if it says what time it is. */
const startOf = ({ saysTime, skew }: World) => (saysTime ? start + skew * MINUTE : start);

/** Not listed at the first poll, which treats everything listed as known. */
function isNew(world: World, id: number): boolean {
	const call = world.calls[id];
	if (!call) return false;
	return call.listed > 0 && madeAt(world, call, id) >= startOf(world) - OVERLAP;
}

const isRestart = (does: string) => does === 'crash' || does === 'losesSave';

/** Listed at the first poll, but made after the end of the range that it reads, to the second. */
function isLaterThanStart(world: World, id: number): boolean {
	const call = world.calls[id];
	return call !== undefined && madeAt(world, call, id) >= startOf(world) - 1000;
}

const countBy = (keys: unknown[]) => {
	const counts = new Map<number, number>();
	for (const key of keys) counts.set(Number(key), (counts.get(Number(key)) ?? 0) + 1);
	return counts;
};

/** Each key of `expected` was delivered that often, or once more if n8n forgot it in a crash. */
function expectDelivered(n8n: PolledByN8n, field: string, expected: Map<number, number>) {
	const delivered = countBy(n8n.delivered.map((row) => row[field]));
	const forgotten = countBy(n8n.forgotten.map((row) => row[field]));
	const missed = [...expected].filter(([id, times]) => (delivered.get(id) ?? 0) < times);
	expect(missed).toEqual([]);
	return [...delivered].filter(
		([id, times]) => times > (expected.get(id) ?? 0) + (forgotten.get(id) ?? 0),
	);
}

describe('a trigger with random faults of n8n, the service and the network', () => {
	const check = async (holds: (world: World) => Promise<void>) =>
		await fc.assert(fc.asyncProperty(worlds, holds), settings);

	it('delivers every new call once', async () => {
		await check(async (world) => {
			const n8n = await live(world, 'newCall');
			const ids = [...world.calls.keys()].filter((id) => isNew(world, id));
			const extra = expectDelivered(n8n, 'id', countBy(ids));
			expect(extra.filter(([id]) => isNew(world, id) || !isLaterThanStart(world, id))).toEqual([]);
		});
	});

	it('delivers every bid once, including corrected ones and several from one call', async () => {
		await check(async (world) => {
			const n8n = await live(world, 'newBid');
			const expected = new Map<number, number>();
			for (const [id, call] of world.calls.entries()) {
				const made = madeAt(world, call, id);
				const later = call.bids.filter((after) => call.listed + after > 0);
				// Bids that come later, for calls that the first poll still reads, are new.
				const isRead = made >= startOf(world) - OVERLAP + 5 * MINUTE && made < startOf(world);
				if (isNew(world, id)) expected.set(id, call.bids.length);
				else if (isRead) expected.set(id, later.length);
			}
			const extra = expectDelivered(n8n, 'loadId', expected);
			expect(extra.filter(([id]) => expected.has(id))).toEqual([]);
		});
	});

	it('delivers the outcome of every call placed since the start once, and not before it is complete', async () => {
		await check(async (world) => {
			const n8n = await live(world, 'callOutcomeReady');
			const ended = [...world.calls.keys()].filter(
				(id) => world.calls[id]?.outcomeAfter !== undefined,
			);
			// After a restart, a call whose time has no zone may seem older than it is, and be given up early.
			const isSure = world.zone === undefined || !world.steps.some(({ does }) => isRestart(does));
			const expected = countBy(ended.filter((id) => isSure && isNew(world, id)));
			const extra = expectDelivered(n8n, 'id', expected);
			expect(extra.filter(([id]) => expected.has(id))).toEqual([]);
			// A call that is first listed after an hour counts as ended.
			const isYoung = (id: number, at: number) => {
				const call = world.calls[id];
				const now = at + startOf(world) - start;
				return call && now - madeAt(world, call, id) < 60 * MINUTE;
			};
			const half = n8n.delivered.filter(({ id, recordingUrl }, index) => {
				return recordingUrl === null && isYoung(Number(id), n8n.deliveredAt[index] ?? 0);
			});
			expect(half).toEqual([]);
		});
	});

	it('delivers every call without an outcome after a day once, and no other', async () => {
		await check(async (world) => {
			const n8n = await live(world, 'callEndedWithoutOutcome');
			const silent = [...world.calls.keys()].filter(
				(id) => world.calls[id]?.outcomeAfter === undefined,
			);
			expect(expectDelivered(n8n, 'id', countBy(silent))).toEqual([]);
		});
	});

	it('delivers only what is new after the filter changes', async () => {
		await fc.assert(
			fc.asyncProperty(filteredWorlds, async (world) => {
				const n8n = await live(world, 'newCall');
				const last = n8n.changes.at(-1);
				if (!last) return;
				const minuteOf = (ms: number) => (ms - start) / MINUTE;
				const matching = [...world.calls.entries()].filter(
					([, { carrier }]) => carrier === n8n.carrier,
				);
				const later = matching.filter(([, { listed }]) => listed > minuteOf(last.at));
				const delivered = n8n.delivered.map(({ id }) => Number(id));
				expect(later.map(([id]) => id).filter((id) => !delivered.includes(id))).toEqual([]);
				const old = delivered.slice(last.deliveredBefore).filter((id) => {
					const call = world.calls[id];
					if (!call || delivered.indexOf(id) < last.deliveredBefore) return false;
					const made = madeAt(world, call, id);
					// The end of a range may not be included.
					return (
						call.listed <= minuteOf(last.polledAt) &&
						made < last.polledAt + startOf(world) - start - 1000
					);
				});
				expect(old).toEqual([]);
			}),
			settings,
		);
	});
});
