import { printTable, printVerdict, type Results } from './results.mts';
import type { Task } from './service.mts';

/** The loop is the control: what it takes, Node.js takes. */
const READERS = { calls: 'node-4', bids: 'bids-4', 'calls, loop of fetch': 'bare-4' };
const TIMES = 10;
const AT_MOST = 11;

/** How time and memory grow for ten times the rows. */
export async function measureGrowth(
	results: Results,
	url: string,
	rounds: number,
	size: Omit<Task, 'reader'>,
): Promise<void> {
	const few = Object.values(READERS).map((reader) => ({ reader, ...size }));
	const many = few.map((task) => ({ ...task, rows: TIMES * task.rows }));
	await results.measure(
		url,
		few.filter((task) => results.of(task).length === 0),
		3,
	);
	await results.measure(url, many, rounds);
	console.log(`\nTen times the rows, at ${size.latencyMs} ms a page\n`);
	printTable(
		results,
		few.flatMap((task, nth) => [task, many[nth] ?? task]),
	);
	console.log('');
	for (const [list, reader] of Object.entries(READERS)) {
		const pair = [
			{ reader, ...size, rows: TIMES * size.rows },
			{ reader, ...size },
		] as const;
		const factors = (['ms', 'heapMb', 'cpuMs', 'gcMs', 'rssMb'] as const).map((key) =>
			results.ratio(...pair, key),
		);
		const [ms = NaN, heap = NaN, ...others] = factors;
		if (reader !== 'bare-4') {
			printVerdict(`time for ten times the rows, ${list}`, AT_MOST, ms);
			printVerdict(`peak heap for ten times the rows, ${list}`, AT_MOST, heap);
		} else console.log(`${list}: time ${ms.toFixed(2)}, peak heap ${heap.toFixed(2)}`);
		const [cpu, gc, rss] = others.map((factor) => factor.toFixed(2));
		console.log(`  CPU time ${cpu}, GC pauses ${gc}, peak RSS ${rss}`);
	}
}
