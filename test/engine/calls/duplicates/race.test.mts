import type { IExecuteFunctions } from 'n8n-workflow';
import { CallJournal } from '../../../../nodes/CarrierLoadCommunications/calls/memory/journal/callJournal.ts';
import { ProcessedData } from '../../support/calls/processedData.mts';

// Two workers are two processes: what they share is n8n's table, and nothing in memory. So each of
// these journals has a line of its own (another node id for the process's queue), on one table.

interface Worker {
	journal: CallJournal;
}

function worker(table: ProcessedData, name: string, execution = name): Worker {
	const node = { id: 'call' };
	const workflow = { id: 'saved', active: true };
	const contextData = { node, workflow } as never;
	const context = {
		getNode: () => ({ id: name }),
		getWorkflow: () => ({ id: 'saved' }),
		getExecutionId: () => execution,
		getWorkflowDataProxy: () => ({
			$execution: { resumeUrl: `http://n8n/w/1?signature=${execution}` },
		}),
		logger: { debug: () => undefined },
		helpers: {
			checkProcessedAndRecord: (items: string[], scope: 'node', options: never) =>
				table.checkProcessedAndRecord(items, scope, contextData, options),
			removeProcessed: (items: string[], scope: 'node') =>
				table.removeProcessed(items, scope, contextData),
		},
	};
	return { journal: new CallJournal(context as unknown as IExecuteFunctions) };
}

const workers = (table: ProcessedData, count: number) =>
	Array.from({ length: count }, (_, index) => worker(table, `w${index}`));

/** Whether each worker got the reservation of a target, for calls with keys of their own. */
const race = (asking: Worker[], target: (index: number) => string) =>
	Promise.all(
		asking.map(async ({ journal }, index) => {
			const note = { key: `call ${index}`, target: target(index) };
			const { reserved } = await journal.note([note], undefined);
			return !reserved.has(note.target);
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
	'one of three workers reserves a target when %s and all read before any writes',
	async (_c, rows) => {
		const table = new ProcessedData();
		if (rows > 0) table.rows.set('saved:n:call', ['older']);
		table.delayMs = 20;
		const got = await onFakeClock(race(workers(table, 3), () => 'driver and load'));
		expect(got.filter(Boolean)).toHaveLength(1);
	},
);

it('at most one of four workers reserves a target, however their reads and writes interleave', async () => {
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

it('workers that ask for different targets at the same time all succeed', async () => {
	const table = new ProcessedData();
	table.delayMs = 20;
	const got = await onFakeClock(race(workers(table, 3), (index) => `driver ${index}`));
	expect(got).toEqual([true, true, true]);
});

it('no note of 100 calls from five workers is lost, with 0 to 20 ms of database delay', async () => {
	const draw = source(11);
	const table = new ProcessedData();
	table.draw = () => draw() * 20;
	const noting = workers(table, 5).map(async ({ journal }, index) => {
		for (let call = 0; call < 20; call++) {
			await journal.note([{ key: `${index}/${call}`, target: undefined }], undefined);
		}
	});
	await onFakeClock(Promise.all(noting));
	const [after] = workers(table, 1);
	const keys = Array.from({ length: 100 }, (_, at) => `${Math.floor(at / 20)}/${at % 20}`);
	const again = after?.journal.note(
		keys.map((key) => ({ key, target: undefined })),
		undefined,
	);
	expect((await onFakeClock(again ?? Promise.reject(new Error('no worker')))).begun.size).toBe(100);
});

it('no ID of 100 placed calls from five workers is lost, with 0 to 20 ms of database delay', async () => {
	const draw = source(13);
	const table = new ProcessedData();
	table.draw = () => draw() * 20;
	const placing = workers(table, 5).map(async ({ journal }, index) => {
		for (let call = 0; call < 20; call++) {
			journal.placed(`${index}/${call}`, 100 * index + call);
			await new Promise((resolve) => setTimeout(resolve, draw() * 50));
		}
		await journal.close();
	});
	await onFakeClock(Promise.all(placing));
	await jest.advanceTimersByTimeAsync(5_000);
	const [after] = workers(table, 1);
	for (let index = 0; index < 5; index++) {
		for (let call = 0; call < 20; call++) {
			const callId = 100 * index + call;
			const own = after?.journal.listed.ownAmong([callId], `${index}/${call}`);
			expect(await onFakeClock(own ?? Promise.resolve([]))).toEqual([callId]);
		}
	}
});

it('a target is free again when its call was not placed, and after twenty minutes at most', async () => {
	const [one, two] = workers(new ProcessedData(), 2);
	const asks = async (from: Worker | undefined, key: string) => {
		const note = { key, target: 'driver' };
		const noted = from?.journal.note([note], undefined);
		const { reserved } = await onFakeClock(noted ?? Promise.reject(new Error('no worker')));
		// A run forgets what it did not dial.
		if (reserved.has('driver')) await from?.journal.forget([key]);
		return !reserved.has('driver');
	};
	expect(await asks(one, 'first')).toBe(true);
	expect(await asks(two, 'second')).toBe(false);
	await one?.journal.forget(['first']);
	expect(await asks(two, 'third')).toBe(true);
	const asked = [];
	for (let minutes = 0; minutes < 22; minutes += 2) {
		jest.setSystemTime(Date.now() + 2 * 60_000);
		asked.push(await asks(one, `again ${minutes}`));
	}
	expect(asked.indexOf(true)).toBeGreaterThanOrEqual(4);
	expect(asked.indexOf(true)).toBeLessThanOrEqual(10);
});

it('a listed call belongs to the worker that claims it first', async () => {
	const [one, two] = workers(new ProcessedData(), 2);
	const claim = async (by: Worker | undefined, key: string) =>
		await onFakeClock(by?.journal.listed.claim(7, key) ?? Promise.resolve(false));
	expect(await claim(one, 'item 0')).toBe(true);
	expect(await claim(two, 'item 0 of another execution')).toBe(false);
	expect(await claim(one, 'item 0')).toBe(true);
	expect(await claim(one, 'item 1')).toBe(false);
});

it('one of two workers gets a listed call that both claim at the same moment', async () => {
	const table = new ProcessedData();
	table.rows.set('saved:n:call', ['older']);
	table.delayMs = 20;
	const claims = workers(table, 2).map(({ journal }, index) =>
		journal.listed.claim(7, `call ${index}`),
	);
	expect((await onFakeClock(Promise.all(claims))).filter(Boolean)).toHaveLength(1);
});

describe('what an execution has noted, while others of the same node place thousands of calls', () => {
	/** Places calls, as many runs of the node in one execution. */
	async function placeCalls({ journal }: Worker, keys: string[]): Promise<void> {
		await journal.note(
			keys.map((key) => ({ key, target: undefined })),
			undefined,
		);
		for (const key of keys) journal.placed(key, `id of ${key}`);
		await journal.close();
	}
	const many = (name: string, count: number) =>
		Array.from({ length: count }, (_, index) => `${name} ${index}`);
	const isNoted = async (table: ProcessedData, execution: string, key: string) => {
		const { journal } = worker(table, `restarted ${execution}`, execution);
		const { begun } = await journal.note([{ key, target: undefined }], undefined);
		return begun.has(key) && (await journal.listed.ownAmong([`id of ${key}`], key)).length === 1;
	};

	it('stays: it may crash and be started again', async () => {
		const table = new ProcessedData();
		await onFakeClock(placeCalls(worker(table, 'node', 'loop'), ['first turn']));
		for (let other = 0; other < 3; other++) {
			const placing = placeCalls(worker(table, 'node', `${other}`), many(`${other}`, 1000));
			await onFakeClock(placing);
		}
		expect(await onFakeClock(isNoted(table, 'loop', 'first turn'))).toBe(true);
	});

	it('stays for as long as it runs, and is removed when nobody has needed it for an hour', async () => {
		const table = new ProcessedData();
		await onFakeClock(placeCalls(worker(table, 'node', 'loop'), ['first turn']));
		await onFakeClock(placeCalls(worker(table, 'node', 'ended'), many('ended', 1000)));
		for (let turn = 2; turn < 10; turn++) {
			jest.setSystemTime(Date.now() + 20 * 60_000);
			await onFakeClock(placeCalls(worker(table, 'node', 'loop'), [`turn ${turn}`]));
		}
		expect(await onFakeClock(isNoted(table, 'loop', 'first turn'))).toBe(true);
		expect(table.rows.get('saved:n:call')?.length).toBeLessThan(100);
	});
});
