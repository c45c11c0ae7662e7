import { pause } from '../../../shared/service/http/cancellation';
import { runExclusive } from '../memory/runExclusive';

/** When each node last started a call, in any of its executions, as Unix milliseconds. */
const lastTurns = new Map<string, number>();

/**
 * Waits until a node's next call may start, so that they are evenly spaced.
 *
 * @param node identifies the node in this process
 * @param perMinute calls per minute; undefined for no limit
 * @returns how long that took, in milliseconds
 * @throws ServiceFailure of kind `cancelled` if the user presses Stop meanwhile
 */
export async function awaitTurn(
	node: string,
	perMinute: number | undefined,
	signal: AbortSignal | undefined,
): Promise<number> {
	const asked = Date.now();
	if (perMinute === undefined) return 0;
	await runExclusive(`pace:${node}`, async () => {
		const interval = 60_000 / perMinute;
		const wait = (lastTurns.get(node) ?? 0) + interval - Date.now();
		// The clock may have been ahead at the last turn.
		if (wait > 0) await pause(Math.min(wait, interval), signal);
		lastTurns.set(node, Date.now());
	});
	return Date.now() - asked;
}

/** Does jobs in their order, several at a time. Each is taken when it can begin. */
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
