import type { ServiceClient } from '../../../shared/service/client';
import type { JsonObject } from '../../../shared/service/http/json';
import { loadKey } from '../../../shared/service/loads';
import { reservedSince } from '../memory/journal/journalEntries';
import { CallProblem } from '../output/callErrors';
import { callIdOf, loadsOf } from '../output/listedCall';
import type { PlannedCall } from '../plan/plannedCall';
import { lastDigits } from '../plan/sameNumber';
import { listCalls } from '../reconcile/listCalls';

/** The list may show a call late: what was read before is read again as far back as this. */
const LATE_MS = 5 * 60_000;

/** How far the service's clock may be ahead: its newest calls are in the future here. */
const AHEAD_MS = 5 * 60_000;

/** Recent calls in the call list about the loads of a run; read once for all items. */
export class RecentCalls {
	/** By load key, then by ID. */
	private readonly listed = new Map<string, Map<string, JsonObject>>();
	private readUntil: number | undefined;
	private reading: Promise<void> | undefined;

	constructor(
		private readonly client: ServiceClient,
		private readonly calls: readonly PlannedCall[],
	) {}

	/** Those about a load, not older than `maxAgeMs`. @throws CallProblem if the list has no end */
	async about(load: string, maxAgeMs: number): Promise<JsonObject[]> {
		await this.refresh(maxAgeMs);
		return this.known(load);
	}

	/** The same, as last read; some are older than the minutes. */
	known(load: string): JsonObject[] {
		return [...(this.listed.get(loadKey(load))?.values() ?? [])];
	}

	private async refresh(maxAgeMs: number): Promise<void> {
		if (this.readUntil !== undefined && this.readUntil + maxAgeMs > Date.now()) return;
		this.reading ??= this.read().finally(() => {
			this.reading = undefined;
		});
		await this.reading;
	}

	private async read(): Promise<void> {
		const guarded = this.calls.filter(({ known }) => known.load !== undefined);
		const until = Date.now();
		const start = guarded.reduce((first, { skipWithinMs = 1 }) => {
			return Math.min(first, until - skipWithinMs, reservedSince(skipWithinMs));
		}, until);
		const from = this.readUntil === undefined ? start : this.readUntil - LATE_MS;
		// Not by load: the service's filter may not find a load that is written differently.
		await this.readRange({ from, until: until + AHEAD_MS });
		this.readUntil = until;
	}

	private keep(listed: JsonObject): void {
		for (const load of loadsOf(listed)) {
			const calls = this.listed.get(load) ?? new Map<string, JsonObject>();
			this.listed.set(load, calls.set(callIdOf(listed) ?? JSON.stringify(listed), listed));
		}
	}

	private async readRange(range: { from: number; until: number }) {
		const loads = new Set(this.calls.map(({ known }) => loadKey(known.load ?? '')));
		const numbers = new Set(this.calls.map(({ toPhone }) => lastDigits(toPhone)));
		const matches = (listed: JsonObject) => {
			const digits = lastDigits(listed.toPhone);
			if (digits !== undefined && !numbers.has(digits)) return false;
			return loadsOf(listed).some((load) => loads.has(load));
		};
		for (let attempt = 1; attempt <= 2; attempt++) {
			const { calls, complete } = await listCalls(this.client, range, matches);
			for (const call of calls) this.keep(call);
			if (complete) return;
		}
		throw new CallProblem(
			'The call list could not be read to its end, so an earlier call cannot be ruled out',
			'Run this item again, or set Skip If Called Within to 0',
		);
	}
}
