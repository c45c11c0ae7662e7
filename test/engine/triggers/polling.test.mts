import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.mts';
import { startEngine, type Engine } from '../harness/index.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const start = Date.parse('2026-03-02T12:00:00Z');

let engine: Engine;
let sandbox: Sandbox;
let now: number;

/** Only what asks for the time sees the simulated days; timers and sockets live in the real time. */
function setClock(ms: number) {
	now = ms;
	jest.setSystemTime(now);
}

beforeAll(async () => {
	engine = await startEngine();
	const real = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] as const;
	const timers = ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'] as const;
	jest.useFakeTimers({ now: start, doNotFake: [...real, ...timers, 'clearImmediate'] });
});
afterAll(() => {
	jest.useRealTimers();
	engine.close();
});
beforeEach(() => setClock(start));
afterEach(async () => await sandbox?.close());

async function openSandbox(options: SandboxOptions = {}) {
	sandbox = await startSandbox({
		...{
			calls: 40,
			historyDays: 2,
			now: () => new Date(now),
			callDelayMs: Number.POSITIVE_INFINITY,
		},
		...options,
	});
}

/** A trigger that remembers from poll to poll, as n8n has it. */
function trigger(parameters: object) {
	let staticData: IDataObject = {};
	const poll = async (mode: 'trigger' | 'manual' = 'trigger') => {
		const { baseUrl, tokens } = sandbox;
		const credentials = {
			carrierLoadCommunicationsApi: { baseUrl, accessToken: tokens.north },
		};
		const polled = await engine.poll(parameters as never, { credentials, staticData, mode });
		if (polled.error === undefined) staticData = polled.staticData;
		return polled;
	};
	return {
		poll,
		size: () => JSON.stringify(staticData).length,
		/** Ids of the records of one poll that has to work. */
		async ids(key = 'id') {
			const { items = [], error } = await poll();
			expect(error).toBeUndefined();
			return items.map((item) => item[key]);
		},
	};
}

const iso = (ms: number) => new Date(ms).toISOString();

describe('the first poll', () => {
	it('brings no history, and the next ones what is new', async () => {
		await openSandbox();
		const calls = trigger({ event: 'newCall' });
		expect(await calls.ids()).toEqual([]);
		setClock(start + MINUTE);
		const [id] = sandbox.insert({});
		expect(await calls.ids()).toEqual([id]);
		expect(await calls.ids()).toEqual([]);
	});

	it('brings the history that was asked for, oldest first', async () => {
		await openSandbox({ calls: 200, historyDays: 4 });
		const calls = trigger({ event: 'newCall', options: { historyDays: 1 } });
		const { items = [] } = await calls.poll();
		const times = items.map(({ createdAt }) => Date.parse(String(createdAt)));
		expect(times.length).toBeGreaterThan(20);
		expect(times.length).toBeLessThan(100);
		expect(Math.min(...times)).toBeGreaterThanOrEqual(start - 24 * HOUR);
		expect(times).toEqual([...times].sort((one, other) => one - other));
		expect(await calls.ids()).toEqual([]);
	});
});

describe('a test run in the editor', () => {
	it.each(['newCall', 'callOutcomeReady', 'newConversation', 'newBid'])(
		'of %s shows the newest records, and changes nothing',
		async (event) => {
			await openSandbox();
			const { poll, size } = trigger({ event });
			const { items = [] } = await poll('manual');
			expect(items).toHaveLength(5);
			const times = items.map(({ createdAt, callDateTime }) => String(createdAt ?? callDateTime));
			expect(times).toEqual([...times].sort().reverse());
			expect(size()).toBe(2);
		},
	);

	it('says so when there is nothing to show', async () => {
		await openSandbox();
		const { error } = await trigger({ event: 'newCall', filters: { loadId: 'none' } }).poll(
			'manual',
		);
		expect(error).toMatchObject({ message: expect.stringContaining('no new calls') });
	});
});

describe('a new bid', () => {
	it('comes once though it has no id', async () => {
		await openSandbox();
		const bids = trigger({ event: 'newBid' });
		await bids.poll();
		setClock(start + MINUTE);
		sandbox.insert({ count: 3 });
		expect(await bids.ids('callDateTime')).toEqual([2, 1, 0].map((ago) => iso(now - ago)));
		setClock(start + 2 * MINUTE);
		expect(await bids.ids()).toEqual([]);
	});
});

describe('filters', () => {
	it('are those of the list', async () => {
		await openSandbox();
		const calls = trigger({ event: 'newCall', filters: { loadId: '48213' } });
		await calls.poll();
		setClock(start + MINUTE);
		sandbox.insert({ loadId: '77001' });
		const [id] = sandbox.insert({ loadId: '48213' });
		expect(await calls.ids()).toEqual([id]);
		expect(sandbox.ledger.requests('listCalls').at(-1)?.query).toMatchObject({ loadId: '48213' });
	});
});

describe('the outcome of a call', () => {
	const place = async () => {
		const body = { toPhone: '+13125550188', nextStopIndex: 0, loadNumber: '48213' };
		await fetch(`${sandbox.baseUrl}/api/v1/track-and-trace/trigger-check-call`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${sandbox.tokens.north}`,
				'content-type': 'application/json',
			},
			body: JSON.stringify(body),
		});
		return sandbox.ledger.dialled().at(-1)?.callId;
	};

	it('comes when it is there, once, also after more than the overlap', async () => {
		await openSandbox();
		const outcomes = trigger({ event: 'callOutcomeReady' });
		await outcomes.poll();
		for (const wait of [2 * MINUTE, 3 * HOUR]) {
			setClock(now + MINUTE);
			const id = await place();
			expect(await outcomes.ids()).toEqual([]);
			for (let passed = 0; passed < wait; passed += wait / 4) {
				setClock(now + wait / 4);
				expect(await outcomes.ids()).toEqual([]);
			}
			await sandbox.finishCalls();
			setClock(now + 16 * MINUTE);
			const seen = [...(await outcomes.ids()), ...(await outcomes.ids())];
			expect(seen).toEqual([id]);
		}
	});

	it('is no longer looked for after the time that the user gives', async () => {
		await openSandbox();
		const outcomes = trigger({ event: 'callOutcomeReady' });
		await outcomes.poll();
		await place();
		await outcomes.poll();
		setClock(start + 25 * HOUR);
		sandbox.insert({ createdAt: iso(now - 2 * HOUR) });
		await outcomes.poll();
		await sandbox.finishCalls();
		setClock(start + 26 * HOUR);
		expect(await outcomes.ids()).toEqual([]);
	});
});

describe('a poll that fails', () => {
	it('says why, and loses nothing', async () => {
		await openSandbox();
		const calls = trigger({ event: 'newCall' });
		await calls.poll();
		setClock(start + MINUTE);
		const [id] = sandbox.insert({});
		sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'status', status: 500 } });
		const { error, items } = await calls.poll();
		expect(items).toBeUndefined();
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '500' });
		expect(await calls.ids()).toEqual([id]);
	});
});

describe('an outage', () => {
	it('is caught up with in order and in bounded chunks', async () => {
		await openSandbox({ calls: 0 });
		const calls = trigger({ event: 'newCall' });
		await calls.poll();
		const inserted: number[] = [];
		for (let hour = 1; hour <= 30; hour++) {
			inserted.push(...sandbox.insert({ count: 100, createdAt: iso(start + hour * HOUR) }));
		}
		setClock(start + 31 * HOUR);
		const seen: unknown[] = [];
		for (let nth = 0; nth < 12 && seen.length < inserted.length; nth++) {
			const chunk = await calls.ids();
			expect(chunk.length).toBeGreaterThan(0);
			expect(chunk.length).toBeLessThanOrEqual(1000);
			seen.push(...chunk);
			setClock(now + MINUTE);
		}
		expect(seen).toEqual(inserted);
	});

	it('is caught up with when all records are of one second', async () => {
		await openSandbox({ calls: 0 });
		const calls = trigger({ event: 'newCall' });
		await calls.poll();
		setClock(start + MINUTE);
		const inserted = sandbox.insert({ count: 900 });
		setClock(start + 5 * HOUR);
		const seen = [...(await calls.ids()), ...(await calls.ids()), ...(await calls.ids())];
		expect(seen).toEqual(inserted);
	});
});

/** A generator of numbers from 0 to 1 that always gives the same ones. */
function chance(seed: number) {
	let state = seed;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return state / 2 ** 32;
	};
}

describe('simulated days', () => {
	it.each([
		['newestFirst', 'inclusive', 1],
		['oldestFirst', 'exclusive', 2],
	] as const)(
		'%s, bounds %s: every record comes once, though records come late and polls fail or are lost',
		async (order, bounds, seed) => {
			await openSandbox({ order, bounds });
			const random = chance(seed);
			const watchers = ['newCall', 'newConversation', 'newBid'].map((event) => trigger({ event }));
			for (const { poll } of watchers) await poll();
			let inserted = 0;
			const seen: string[][] = watchers.map(() => []);
			const pollAll = async () => {
				for (const [index, { poll }] of watchers.entries()) {
					const { items = [] } = await poll();
					const keys = items.map(({ id, createdAt, callDateTime, loadId }) =>
						String(id ?? `${String(callDateTime ?? createdAt)} ${String(loadId)}`),
					);
					seen[index]?.push(...keys);
				}
			};
			for (let minute = 0; minute < 3 * 24 * 60; minute += 15) {
				setClock(start + minute * MINUTE);
				if (random() < 0.6) {
					const count = 1 + Math.floor(random() * 4);
					const late = random() < 0.4 ? random() * 50 * MINUTE : 0;
					const createdAt = Math.max(start + 1, now - late);
					sandbox.insert({ count: 1, createdAt: iso(createdAt) });
					for (let more = 1; more < count; more++) sandbox.insert({ createdAt: iso(now) });
					inserted += count;
				}
				if (random() < 0.1) continue; // n8n was down
				const failing = random() < 0.1;
				if (failing) {
					sandbox.faults.add({ endpoint: '*', fault: { kind: 'html' }, times: 2 });
				}
				await pollAll();
				sandbox.faults.clear();
			}
			setClock(now + MINUTE);
			await pollAll();
			for (const [index, keys] of seen.entries()) {
				expect(new Set(keys).size).toBe(keys.length);
				expect([index, keys.length]).toEqual([index, inserted]);
			}
			for (const { size } of watchers) expect(size()).toBeLessThan(10_000);
		},
		120_000,
	);
});
