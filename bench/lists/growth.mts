import { medianOf, row, runOnce, withSandbox } from './service.mts';
import type { Measured } from './run-once.mts';

/** Little, so that what is measured is the reader and not the service. */
const LATENCY_MS = 10;

const READERS = { calls: 'node-4', bids: 'bids-4' };

/** Reads so many records and ten times as many, and prints how time and memory grow. */
export async function measureGrowth(rounds: number, calls: number): Promise<void> {
	const few = await measured(rounds, calls);
	const many = await measured(rounds, 10 * calls);
	console.log(row(['list', 'rows', 'time', 'CPU', 'peak RSS', 'peak heap above start']));
	console.log(row(['---', '---:', '---:', '---:', '---:', '---:']));
	for (const [list, reader] of Object.entries(READERS)) {
		const [less, more] = [few.get(reader) ?? [], many.get(reader) ?? []];
		for (const runs of [less, more]) console.log(row([list, ...cellsOf(runs)]));
		const factor = (key: keyof Measured) => (medianOf(more, key) / medianOf(less, key)).toFixed(2);
		console.log(
			`${list}: ${factor('rows')} times the rows take ${factor('ms')} times the time, ${factor('cpuMs')} times the CPU time, ${factor('rssMb')} times the RSS and ${factor('heapMb')} times the heap`,
		);
	}
}

async function measured(rounds: number, calls: number): Promise<Map<string, Measured[]>> {
	return await withSandbox(calls, LATENCY_MS, async (baseUrl) => {
		const readers = Object.values(READERS);
		const results = new Map<string, Measured[]>(readers.map((reader) => [reader, []]));
		// The sandbox generates its records on the first read, which isn't part of the measurement.
		for (const reader of readers) await runOnce(reader, baseUrl);
		for (let round = 1; round <= rounds; round++) {
			for (const reader of readers) results.get(reader)?.push(await runOnce(reader, baseUrl));
			console.error(`Round ${round} of ${rounds} with ${calls} calls is done`);
		}
		return results;
	});
}

function cellsOf(runs: Measured[]): string[] {
	const seconds = (key: 'ms' | 'cpuMs') => `${(medianOf(runs, key) / 1000).toFixed(2)} s`;
	const mb = (key: 'rssMb' | 'heapMb') => `${medianOf(runs, key).toFixed(0)} MB`;
	const rows = medianOf(runs, 'rows').toLocaleString('en-US');
	return [rows, seconds('ms'), seconds('cpuMs'), mb('rssMb'), mb('heapMb')];
}
