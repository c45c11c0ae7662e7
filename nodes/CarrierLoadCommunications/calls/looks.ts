import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../../shared/errors/itemError';
import { hasEnded } from '../../shared/outcome/callOutcome';
import { throwIfStopped } from '../../shared/service/exchange';
import { pause } from '../../shared/service/pause';
import type { ServiceClient } from '../../shared/service/client';
import { ServiceFailure } from '../../shared/service/failure';
import type { JsonObject } from '../../shared/service/json';
import { timeOf } from '../../shared/service/record';
import { CallList, CLOCK_MARGIN_MS, rangeOf } from './callList';
import { isCallOfRow } from './listedCall';

/** A call's end is looked for this soon at first, then less and less often. */
const FIRST_LOOK_MS = 2000;
const LOOKS_PER_AGE = 3;
/** Around a time that the list itself has shown. */
const LISTED_MARGIN_MS = 2000;

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

interface Look extends LookSettings {
	client: ServiceClient;
	isSeen: boolean;
	/** Whether the reading was complete, or why it failed; undefined before its end. */
	result?: { complete: boolean } | { error: unknown };
	end(): void;
}

/** Those who look at an organization's list at the same time share one reading. */
export class Looks {
	/** Until when (Unix milliseconds) the service asked not to look for the ends of calls. */
	pausedUntil = 0;
	private readonly open = new Set<Look>();
	private reading: Promise<void> | undefined;

	static of(client: ServiceClient): Looks {
		const list = CallList.of(client);
		const looks = looksOf.get(list) ?? new Looks();
		looksOf.set(list, looks);
		return looks;
	}

	/**
	 * Looks at a part of the call list as it is after some milliseconds, or before, if others look then.
	 * Returns whether it was read to its end, or as far as needed; undefined if it wasn't before the deadline.
	 * @throws ServiceFailure
	 */
	async look(client: ServiceClient, settings: LookSettings): Promise<boolean | undefined> {
		const { afterMs, deadline = Number.POSITIVE_INFINITY, signal } = settings;
		const look: Look = { ...settings, client, isSeen: false, end: () => {} };
		const over = new Promise<void>((resolve) => (look.end = resolve));
		this.open.add(look);
		try {
			await atMost(afterMs, over, signal);
			// A reading that is under way began before.
			while (look.result === undefined && Date.now() < deadline) {
				this.reading ??= this.readForAll().finally(() => (this.reading = undefined));
				await atMost(deadline - Date.now(), this.reading, signal);
			}
			const { result } = look;
			if (result && 'error' in result) throw result.error;
			return result?.complete;
		} finally {
			this.open.delete(look);
		}
	}

	private async readForAll(): Promise<void> {
		const looks = [...this.open];
		const [first] = looks;
		if (first === undefined) return;
		const range = rangeOf(
			Math.min(...looks.map(({ range: { from } }) => from)),
			Math.max(...looks.map(({ range: { until } }) => until)),
		);
		for (const look of looks) look.isSeen = false;
		const end = (ended: Look[], result: NonNullable<Look['result']>) => {
			for (const look of ended) {
				this.open.delete(look);
				look.result = result;
				look.end();
			}
		};
		try {
			const { complete } = await first.client.walkCalls(range, (call) => {
				for (const look of looks) look.isSeen = look.visit(call) || look.isSeen;
				return looks.every(({ isSeen }) => isSeen);
			});
			end(looks, { complete });
		} catch (error) {
			const { kind, retryAfterMs = 0 } = error instanceof ServiceFailure ? error.details : {};
			this.pausedUntil = Math.max(this.pausedUntil, Date.now() + retryAfterMs);
			// Only the execution that was stopped ends; the others look with their own connection.
			end(kind === 'cancelled' ? [first] : looks, { error });
		}
	}
}

const looksOf = new WeakMap<CallList, Looks>();

/** Waits for a task, at most so many milliseconds, as a timer can. @throws ServiceFailure when the user presses Stop */
async function atMost(ms: number, task: Promise<unknown>, stop: AbortSignal | undefined) {
	const over = new AbortController();
	const signals = [over.signal, stop].filter((each) => each !== undefined);
	try {
		await Promise.race([task, pause(Math.min(ms, 2 ** 31 - 1), AbortSignal.any(signals))]);
	} finally {
		over.abort();
	}
}

/**
 * Waits until the list shows that a row's call has ended, at most until the deadline (Unix milliseconds).
 * @returns the listed call if it has ended, or why the list couldn't be read the last time
 * @throws ServiceFailure of kind `cancelled` when the user presses Stop
 */
export async function awaitEnd(
	client: ServiceClient,
	row: IDataObject,
	settings: { deadline: number; longestPauseMs: number; signal: AbortSignal | undefined },
): Promise<{ listed?: JsonObject; problem?: string | undefined }> {
	const { deadline, longestPauseMs, signal } = settings;
	const begun = Date.now();
	const around = rangeAround([begun, timeOf(row)?.ms ?? begun], CLOCK_MARGIN_MS);
	let range = around;
	let problem: string | undefined;
	for (let now = begun; now < deadline; now = Date.now()) {
		const looks = Looks.of(client);
		const pauseMs = Math.max(FIRST_LOOK_MS, (now - begun) / LOOKS_PER_AGE);
		const afterMs = Math.max(Math.min(pauseMs, longestPauseMs), looks.pausedUntil - now);
		const seen: JsonObject[] = [];
		const visit = (call: JsonObject) => isCallOfRow(call, row) && seen.push(call) > 0;
		const due = { afterMs: Math.min(afterMs, deadline - now), deadline, signal };
		try {
			const isRead = await looks.look(client, { range, visit, ...due });
			if (isRead !== undefined) problem = undefined;
		} catch (error) {
			throwIfStopped(signal);
			problem = textOf(error);
		}
		const listed = seen.at(-1);
		if (listed && hasEnded(listed)) return { listed };
		// It may move to another time in the list.
		const time = listed && timeOf(listed);
		range = time ? rangeAround([time.ms], LISTED_MARGIN_MS) : around;
	}
	return { problem };
}

/** Around the times at which calls were placed, their listed times can lie. */
export function rangeAround(times: readonly number[], marginMs: number) {
	return { from: Math.min(...times) - marginMs, until: Math.max(...times) + marginMs };
}
