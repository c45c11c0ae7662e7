import { hasEnded } from '../../shared/outcome/callOutcome';
import { pause } from '../../shared/service/pause';
import type { ReadyItem } from './item';
import { nodeKeyOf } from './keys';
import { awaitEnd } from './looks';
import { hasOtherExtension, otherCalls, runExclusive, type LookingRun } from './memory';

export interface Speed {
	/** How many calls may be in progress. */
	parallel: number;
	/** How many may begin per minute; undefined for no limit. */
	perMinute: number | undefined;
}

/** How often to look whether another call to the phone has ended. */
const LOOK_EVERY_MS = 10_000;

/** Waits until a call may be placed: its phone is free, and it is the node's turn. Returns whether it had to. */
export async function awaitTurn(
	run: LookingRun & { speed: Speed },
	item: ReadyItem,
): Promise<boolean> {
	const { context, speed, signal } = run;
	const hasWaited = await awaitPhone(run, item);
	if (speed.perMinute === undefined) return hasWaited;
	await awaitPace(nodeKeyOf(context), speed.perMinute, signal);
	return true;
}

/** Waits for the last call to a phone to end: it can't take two at the same time. */
async function awaitPhone({ client, signal }: LookingRun, { call, rules }: ReadyItem) {
	const { samePhonePauseMs: pauseMs } = rules;
	const calls = otherCalls(call).filter((other) => !hasOtherExtension(call, other));
	const [last] = calls.sort((one, other) => other.from - one.from);
	if (last === undefined || hasEnded(last.row ?? {})) return false;
	const now = Date.now();
	// The clock may have been ahead at that call.
	const left = Math.min(last.from + pauseMs - now, pauseMs);
	if (left <= 0) return false;
	const settings = { deadline: now + left, longestPauseMs: LOOK_EVERY_MS, signal };
	if (last.row) await awaitEnd(client, last.row, settings);
	else await pause(left, signal);
	return true;
}

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
