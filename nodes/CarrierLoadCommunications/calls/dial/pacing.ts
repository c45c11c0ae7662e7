import { pause } from '../../../shared/service/http/cancellation';
import { runExclusive } from '../memory/runExclusive';

/**
 * When each node last started a call, as Unix milliseconds, across all its executions in this
 * process.
 */
const lastTurns = new Map<string, number>();

/** Spaces a node's calls evenly to stay within its calls per minute. */
export class Pace {
	/**
	 * @param node identifies the node in this process
	 * @param perMinute calls per minute; undefined for no limit
	 */
	constructor(
		private readonly node: string,
		private readonly perMinute: number | undefined,
		private readonly signal: AbortSignal | undefined,
	) {}

	/**
	 * Waits until the next call may start.
	 *
	 * @returns how long that took, in milliseconds
	 * @throws ServiceFailure of kind `cancelled` if the user presses Stop meanwhile
	 */
	async turn(): Promise<number> {
		const asked = Date.now();
		if (this.perMinute === undefined) return 0;
		const gap = 60_000 / this.perMinute;
		await runExclusive(`pace:${this.node}`, async () => {
			const wait = (lastTurns.get(this.node) ?? 0) + gap - Date.now();
			if (wait > 0) await pause(wait, this.signal);
			lastTurns.set(this.node, Date.now());
		});
		return Date.now() - asked;
	}
}

/** Does jobs in their order, several at a time; each is taken when it can begin. */
export async function inParallel<Job>(
	jobs: Generator<Job>,
	parallel: number,
	work: (job: Job) => Promise<void>,
): Promise<void> {
	const worker = async () => {
		for (const job of jobs) await work(job);
	};
	await Promise.all(Array.from({ length: parallel }, worker));
}
