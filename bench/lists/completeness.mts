import { printTable, printVerdict, type Results } from './results.mts';
import type { Task } from './service.mts';

const PAIRS = { calls: ['node-4', 'trusting-4'], bids: ['bids-4', 'trusting-bids-4'] } as const;

/** What reading completely costs: the same reader compared with itself, believing the service. */
export async function compareTrusting(
	results: Results,
	url: string,
	rounds: number,
	size: Omit<Task, 'reader'>,
): Promise<void> {
	const readers = Object.values(PAIRS).flat();
	const tasks = readers.map((reader) => ({ reader, ...size }));
	await results.measure(url, tasks, rounds);
	console.log(`\nWhat completeness costs, at ${size.latencyMs} ms a page\n`);
	printTable(results, tasks);
	console.log('');
	for (const [list, [complete, trusting]] of Object.entries(PAIRS)) {
		const pair = [
			{ reader: complete, ...size },
			{ reader: trusting, ...size },
		] as const;
		printVerdict(`time with completeness / without, ${list}`, 1.02, results.ratio(...pair, 'ms'));
		const [cpu, heap, requests] = (['cpuMs', 'heapMb', 'requests'] as const).map((key) =>
			results.ratio(...pair, key).toFixed(3),
		);
		console.log(`  CPU time ${cpu}, peak heap ${heap}, requests ${requests}`);
	}
}
