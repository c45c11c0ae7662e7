import { pause } from '../../shared/service/pause';
import { runExclusive } from './memory';

/** When each node last started a call, in any of its executions, as Unix milliseconds. */
const lastTurns = new Map<string, number>();

/** Waits until a node's next call may start, so that they are evenly spaced. */
export async function awaitPace(node: string, perMinute: number, signal: AbortSignal | undefined) {
	await runExclusive(`pace:${node}`, async () => {
		const interval = 60_000 / perMinute;
		const wait = (lastTurns.get(node) ?? 0) + interval - Date.now();
		// The clock may have been ahead at the last turn.
		if (wait > 0) await pause(Math.min(wait, interval), signal);
		lastTurns.set(node, Date.now());
	});
}
