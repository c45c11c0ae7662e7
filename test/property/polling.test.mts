import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	beginNow,
	collect,
	type Rules,
} from '../../nodes/CarrierLoadCommunicationsPollingTrigger/collect.ts';
import {
	readState,
	writeState,
	type PollState,
} from '../../nodes/CarrierLoadCommunicationsPollingTrigger/state.ts';
import { WATCHED } from '../../nodes/CarrierLoadCommunicationsPollingTrigger/watched.ts';
import {
	EDGE_MS,
	type ReadRange,
} from '../../nodes/CarrierLoadCommunicationsPollingTrigger/windows.ts';
import type { JsonObject } from '../../nodes/shared/service/http/json.ts';

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 1000);
const MINUTE = 60_000;
const OVERLAP = 60 * MINUTE;
const start = Date.parse('2026-03-02T12:00:00Z');

/** A record of the service; all times in minutes after the start, by our clock. */
interface Call {
	/** When it is listed first. */
	listed: number;
	/** How long before that it says it was made. */
	late: number;
	/** How long after that it has an outcome. */
	talks: number;
}

interface World {
	calls: Call[];
	/** What happens every so many minutes. */
	ticks: Array<{ wait: number; does: 'poll' | 'fail' | 'halfway' | 'restart' }>;
	/** How far the service's clock is off, in minutes. */
	skew: number;
	order: 'newest' | 'oldest' | 'mixed';
	/** Whether the ends of a range belong to it. */
	ends: boolean;
	/** To what the service rounds the ends of a range down, in milliseconds. */
	precision: number;
	/** Whether it hands out records from outside of the range, too, one of them with a wrong date. */
	loose: boolean;
}

const worlds: fc.Arbitrary<World> = fc.record({
	calls: fc.array(
		fc.record({
			listed: fc.integer({ min: -90, max: 36 * 60 }),
			late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 })),
			talks: fc.oneof(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 0, max: 8 * 60 })),
		}),
		{ maxLength: 60 },
	),
	ticks: fc.array(
		fc.record({
			wait: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 9 * 60 })),
			does: fc.oneof(
				{ weight: 6, arbitrary: fc.constant('poll' as const) },
				fc.constantFrom('fail' as const, 'halfway' as const, 'restart' as const),
			),
		}),
		{ maxLength: 40 },
	),
	skew: fc.integer({ min: -15, max: 15 }),
	order: fc.constantFrom('newest' as const, 'oldest' as const, 'mixed' as const),
	ends: fc.boolean(),
	precision: fc.constantFrom(1, 1000),
	loose: fc.boolean(),
});

/** The service at one moment, as a list that is read by time. */
function serviceAt(world: World, now: number, failAfter: number): ReadRange {
	let requests = 0;
	return async (fromMs, toMs, limit) => {
		if (requests++ >= failAfter) throw new Error('no answer');
		const rounded = (ms: number) => Math.floor(ms / world.precision) * world.precision;
		const [from, to] = [rounded(fromMs), rounded(toMs)] as const;
		const rows = world.calls
			.map((call, id) => ({ id, call, made: madeAt(world, call, id) }))
			.filter(({ call }) => start + call.listed * MINUTE <= now)
			.filter(({ made }) => world.loose || (world.ends ? made >= from : made > from))
			.filter(({ made }) => world.loose || (world.ends ? made <= to : made < to))
			.sort((one, other) => {
				if (world.order === 'mixed') return ((one.id * 7919) % 101) - ((other.id * 7919) % 101);
				return (one.made - other.made) * (world.order === 'newest' ? -1 : 1);
			})
			.map(({ id, call, made }): JsonObject => {
				const ended = start + (call.listed + call.talks) * MINUTE <= now;
				return { id, createdAt: new Date(made).toISOString(), summary: ended ? 'said' : null };
			});
		if (world.loose) rows.push({ id: -1, createdAt: '2099-01-01T00:00:00Z', summary: 'a slip' });
		return { rows: rows.slice(0, limit) };
	};
}

/** By the service's clock; a few milliseconds apart. */
function madeAt({ skew }: World, { listed, late }: Call, id: number): number {
	return start + (listed - late + skew) * MINUTE + id;
}

/** A trigger whose state n8n saves when it hands something on, and forgets when it is restarted. */
class Trigger {
	readonly seen: number[] = [];
	private memory: IDataObject = {};
	private saved = '{}';
	private readonly world: World;
	private readonly event: 'newCall' | 'callOutcomeReady';

	constructor(world: World, event: 'newCall' | 'callOutcomeReady') {
		this.world = world;
		this.event = event;
	}

	async begin(now: number): Promise<void> {
		const nothing = { seen: new Map(), waiting: new Map(), recheckedAt: now };
		const state = { ...this.scope(), watermark: now, floor: now - OVERLAP, ...nothing };
		await beginNow(serviceAt(this.world, now, Infinity), state, this.rules(now));
		this.keep(state);
		this.saved = JSON.stringify(this.memory);
	}

	async poll(now: number, failAfter: number): Promise<void> {
		const state = readState(this.memory, this.scope());
		if (!state) throw new Error('The state was lost');
		const read = serviceAt(this.world, now, failAfter);
		const rows = await collect(read, state, this.rules(now)).catch(() => undefined);
		if (rows === undefined) return;
		this.keep(state);
		if (rows.length === 0) return;
		this.saved = JSON.stringify(this.memory);
		this.seen.push(...rows.map(({ id }) => Number(id)));
	}

	restart(): void {
		this.memory = JSON.parse(this.saved) as IDataObject;
	}

	private keep(state: PollState): void {
		writeState(this.memory, state, OVERLAP + 2 * EDGE_MS);
		this.memory = JSON.parse(JSON.stringify(this.memory)) as IDataObject;
	}

	private scope() {
		return { event: this.event, filterText: '{}' };
	}

	private rules(now: number): Rules {
		const giveUpMs = 24 * 60 * MINUTE;
		const watched = WATCHED[this.event];
		const quiet = { hasTime: () => true, warn: () => undefined };
		return { watched, overlapMs: OVERLAP, giveUpMs, nowMs: now, ...quiet };
	}
}

async function live(world: World, event: 'newCall' | 'callOutcomeReady'): Promise<Trigger> {
	const trigger = new Trigger(world, event);
	await trigger.begin(start);
	let now = start;
	for (const { wait, does } of world.ticks) {
		now += wait * MINUTE;
		if (does === 'restart') trigger.restart();
		const failAfter = does === 'fail' ? 0 : does === 'halfway' ? 1 : Infinity;
		await trigger.poll(now, failAfter);
	}
	// The last hours: nothing new, and everything that is still to come comes.
	const end = Math.max(now, start + 48 * 60 * MINUTE);
	for (let time = now + MINUTE; time <= end + 20 * MINUTE; time += 10 * MINUTE) {
		await trigger.poll(time, Infinity);
	}
	return trigger;
}

describe('whatever the service and the network do', () => {
	it('brings every new call once', async () => {
		await fc.assert(
			fc.asyncProperty(worlds, async (world) => {
				const { seen } = await live(world, 'newCall');
				const wanted = [...world.calls.keys()].filter((id) => isNew(world, id));
				expect([...seen].sort((one, other) => one - other)).toEqual(wanted);
			}),
			{ numRuns },
		);
	}, 240_000);

	it('brings every outcome once, of calls that began after the start', async () => {
		await fc.assert(
			fc.asyncProperty(worlds, async (world) => {
				const { seen } = await live(world, 'callOutcomeReady');
				const came = new Set(seen);
				expect(came.size).toBe(seen.length);
				const missing = [...world.calls.keys()].filter((id) => isNew(world, id) && !came.has(id));
				expect(missing).toEqual([]);
			}),
			{ numRuns },
		);
	}, 240_000);
});

/** Not listed at the first poll, which took all that was listed for known. */
function isNew(world: World, id: number): boolean {
	const call = world.calls[id];
	if (!call) return false;
	const made = madeAt(world, call, id);
	const tooOld = made < start - OVERLAP;
	return !tooOld && (call.listed > 0 || made > start);
}
