import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { CallList, callLists } from '../../nodes/CarrierLoadCommunications/calls/callList.ts';
import { awaitEnd } from '../../nodes/CarrierLoadCommunications/calls/looks.ts';
import type { ServiceClient } from '../../nodes/shared/service/client.ts';
import { ServiceFailure } from '../../nodes/shared/service/failure.ts';
import type { JsonObject } from '../../nodes/shared/service/json.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const START = Date.parse('2026-11-20T14:00:00Z');
const PAGE = 500;

interface Listed {
	id: number;
	toPhone: string;
	/** By the service's clock. */
	createdAt: number;
	/** When the list shows it for the first time, by ours. */
	listedAt: number;
	more?: JsonObject;
}

/** A service with this list, as its client reads it. */
function serviceWith(calls: readonly Listed[], account = 'one') {
	const cost = { gets: 0, rows: 0 };
	const client = {
		account,
		async walkCalls(
			{ startTime, endTime }: { startTime: string; endTime: string },
			visit: (row: JsonObject) => boolean,
		) {
			const [from, until] = [Date.parse(startTime), Date.parse(endTime)];
			const shown = calls.filter(
				({ createdAt, listedAt }) =>
					createdAt >= from && createdAt <= until && listedAt <= Date.now(),
			);
			cost.gets += Math.max(1, Math.ceil(shown.length / PAGE));
			cost.rows += shown.length;
			for (const { id, toPhone, createdAt, more } of shown) {
				const row = { id, toPhone, createdAt: new Date(createdAt).toISOString(), ...more };
				if (visit(row)) break;
			}
			return { searched: shown.length, complete: true };
		},
	};
	return { cost, client: client as unknown as ServiceClient };
}

const phones = ['+13125550100', '+13125550101'];
const ask = async (client: ServiceClient, phone: string, since: number, isLate = false) => {
	const recent = await CallList.of(client).recentTo(client, { phone, since, isLate, orElse: '' });
	return recent.map(({ callId }) => Number(callId)).sort((one, other) => one - other);
};

let now = START;
beforeEach(() => {
	callLists.clear();
	now = START;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

const draws = fc.record({
	skewMs: fc.integer({ min: -4 * MINUTE, max: 4 * MINUTE }),
	days: fc.constantFrom(10 * MINUTE, 2 * 60 * MINUTE, DAY),
	steps: fc.array(
		fc.record({
			/** Seconds since the last step. */
			after: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 1500 })),
			phone: fc.constantFrom(...phones),
			/** A call that anyone placed, listed so many seconds later, or a question. */
			listedAfter: fc.oneof(
				fc.constant(undefined),
				fc.constant(0),
				fc.integer({ min: 0, max: 1200 }),
			),
			isLate: fc.boolean(),
		}),
		{ minLength: 5, maxLength: 60 },
	),
});

it('finds what reading everything would, but for a call that was listed over ten minutes late, and that after the next whole reading', async () => {
	const seen = { questions: 0, secondAgo: 0, late: 0 };
	await fc.assert(
		fc.asyncProperty(draws, async ({ skewMs, days, steps }) => {
			callLists.clear();
			now = START;
			const calls: Listed[] = [];
			const { client } = serviceWith(calls);
			for (const [id, { after, phone, listedAfter, isLate }] of steps.entries()) {
				now += after * SECOND;
				if (listedAfter !== undefined) {
					const listedAt = now + listedAfter * SECOND;
					calls.push({ id, toPhone: phone, createdAt: now + skewMs, listedAt });
					continue;
				}
				const since = now - days;
				const found = await ask(client, phone, since, isLate);
				const all = calls.filter(
					({ toPhone, createdAt, listedAt }) =>
						toPhone === phone && createdAt >= since && listedAt <= now,
				);
				const sure = all.filter(({ createdAt, listedAt }) => {
					const isSettled = isLate || now - listedAt >= SECOND;
					const delay = listedAt + skewMs - createdAt;
					return isSettled && (delay <= 10 * MINUTE || now - listedAt > 15 * MINUTE);
				});
				expect(found).toEqual(expect.arrayContaining(sure.map((call) => call.id)));
				expect(all.map((call) => call.id)).toEqual(expect.arrayContaining(found));
				seen.questions++;
				seen.secondAgo += Number(sure.some(({ listedAt }) => now - listedAt <= SECOND));
				seen.late += Number(
					sure.some((call) => call.listedAt + skewMs > call.createdAt + 10 * MINUTE),
				);
			}
		}),
		{ numRuns: 1000, seed: 48213 },
	);
	// Without such questions, this test would prove nothing.
	expect(Math.min(...Object.values(seen))).toBeGreaterThan(100);
});

it('sees a call that was placed elsewhere one second ago, and one that was listed eleven minutes late after a quarter of an hour', async () => {
	const [phone = ''] = phones;
	const calls: Listed[] = [];
	const { client } = serviceWith(calls);
	expect(await ask(client, phone, now - DAY)).toEqual([]);
	calls.push({ id: 1, toPhone: phone, createdAt: now + SECOND, listedAt: now + SECOND });
	calls.push({ id: 2, toPhone: phone, createdAt: now + SECOND, listedAt: now + 12 * MINUTE });
	now += 2 * SECOND;
	expect(await ask(client, phone, now - DAY)).toEqual([1]);
	calls.push({ id: 3, toPhone: phone, createdAt: now + 11.5 * MINUTE, listedAt: 0 });
	now += 11.6 * MINUTE;
	expect(await ask(client, phone, now - DAY)).toEqual([1, 3]);
	now += MINUTE;
	expect(await ask(client, phone, now - DAY)).toEqual([1, 3]);
	now += 3 * MINUTE;
	expect(await ask(client, phone, now - DAY)).toEqual([1, 2, 3]);
});

it.each([
	[0, 1],
	[3, 6],
	[20, 10],
])(
	'lets a reading of %i s answer what is asked within %i s of its beginning, unless a call had to wait',
	async (took, answering) => {
		const [phone = ''] = phones;
		const calls: Listed[] = [];
		const { client, cost } = serviceWith(calls);
		const walk = client.walkCalls.bind(client);
		client.walkCalls = async (query, visit) => {
			const read = await walk(query, visit);
			now += took * SECOND;
			return read;
		};
		const askAt = async (seconds: number, isLate = false) => {
			now = Math.max(now, START + seconds * SECOND);
			return await ask(client, phone, now - DAY, isLate);
		};
		const both = await Promise.all([askAt(0), askAt(0)]);
		expect([both, cost.gets]).toEqual([[[], []], 1]);
		calls.push({ id: 1, toPhone: phone, createdAt: START + 500, listedAt: START + 500 });
		if (took < answering) expect(await askAt(answering - 0.001)).toEqual([]);
		expect(cost.gets).toBe(1);
		expect(await askAt(answering)).toEqual([1]);
		expect(cost.gets).toBe(2);
		await askAt(0, true);
		expect(cost.gets).toBe(3);
	},
);

it('sees a call that was placed right after the first look at an empty list, eleven minutes later', async () => {
	const [phone = ''] = phones;
	const calls: Listed[] = [];
	const { client } = serviceWith(calls);
	expect(await ask(client, phone, now - DAY)).toEqual([]);
	calls.push({ id: 1, toPhone: phone, createdAt: now + SECOND, listedAt: now + SECOND });
	now += 11 * MINUTE;
	expect(await ask(client, phone, now - DAY)).toEqual([1]);
});

it('shows no one the calls of another credential', async () => {
	const [phone = ''] = phones;
	const call = { id: 1, toPhone: phone, createdAt: now, listedAt: now };
	const [one, other] = [serviceWith([call]).client, serviceWith([], 'other').client];
	expect(await ask(one, phone, now - DAY)).toEqual([1]);
	expect(await ask(other, phone, now - DAY)).toEqual([]);
	expect(await ask(one, phone, now - DAY)).toEqual([1]);
});

it.each([100, 10_000])(
	'costs at most 1.3 requests and 300 rows per call on a day of %i calls, after the first',
	async (perDay) => {
		const pause = DAY / perDay;
		const calls: Listed[] = [];
		const place = (at: number) =>
			calls.push({
				...{ id: calls.length + 1, createdAt: at, listedAt: at },
				toPhone: `+1312555${String(calls.length % 10_000).padStart(4, '0')}`,
			});
		for (let index = perDay; index > 0; index--) place(now - index * pause);
		const { client, cost } = serviceWith(calls);
		const decide = async () => {
			now += pause;
			// The guard and the limit per person.
			const phone = `+1312555${String(calls.length % 10_000).padStart(4, '0')}`;
			await ask(client, phone, now - 10 * MINUTE);
			await ask(client, phone, now - DAY);
			place(now);
		};
		await decide();
		const first = { ...cost };
		const count = 500;
		for (let index = 0; index < count; index++) await decide();
		expect((cost.gets - first.gets) / count).toBeLessThanOrEqual(1.3);
		expect((cost.rows - first.rows) / count).toBeLessThanOrEqual(300);
	},
	30_000,
);

it('keeps nothing past 50,000 calls, and reads all of them for each question', async () => {
	const [phone = ''] = phones;
	const calls = Array.from({ length: 50_001 }, (_, id) => ({
		...{ id: id + 1, createdAt: now - id * SECOND, listedAt: 0, toPhone: phone },
	}));
	const { client, cost } = serviceWith(calls);
	for (const asked of [1, 2]) {
		expect(await ask(client, phone, now - DAY)).toHaveLength(50_001);
		expect(cost.rows).toBe(asked * 50_001);
		expect(CallList.of(client)).toMatchObject({ calls: new Map() });
	}
	calls.length = 50_000;
	await ask(client, phone, now - DAY);
	const { rows } = cost;
	now += 2 * SECOND;
	await ask(client, phone, now - DAY);
	expect(cost.rows).toBeLessThan(rows + 1000);
});

it('answers a question about a week, and later reads no further back than is asked', async () => {
	const [phone = ''] = phones;
	const calls = [0, 1, 2, 3, 4, 5, 6].map((days) => ({
		...{ id: days + 1, createdAt: now - days * DAY, listedAt: 0, toPhone: phone },
	}));
	const { client, cost } = serviceWith(calls);
	expect(await ask(client, phone, now - 7 * DAY)).toEqual([1, 2, 3, 4, 5, 6, 7]);
	const { rows } = cost;
	now += 2 * SECOND;
	expect(await ask(client, phone, now - DAY + MINUTE)).toEqual([1]);
	expect(cost.rows).toBe(rows + 1);
	now += 20 * MINUTE;
	await ask(client, phone, now - 10 * MINUTE);
	expect(cost.rows).toBeLessThan(rows + 4);
	expect(await ask(client, phone, now - 7 * DAY)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

it('keeps 50,000 calls in at most 30 MB', async () => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const heap = () => {
		collect();
		return process.memoryUsage().heapUsed / 2 ** 20;
	};
	const calls = Array.from({ length: 50_000 }, (_, id) => ({
		...{ id, createdAt: now - id * SECOND, listedAt: 0 },
		toPhone: `+1${2_000_000_000 + id}`,
	}));
	const { client } = serviceWith(calls);
	const texts = { summary: 'On time. '.repeat(20), contentTags: 'completed, on time' };
	const walk = client.walkCalls.bind(client);
	// A service writes its own copy of each row, with a transcript of 5 kB.
	client.walkCalls = async (query, visit) =>
		await walk(query, (row) => {
			const transcript = `Call ${String(row.id)}. `.repeat(400);
			const own = { ...row, ...texts, transcript, loadIds: [`LD-${String(row.id)}`], dotNumber: 7 };
			return visit(JSON.parse(JSON.stringify(own)));
		});
	const before = heap();
	await ask(client, '+12000000000', now - DAY);
	expect(heap() - before).toBeLessThanOrEqual(30);
	expect(CallList.of(client)).toBeDefined();
}, 60_000);

describe('waits of two minutes', () => {
	const waitFor = async (count: number, apartMs: number) => {
		jest.restoreAllMocks();
		jest.useFakeTimers({ now: START, doNotFake: ['nextTick', 'queueMicrotask'] });
		const calls: Listed[] = [];
		const { client, cost } = serviceWith(calls);
		const settings = {
			deadline: START + 60 * MINUTE,
			longestPauseMs: 15 * SECOND,
			signal: undefined,
		};
		const waits = Array.from({ length: count }, async (_, index) => {
			const id = index + 1;
			await new Promise((resolve) => setTimeout(resolve, index * apartMs));
			const createdAt = Date.now();
			const call: Listed = { id, toPhone: '+13125550100', createdAt, listedAt: createdAt };
			calls.push(call);
			setTimeout(() => (call.more = { summary: 'On time.' }), 2 * MINUTE);
			const row = { callId: id, createdAt: new Date(createdAt).toISOString() };
			const { listed } = await awaitEnd(client, row, settings);
			return { listed, tookMs: Date.now() - createdAt };
		});
		let isDone = false;
		const all = Promise.all(waits).finally(() => (isDone = true));
		while (!isDone) await jest.advanceTimersByTimeAsync(SECOND);
		return { ended: await all, ...cost };
	};

	it('pause together for as long as the service asks, also those that begin meanwhile', async () => {
		jest.restoreAllMocks();
		jest.useFakeTimers({ now: START, doNotFake: ['nextTick', 'queueMicrotask'] });
		const { client } = serviceWith([]);
		const looks: number[] = [];
		client.walkCalls = async () => {
			looks.push((Date.now() - START) / SECOND);
			const retryAfterMs = 10 * MINUTE;
			throw new ServiceFailure({ kind: 'status', status: 429, what: 'Slow down', retryAfterMs });
		};
		const wait = async (callId: number) =>
			await awaitEnd(
				client,
				{ callId },
				{ deadline: START + 15 * MINUTE, longestPauseMs: 15 * SECOND, signal: undefined },
			);
		const waits = [wait(1), wait(2)];
		await jest.advanceTimersByTimeAsync(MINUTE);
		waits.push(wait(3));
		await jest.advanceTimersByTimeAsync(20 * MINUTE);
		expect((await Promise.all(waits)).map(({ problem }) => problem)).toEqual(
			Array(3).fill('Slow down'),
		);
		expect(looks).toHaveLength(2);
		expect(looks[1]).toBeGreaterThanOrEqual(602);
	});

	it.each([
		[20, 0, 40],
		[20, 1500, 40],
		[200, 0, 60],
		[200, 150, 60],
	])(
		'cost the service little: %i of them, begun %i ms apart, at most %i requests',
		async (count, apartMs, most) => {
			const { ended, gets } = await waitFor(count, apartMs);
			expect(ended.every(({ listed }) => listed?.summary === 'On time.')).toBe(true);
			expect(Math.max(...ended.map(({ tookMs }) => tookMs))).toBeLessThanOrEqual(2.3 * MINUTE);
			expect(gets).toBeLessThanOrEqual(most);
		},
	);
});
