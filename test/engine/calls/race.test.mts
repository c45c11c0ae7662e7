import type { IExecuteFunctions } from 'n8n-workflow';
import { CallJournal } from '../../../nodes/CarrierLoadCommunications/calls/memory/callJournal.ts';
import { ProcessedData } from '../support/calls/processedData.mts';

// Two workers are two processes: what they share is n8n's table, and nothing in memory. So each of
// these journals has a line of its own (another node id for the process's queue), on one table.

interface Worker {
	journal: CallJournal;
}

function worker(table: ProcessedData, name: string): Worker {
	const node = { id: 'call' };
	const workflow = { id: 'saved', active: true };
	const contextData = { node, workflow } as never;
	const context = {
		getNode: () => ({ id: name }),
		getExecutionId: () => name,
		getWorkflowDataProxy: () => ({ $execution: { resumeUrl: `http://n8n/w/1?signature=${name}` } }),
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

it.each([
	['the table is new', 0],
	['the table has entries', 1],
])(
	'one of three workers gets the reservation when %s and all read before any writes',
	async (_c, rows) => {
		const table = new ProcessedData();
		if (rows > 0) table.rows.set('saved:n:call', ['older']);
		table.delayMs = 20;
		const reserved = await Promise.all(
			workers(table, 3).map(({ journal }) => journal.reserve('driver and load', undefined)),
		);
		expect(reserved.filter(Boolean)).toHaveLength(1);
	},
);

it('at most one of many workers gets it, however their reading and writing mingle', async () => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
	let drawn = 7;
	const draw = () => (drawn = (drawn * 48271) % 2147483647) / 2147483647;
	try {
		let won = 0;
		for (let round = 0; round < 300; round++) {
			const table = new ProcessedData();
			table.draw = () => draw() * 400;
			const one = async ({ journal }: Worker) => {
				await new Promise((resolve) => setTimeout(resolve, draw() * 800));
				await journal.begin(`item ${draw()}`);
				return await journal.reserve('driver', undefined);
			};
			let reserved: boolean[] | undefined;
			void Promise.all(workers(table, 4).map(one)).then((all) => (reserved = all));
			while (!reserved) await jest.advanceTimersToNextTimerAsync();
			expect(reserved.filter(Boolean).length).toBeLessThanOrEqual(1);
			won += reserved.filter(Boolean).length;
		}
		expect(won).toBeGreaterThan(250);
	} finally {
		jest.useRealTimers();
	}
});

it('workers that reserve different numbers at the same time all get theirs', async () => {
	const table = new ProcessedData();
	table.delayMs = 20;
	const reserved = await Promise.all(
		workers(table, 3).map(({ journal }, index) => journal.reserve(`driver ${index}`, undefined)),
	);
	expect(reserved).toEqual([true, true, true]);
}, 20_000);

it('a reservation that was given back is free again', async () => {
	const table = new ProcessedData();
	const [one, two] = workers(table, 2);
	expect(await one?.journal.reserve('driver', undefined)).toBe(true);
	expect(await two?.journal.reserve('driver', undefined)).toBe(false);
	await one?.journal.release('driver');
	expect(await two?.journal.reserve('driver', undefined)).toBe(true);
});

it('a reservation lasts two minutes, however often others ask', async () => {
	jest.useFakeTimers({ advanceTimers: true, now: new Date('2026-03-02T14:00:30Z') });
	try {
		const [one, two] = workers(new ProcessedData(), 2);
		expect(await one?.journal.reserve('driver', undefined)).toBe(true);
		const asked = [];
		for (let half = 0; half < 6; half++) {
			jest.setSystemTime(Date.now() + 30_000);
			asked.push(await two?.journal.reserve('driver', undefined));
		}
		expect(asked.indexOf(true)).toBeGreaterThanOrEqual(1);
		expect(asked.indexOf(true)).toBeLessThanOrEqual(4);
	} finally {
		jest.useRealTimers();
	}
});

it('a call belongs to the execution that claims it first', async () => {
	const [one, two] = workers(new ProcessedData(), 2);
	expect(await one?.journal.claim(7, 'item 0')).toBe(true);
	expect(await two?.journal.claim(7, 'item 0')).toBe(false);
	expect(await two?.journal.claim(7, 'item 0')).toBe(false);
	expect(await one?.journal.claim(7, 'item 0')).toBe(true);
	expect(await one?.journal.claim(7, 'item 1')).toBe(false);
});
