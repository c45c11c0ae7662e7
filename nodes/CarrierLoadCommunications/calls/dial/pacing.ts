import { pause } from '../../../shared/service/http/cancellation';
import { settled } from '../memory/settled';

/** Lets calls begin at most so many times a minute, evenly spread. */
export class Pace {
	private last = Number.NEGATIVE_INFINITY;
	private line: Promise<unknown> = Promise.resolve();

	/** @param perMinute calls per minute; undefined for as fast as they come */
	constructor(
		private readonly perMinute: number | undefined,
		private readonly signal: AbortSignal | undefined,
	) {}

	/**
	 * Waits for the next turn.
	 *
	 * @throws ServiceFailure of kind `cancelled` when the user presses Stop meanwhile
	 */
	async turn(): Promise<void> {
		if (this.perMinute === undefined) return;
		const gap = 60_000 / this.perMinute;
		// Counted from when the turn before really came, so that a process that stood still does not
		// let all of them begin at once.
		const turn = this.line.then(async () => {
			const wait = this.last + gap - Date.now();
			if (wait > 0) await pause(wait, this.signal);
			this.last = Date.now();
		});
		this.line = settled(turn);
		await turn;
	}
}

/**
 * Works through a list, so many at a time. After a failure no other work is begun; what is under
 * way comes to its end first, so that nothing that was placed is forgotten.
 *
 * @throws what the first failing work threw
 */
export async function inParallel<Job>(
	jobs: readonly Job[],
	parallel: number,
	work: (job: Job) => Promise<void>,
): Promise<void> {
	const left = jobs.values();
	const failures: unknown[] = [];
	const worker = async () => {
		for (const job of left) {
			if (failures.length > 0) return;
			try {
				await work(job);
			} catch (error) {
				failures.push(error);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(parallel, jobs.length) }, worker));
	if (failures.length > 0) throw failures[0];
}
