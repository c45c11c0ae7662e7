import type { IDataObject } from 'n8n-workflow';

import { hasEnded } from '../../shared/outcome/callOutcome';
import { pause, throwIfStopped } from '../../shared/service/cancellation';
import type { ServiceClient } from '../../shared/service/client';
import { ServiceFailure } from '../../shared/service/failure';
import type { JsonObject } from '../../shared/service/json';
import { timeOf } from '../../shared/service/record';
import { CallList, CLOCK_MARGIN_MS, isCallOfRow, rangeOf } from './callList';

/** Around a time that the list itself has shown. */
const LISTED_MARGIN_MS = 2000;

/** A call's end is looked for this soon at first, then less and less often. */
const FIRST_LOOK_MS = 2000;
const LOOKS_PER_AGE = 3;

/** Timers can't be longer than 24 days. */
const LONGEST_TIMER_MS = 24 * 60 * 60_000;

/** Whether a reading was complete, or why it failed. */
type Reading = { complete: boolean } | { error: unknown };

interface LookSettings {
	/** Unix milliseconds. */
	range: { from: number; until: number };
	/** Sees each listed call of the range, some twice, and some of other times, until it returns true. */
	visit(call: JsonObject): boolean;
	afterMs: number;
	/** When to give up (Unix milliseconds). */
	deadline?: number;
	signal: AbortSignal | undefined;
}

interface Look extends Pick<LookSettings, 'range' | 'visit'> {
	client: ServiceClient;
	/** Whether it needs no more calls. */
	isSeen: boolean;
	reading?: Reading;
	end(): void;
}

/** Who looks at an organization's list at the same time shares one reading. */
interface Pool {
	readonly looks: Set<Look>;
	reading: Promise<void> | undefined;
	/** Until when (Unix milliseconds) the service asked not to look for the ends of calls. */
	pausedUntil: number;
}

const pools = new WeakMap<CallList, Pool>();

function poolOf(client: ServiceClient): Pool {
	const list = CallList.of(client);
	const pool = pools.get(list) ?? { looks: new Set(), reading: undefined, pausedUntil: 0 };
	pools.set(list, pool);
	return pool;
}

/**
 * Looks at the newest state of a part of the call list after some milliseconds, or before, if others do.
 *
 * @returns whether the list was read to its end, or as far as needed
 * @throws ServiceFailure
 */
export async function look(client: ServiceClient, settings: LookSettings): Promise<boolean> {
	const { range, visit, afterMs, deadline = Number.POSITIVE_INFINITY, signal } = settings;
	const pool = poolOf(client);
	const own: Look = { client, range, visit, isSeen: false, end: () => {} };
	const over = new Promise<void>((resolve) => (own.end = resolve));
	pool.looks.add(own);
	try {
		await atMost(afterMs, over, signal);
		// A reading that is under way began before.
		while (own.reading === undefined && Date.now() < deadline) {
			pool.reading ??= readFor(pool).finally(() => (pool.reading = undefined));
			await atMost(deadline - Date.now(), pool.reading, signal);
		}
	} finally {
		pool.looks.delete(own);
	}
	const { reading = { complete: false } } = own;
	if ('error' in reading) throw reading.error;
	return reading.complete;
}

/** One reading for all who look now. */
async function readFor(pool: Pool): Promise<void> {
	const looks = [...pool.looks];
	const [first] = looks;
	if (first === undefined) return;
	const from = Math.min(...looks.map(({ range }) => range.from));
	const until = Math.max(...looks.map(({ range }) => range.until));
	for (const each of looks) each.isSeen = false;
	const end = (ended: Look[], reading: Reading) => {
		for (const each of ended) {
			pool.looks.delete(each);
			each.reading = reading;
			each.end();
		}
	};
	try {
		const { complete } = await first.client.walkCalls(rangeOf(from, until), (call) => {
			for (const each of looks) each.isSeen = each.visit(call) || each.isSeen;
			return looks.every(({ isSeen }) => isSeen);
		});
		end(looks, { complete });
	} catch (error) {
		const { kind, retryAfterMs = 0 } = error instanceof ServiceFailure ? error.details : {};
		pool.pausedUntil = Math.max(pool.pausedUntil, Date.now() + retryAfterMs);
		// Only the execution that was stopped ends; the others look with their own connection.
		end(kind === 'cancelled' ? [first] : looks, { error });
	}
}

/** Waits for a task, at most so many milliseconds. @throws ServiceFailure when the user presses Stop */
async function atMost(ms: number, task: Promise<unknown>, stop: AbortSignal | undefined) {
	const over = new AbortController();
	const signals = [over.signal, stop].filter((each) => each !== undefined);
	try {
		await Promise.race([task, pause(Math.min(ms, LONGEST_TIMER_MS), AbortSignal.any(signals))]);
	} finally {
		over.abort();
	}
}

interface WaitEnd {
	/** The call once it has ended; undefined if that took too long. */
	listed?: JsonObject;
	/** Why the list couldn't be read the last time, if it couldn't. */
	problem?: string | undefined;
}

/**
 * Waits until the list shows that a row's call has ended, at most until the deadline (Unix milliseconds).
 *
 * @throws ServiceFailure of kind `cancelled` when the user presses Stop
 */
export async function awaitEnd(
	client: ServiceClient,
	row: IDataObject,
	settings: { deadline: number; longestPauseMs: number; signal: AbortSignal | undefined },
): Promise<WaitEnd> {
	const { deadline, longestPauseMs, signal } = settings;
	const begun = Date.now();
	const times = [begun, timeOf(row)?.ms ?? begun];
	const around = rangeAround(times, CLOCK_MARGIN_MS);
	let range = around;
	let problem: string | undefined;
	for (let pauseMs = FIRST_LOOK_MS; ; ) {
		const now = Date.now();
		if (now >= deadline) return { problem };
		const waitMs = Math.max(Math.min(pauseMs, longestPauseMs), poolOf(client).pausedUntil - now);
		const afterMs = Math.min(waitMs, deadline - now);
		const seen: JsonObject[] = [];
		const visit = (call: JsonObject) => isCallOfRow(call, row) && seen.push(call) > 0;
		try {
			await look(client, { range, visit, afterMs, deadline, signal });
			problem = undefined;
		} catch (error) {
			throwIfStopped(signal);
			problem = error instanceof Error ? error.message : String(error);
		}
		const listed = seen.at(-1);
		if (listed && hasEnded(listed)) return { listed };
		// It may move to another time in the list.
		const time = listed && timeOf(listed);
		range = time ? rangeAround([time.ms], LISTED_MARGIN_MS) : around;
		pauseMs = Math.max(FIRST_LOOK_MS, (Date.now() - begun) / LOOKS_PER_AGE);
	}
}

/** Around the times at which calls were placed, their listed times can lie. */
export function rangeAround(times: readonly number[], marginMs: number) {
	return { from: Math.min(...times) - marginMs, until: Math.max(...times) + marginMs };
}
