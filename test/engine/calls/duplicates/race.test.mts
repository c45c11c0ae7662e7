import type { IExecuteFunctions } from 'n8n-workflow';
import type { PlannedCall } from '../../../../nodes/CarrierLoadCommunications/calls/call.ts';
import { Reservations } from '../../../../nodes/CarrierLoadCommunications/calls/guard.ts';
import { ProcessedData } from '../../support/calls/processedData.mts';

// Two workers are two processes: what they share is n8n's table, and nothing in memory. So each of
// these has a line of its own (another node id for the process's queue), on one table.

function worker(table: ProcessedData, name: string): Reservations {
	const node = { id: 'call' };
	const workflow = { id: 'saved', active: true };
	const contextData = { node, workflow } as never;
	const context = {
		getNode: () => ({ id: name }),
		getWorkflow: () => ({ id: 'saved' }),
		logger: { debug: () => undefined },
		helpers: {
			checkProcessedAndRecord: (items: string[], scope: 'node', options: never) =>
				table.checkProcessedAndRecord(items, scope, contextData, options),
			removeProcessed: (items: string[], scope: 'node') =>
				table.removeProcessed(items, scope, contextData),
		},
	};
	return new Reservations(context as unknown as IExecuteFunctions);
}

const workers = (table: ProcessedData, count: number) =>
	Array.from({ length: count }, (_, index) => worker(table, `w${index}`));

const call = (key: string, about: string) =>
	({
		...{ identity: { key, duplicateKey: about }, toPhone: '+13125550188' },
		skipWithinMs: 10 * 60_000,
	}) as unknown as PlannedCall;

/** Whether each worker got the reservation of what its call is about. */
const race = (asking: Reservations[], about: (index: number) => string) =>
	Promise.all(
		asking.map(async (reservations, index) => {
			const asked = call(`call ${index}`, about(index));
			await reservations.reserve([asked]);
			return !reservations.isForeign(asked);
		}),
	);

/** A deterministic source of numbers from 0 to 1. */
function source(seed: number) {
	let drawn = seed;
	return () => (drawn = (drawn * 48271) % 2147483647) / 2147483647;
}

async function onFakeClock<Result>(work: Promise<Result>): Promise<Result> {
	let done = false;
	void work.finally(() => (done = true));
	while (!done) await jest.advanceTimersToNextTimerAsync();
	return await work;
}

beforeEach(() => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
	jest.useRealTimers();
});

it.each([
	['the table is new', 0],
	['the table has entries', 1],
])(
	'one of three workers reserves a call when %s and all read before any writes',
	async (_c, rows) => {
		const table = new ProcessedData();
		if (rows > 0) table.rows.set('saved:n:call', ['older']);
		table.delayMs = 20;
		const got = await onFakeClock(race(workers(table, 3), () => 'driver and load'));
		expect(got.filter(Boolean)).toHaveLength(1);
	},
);

it('at most one of four workers reserves a call when their reads and writes interleave at random', async () => {
	const draw = source(7);
	let won = 0;
	for (let round = 0; round < 300; round++) {
		const table = new ProcessedData();
		table.draw = () => draw() * 200;
		const got = await onFakeClock(race(workers(table, 4), () => 'driver'));
		expect(got.filter(Boolean).length).toBeLessThanOrEqual(1);
		won += got.filter(Boolean).length;
	}
	expect(won).toBeGreaterThan(250);
});

it('workers that ask for different calls at the same time all succeed', async () => {
	const table = new ProcessedData();
	table.delayMs = 20;
	const got = await onFakeClock(race(workers(table, 3), (index) => `driver ${index}`));
	expect(got).toEqual([true, true, true]);
});

it('a call that was not placed is free for another worker, and any other for ten minutes at most', async () => {
	const table = new ProcessedData();
	const [one, two] = workers(table, 2);
	const asks = async (from: Reservations | undefined, key: string) => {
		const asked = call(key, 'driver');
		await onFakeClock(from?.reserve([asked]) ?? Promise.reject(new Error('no worker')));
		return !from?.isForeign(asked);
	};
	expect(await asks(one, 'first')).toBe(true);
	expect(await asks(two, 'second')).toBe(false);
	await one?.release([call('first', 'driver')]);
	expect(await asks(two, 'third')).toBe(true);
	const from = Date.now();
	const taken = [];
	for (let minute = 1; minute <= 11; minute++) {
		jest.setSystemTime(from + minute * 60_000);
		// Another worker each time: what is asked for is also written.
		const asked = worker(structuredCloneOf(table), `w${minute}`);
		taken.push(!(await asks(asked, `after ${minute}`)));
	}
	expect(taken.slice(0, 7)).not.toContain(false);
	expect(taken.slice(9)).not.toContain(true);
});

function structuredCloneOf(table: ProcessedData): ProcessedData {
	const copy = new ProcessedData();
	for (const [key, rows] of table.rows) copy.rows.set(key, [...rows]);
	return copy;
}
