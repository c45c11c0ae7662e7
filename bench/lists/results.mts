import { type Run, runOnce, type Task } from './service.mts';

/** What was measured, by reader and number of rows. */
export class Results {
	readonly #runs = new Map<string, Run[]>();

	of({ reader, rows }: Task): Run[] {
		return this.#runs.get(`${reader} ${rows}`) ?? [];
	}

	/** Runs each task once a round, in alternating order, so that a busy moment affects all alike. */
	async measure(url: string, tasks: Task[], rounds: number): Promise<void> {
		for (let round = 1; round <= rounds; round++) {
			for (const task of round % 2 === 0 ? tasks.toReversed() : tasks) {
				const run = await runOnce(url, task);
				this.#runs.set(`${task.reader} ${task.rows}`, [...this.of(task), run]);
			}
			console.error(`Round ${round} of ${rounds} is done`);
		}
	}

	/** The middle of a figure over all runs. */
	median(task: Task, key: keyof Run): number {
		return medianOf(this.of(task).map((run) => run[key]));
	}

	/** How many times one reader's figure is the other's. */
	ratio(one: Task, other: Task, key: keyof Run): number {
		return this.median(one, key) / this.median(other, key);
	}
}

function medianOf(figures: number[]): number {
	const sorted = figures.toSorted((one, other) => one - other);
	const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
	return middle.reduce((sum, each) => sum + each, 0) / middle.length;
}

const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;

const HEADS = ['reader', 'all runs (s)', 'rows', 'time', 'CPU', 'GC pauses'];
const MORE_HEADS = ['peak RSS', 'peak heap above start', 'requests', 'in flight'];

/** The medians as a table in Markdown. */
export function printTable(results: Results, tasks: Task[]): void {
	console.log(row([...HEADS, ...MORE_HEADS]));
	console.log(row([...HEADS, ...MORE_HEADS].map((_, nth) => (nth < 2 ? '---' : '---:'))));
	for (const task of tasks) {
		const seconds = (key: keyof Run) => `${(results.median(task, key) / 1000).toFixed(2)} s`;
		const mb = (key: keyof Run) => `${results.median(task, key).toFixed(0)} MB`;
		const all = results.of(task).map(({ ms }) => (ms / 1000).toFixed(2));
		const counts = [
			results.median(task, 'requests').toFixed(0),
			results.median(task, 'inFlight').toFixed(2),
		];
		const rows = task.rows.toLocaleString('en-US');
		const times = [seconds('ms'), seconds('cpuMs'), seconds('gcMs')];
		const memory = [mb('rssMb'), mb('heapMb')];
		console.log(row([task.reader, all.join(', '), rows, ...times, ...memory, ...counts]));
	}
}

/** One line: what was to be reached, and what was measured. */
export function printVerdict(what: string, atMost: number, measured: number): void {
	const verdict = measured <= atMost ? 'reached' : 'MISSED';
	console.log(`${verdict}: ${what}: goal at most ${atMost}, measured ${measured.toFixed(3)}`);
}
