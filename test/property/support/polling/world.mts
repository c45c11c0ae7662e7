import fc from 'fast-check';
import type { Polling } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/collect.ts';
import type { JsonObject } from '../../../../nodes/shared/service/json.ts';

export const MINUTE = 60_000;

/** The start of the simulated time. */
export const start = Date.parse('2026-03-02T12:00:00Z');

/** A call of the service. All times are in minutes after the start, by our clock. */
export interface Call {
	/** When it is first listed. */
	listed: number;
	/** How long before that it claims to have been created. */
	late: number;
	/** How long after that it has an outcome; undefined if never. */
	outcomeAfter: number | undefined;
	/** Whether what was said so far is listed during the call. */
	isLive: boolean;
	/** The call's bids on one load, each listed that many minutes after the call. */
	bids: number[];
	/** When someone corrects the MC number of its bids. */
	corrected: number | undefined;
	carrier: 'A' | 'B';
}

/** What n8n or its user does next. */
export type Step =
	| 'poll'
	/** A second poll starts while the first still reads. */
	| 'overlap'
	/** The first request fails, or the second. */
	| 'fail'
	| 'halfway'
	/** The time is up before the service answers, or after some of the list was read. */
	| 'hurry'
	| 'part'
	/** n8n is killed between polls, or right after an execution was stored and before its memory. */
	| 'crash'
	| 'losesSave'
	/** The user filters by the other carrier and publishes. */
	| 'filter';

export interface World {
	calls: Call[];
	steps: Array<{ wait: number; does: Step }>;
	/** The difference between the service's clock and ours, in minutes. */
	skew: number;
	/** Whether its responses say what time it is (`Date`). */
	saysTime: boolean;
	order: 'newest' | 'oldest' | 'mixed';
	/** Whether the ends of a range are inclusive. */
	ends: boolean;
	/** The precision to which the service rounds the ends of a range down, in milliseconds. */
	precision: number;
	/** Whether it also returns records from outside the range, one of them with a wrong date. */
	loose: boolean;
	/** Whether its total is too high, or it returns at most ten records of a range. */
	totals: 'right' | 'tooHigh' | 'capped';
	/** The UTC offset, in hours, of its times without a zone; undefined for UTC with a Z. */
	zone: number | undefined;
	/** Whether n8n uses durable cursors. */
	durable: boolean;
}

const minutes = (max: number) => fc.integer({ min: 0, max });

const calls: fc.Arbitrary<Call> = fc.record({
	listed: fc.integer({ min: -90, max: 36 * 60 }),
	late: fc.oneof(fc.constant(0), minutes(40)),
	outcomeAfter: fc.oneof(minutes(10), minutes(8 * 60), fc.constant(undefined)),
	isLive: fc.boolean(),
	bids: fc.array(minutes(4), { minLength: 1, maxLength: 3 }),
	corrected: fc.option(minutes(300), { nil: undefined }),
	carrier: fc.constantFrom('A' as const, 'B' as const),
});

export const worlds: fc.Arbitrary<World> = fc
	.record({
		calls: fc.array(calls, { maxLength: 40 }),
		steps: fc.array(
			fc.record({
				wait: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 9 * 60 })),
				does: fc.oneof(
					{ weight: 5, arbitrary: fc.constant<Step>('poll') },
					fc.constantFrom<Step>(
						'overlap',
						'fail',
						'halfway',
						'hurry',
						'part',
						'crash',
						'losesSave',
					),
				),
			}),
			{ maxLength: 40 },
		),
		skew: fc.integer({ min: -15, max: 15 }),
		saysTime: fc.boolean(),
		order: fc.constantFrom('newest' as const, 'oldest' as const, 'mixed' as const),
		ends: fc.boolean(),
		precision: fc.constantFrom(1, 1000),
		loose: fc.boolean(),
		totals: fc.constantFrom('right' as const, 'tooHigh' as const, 'capped' as const),
		zone: fc.constantFrom(undefined, undefined, 0, -6, 5.5),
		durable: fc.boolean(),
	})
	// What no client could read: records that no range tells apart, beyond the cap; and records of
	// other times that do not say in which zone.
	.map((world) => ({
		...world,
		precision: world.totals === 'capped' ? 1 : world.precision,
		loose: world.totals === 'capped' || world.zone !== undefined ? false : world.loose,
		zone: world.totals === 'capped' ? undefined : world.zone,
		order: world.totals === 'capped' && world.order === 'mixed' ? 'newest' : world.order,
	}));

/** The same, but the user changes the filter. Every poll reads everything. */
export const filteredWorlds: fc.Arbitrary<World> = worlds.chain((world) =>
	fc
		.array(fc.constantFrom<Step>('poll', 'overlap', 'filter', 'filter', 'crash', 'losesSave'), {
			minLength: world.steps.length,
			maxLength: world.steps.length,
		})
		.map((steps) => ({
			...world,
			steps: world.steps.map(({ wait }, index) => ({ wait, does: steps[index] ?? 'poll' })),
		})),
);

/** By the service's clock, at least ten milliseconds apart. */
export function madeAt({ skew }: World, { listed, late }: Call, id: number): number {
	return start + (listed - late + skew) * MINUTE + 10 * id;
}

export type ListName = 'calls' | 'bids';

/** What the service lists at a given time, of the calls that it asks for. */
function listedAt(
	world: World,
	list: ListName,
	now: number,
	isAsked: (call: Call, made: number) => boolean,
) {
	return world.calls.flatMap((call, id) => {
		const made = madeAt(world, call, id);
		const since = (now - start) / MINUTE - call.listed;
		if (since < 0 || !isAsked(call, made)) return [];
		const time = timeText(world, made);
		if (list === 'calls') {
			const row: JsonObject = { id, createdAt: time, ...outcomeOf(call, since) };
			return [{ id, made, row }];
		}
		const isCorrected = call.corrected !== undefined && call.corrected <= since;
		const carrierMc = isCorrected ? 'corrected' : call.carrier;
		const bids = call.bids.filter((after) => after <= since);
		return bids.map(() => ({ id, made, row: { loadId: id, callDateTime: time, carrierMc } }));
	});
}

/** The outcome comes in parts, half a minute apart; a transcript grows during the call. */
function outcomeOf({ outcomeAfter = Infinity, isLive }: Call, since: number): JsonObject {
	if (since >= outcomeAfter + 0.5)
		return { summary: 'said', transcript: 'all', recordingUrl: 'url' };
	const transcript = isLive && outcomeAfter < Infinity ? `the first ${since} minutes` : null;
	return { summary: since >= outcomeAfter ? 'said' : null, transcript, recordingUrl: null };
}

function timeText({ zone }: World, made: number): string {
	if (zone === undefined) return new Date(made).toISOString();
	return new Date(made + zone * 60 * MINUTE).toISOString().replace('Z', '');
}

/** The service as a list read by time; `now` returns the time of each request. */
export function serviceOf(
	world: World,
	list: ListName,
	now: () => number,
	carrier: string | undefined,
): Polling['read'] {
	return async ({ from: fromMs, to: toMs }, limit) => {
		const rounded = (ms: number) => Math.floor(ms / world.precision) * world.precision;
		const [from, to] = [rounded(fromMs), rounded(toMs)] as const;
		const isInside = (made: number) =>
			world.loose || (world.ends ? made >= from && made <= to : made > from && made < to);
		const rows = listedAt(world, list, now(), (call, made) => {
			return (carrier === undefined || call.carrier === carrier) && isInside(made);
		})
			.sort((one, other) => {
				if (world.order === 'mixed') return ((one.id * 7919) % 101) - ((other.id * 7919) % 101);
				return (one.made - other.made) * (world.order === 'newest' ? -1 : 1);
			})
			.map(({ row }) => row);
		if (world.loose) {
			const slip = '2099-01-01T00:00:00Z';
			rows.push({ id: -1, createdAt: slip, callDateTime: slip, summary: 'a slip' });
		}
		const returned = rows.slice(0, world.totals === 'capped' ? 10 : undefined);
		const disagrees = world.totals === 'tooHigh' || returned.length < rows.length;
		const servedAt = Math.floor((now() + world.skew * MINUTE) / 1000) * 1000;
		return {
			rows: returned.slice(0, limit),
			complete: !disagrees,
			...(world.saysTime && { servedAt }),
			...(disagrees && { hint: 'The service reports more records than it returned.' }),
		};
	};
}
