import { judge, type Played } from '../../../scripts/week/judge.mts';
import { type CallTruth, type Load, makeWeek } from '../../../scripts/week/stories.mts';

const load = (number: string, wish: Load['wish'], phones: string[]): Load => ({
	...{ number, story: 'plain', wish, phones },
	events: [{ at: 0, body: { loadNumber: number } }],
});
const truth = (ending: CallTruth['ending'], optOut = false): CallTruth => ({
	...{ ending, optOut, summary: 'said', tags: '', extracted: {}, delivery: 'once' },
});
const [A, B] = ['+13125550101', '+13125550102'];

/** A week that went well: a call, a load without a call, and one for a person. */
function goodWeek(): Played & { outcomes: Record<string, unknown>[] } {
	return {
		loads: [load('1', 'call', [A]), load('2', 'no call', [B]), load('3', 'person', [])],
		dialed: [{ callId: 7, loadNumber: '1', toPhone: A, at: 1_000 }],
		truths: new Map([[7, truth('reached')]]),
		endedAt: new Map(),
		departedAt: new Map(),
		optedOutAt: new Map(),
		neverAccepted: new Set(),
		rounds: [],
		failed: [],
		outcomes: [{ callId: '7', loadNumber: '1', phone: A, outcome: 'reached', summary: 'said' }],
		desk: [{ loadNumber: '3', reason: 'no phone' }],
	};
}

const call = (callId: number, loadNumber: string, toPhone: string, at: number) => ({
	...{ callId, loadNumber, toPhone, at },
});

it('the judge of a week finds nothing wrong with one that went well', () => {
	const { good, of, failures } = judge(goodWeek());
	expect({ good, of, kinds: [...failures.keys()] }).toEqual({ good: 3, of: 3, kinds: [] });
});

it.each<[string, (week: ReturnType<typeof goodWeek>) => Partial<Played>]>([
	[
		'two calls for one departure',
		({ dialed }) => ({ dialed: [...dialed, call(8, '1', A, 2_000)] }),
	],
	[
		'a call for an event that wants none',
		({ dialed }) => ({ dialed: [...dialed, call(8, '2', B, 2_000)] }),
	],
	[
		'a call for a load known to be canceled or delivered',
		() => ({ dialed: [call(7, '1', A, 20_000)], endedAt: new Map([['1', 1_000]]) }),
	],
	[
		'a call after an opt-out was delivered',
		() => ({ dialed: [call(7, '1', A, 20_000)], optedOutAt: new Map([[A, 1_000]]) }),
	],
	["a call to another phone than the load's", () => ({ dialed: [call(7, '1', B, 1_000)] })],
	[
		'a call about no load of the week',
		({ dialed }) => ({ dialed: [...dialed, call(8, '9', B, 1)] }),
	],
	['n8n never accepted an event of the load', () => ({ neverAccepted: new Set(['1']) })],
	[
		'the outcome came more than 15 minutes late',
		({ outcomes }) => ({
			outcomes: outcomes.map((row) => ({ ...row, createdAt: '1970-01-01T00:16:00Z' })),
		}),
	],
	['the load is nowhere', () => ({ desk: [] })],
	['the load is nowhere', () => ({ dialed: [] })],
	['the call has no outcome', () => ({ outcomes: [] })],
	['two rows for one call', ({ outcomes }) => ({ outcomes: [...outcomes, ...outcomes] })],
	['reached, and it was not', () => ({ truths: new Map([[7, truth('voicemail')]]) })],
	[
		"the row doesn't say how the call ended",
		({ outcomes }) => ({ outcomes: outcomes.map((row) => ({ ...row, outcome: 'unknown' })) }),
	],
	[
		'the row does not say that the driver opted out',
		() => ({ truths: new Map([[7, truth('reached', true)]]) }),
	],
	[
		'the summary is missing or was erased',
		({ outcomes }) => ({ outcomes: outcomes.map((row) => ({ ...row, summary: null })) }),
	],
	[
		'a person gets a call that no one needs',
		({ desk }) => ({ desk: [...desk, { loadNumber: '2' }] }),
	],
	[
		'a person must make a call that n8n could have placed',
		({ desk }) => ({ dialed: [], desk: [...desk, { loadNumber: '1', reason: 'hours' }] }),
	],
	[
		'more than 3 calls to one phone',
		() => ({ dialed: [1, 2, 3, 4].map((nth) => call(nth, '1', A, nth)) }),
	],
])('the judge of a week sees the planted fault "%s"', (kind, plant) => {
	const week = goodWeek();
	const { good, of, failures } = judge({ ...week, ...plant(week) });
	expect([...failures.keys()]).toContain(kind);
	expect(kind === 'a call about no load of the week' || good < of).toBe(true);
});

it('the judge of a week wants no call for a load that ended before n8n could have decided about its departure', () => {
	const week = {
		...goodWeek(),
		rounds: [10_000, 15_000, 20_000, 25_000].map((from) => ({ from, to: from + 1_000 })),
	};
	const together = { endedAt: new Map([['1', 6_000]]), departedAt: new Map([['1', 5_000]]) };
	expect(judge({ ...week, dialed: [], ...together }).good).toBe(3);
	const withoutPhone = { endedAt: new Map([['3', 6_000]]), departedAt: new Map([['3', 5_000]]) };
	expect(judge({ ...week, desk: [], ...withoutPhone }).good).toBe(3);
	const later = { ...together, endedAt: new Map([['1', 60_000]]) };
	expect(judge({ ...week, dialed: [], ...later }).good).toBe(2);
});

it('the judge of a week wants no call for a load that ended before a long round did, with short rounds during it', () => {
	const long = { from: 4_000, to: 31_000 };
	const short = [10_000, 15_000, 20_000, 25_000, 30_000, 35_000, 40_000];
	const rounds = [long, ...short.map((from) => ({ from, to: from + 500 }))];
	const good = (ended: number) =>
		judge({
			...{ ...goodWeek(), dialed: [], rounds },
			...{ endedAt: new Map([['1', ended]]), departedAt: new Map([['1', 5_000]]) },
		}).good;
	expect([30_900, 35_500, 35_600].map(good)).toEqual([3, 3, 2]);
});

it('the judge of a week allows a call in the round during which the load ended, and none in a later one', () => {
	const late = { dialed: [call(7, '1', A, 20_000)], endedAt: new Map([['1', 9_000]]) };
	const kinds = (rounds: Played['rounds']) => [
		...judge({ ...goodWeek(), ...late, rounds }).failures.keys(),
	];
	expect(kinds([{ from: 8_000, to: 21_000 }])).toEqual([]);
	expect(kinds([{ from: 10_000, to: 21_000 }])).toEqual([
		'a call for a load known to be canceled or delivered',
	]);
});

it.each([150, 1_000])(
	'the judge of a week of %d loads in which nothing happens finds less than a quarter of them good',
	(count) => {
		const { loads } = makeWeek(count, 1, 'America/Chicago');
		const times = (type: RegExp) =>
			new Map(
				loads.flatMap(({ number, events }) => {
					const found = events.filter(({ body }) => type.test(String(body['event'])));
					const first = Math.min(...found.map(({ at }) => at * 150_000));
					return found.length > 0 ? [[number, first] as const] : [];
				}),
			);
		const rounds = Array.from({ length: 30 }, (_, nth) => ({
			from: nth * 5_000,
			to: nth * 5_000 + 1_000,
		}));
		const idle = {
			...{ ...goodWeek(), loads, dialed: [], truths: new Map(), outcomes: [], desk: [] },
			...{ endedAt: times(/delivered|cancell?ed/), departedAt: times(/departed/) },
		};
		const [asleep, awake] = [judge(idle), judge({ ...idle, rounds })];
		expect(asleep.good / count).toBeLessThan(0.25);
		expect(awake.good / count).toBeLessThan(0.5);
	},
);
