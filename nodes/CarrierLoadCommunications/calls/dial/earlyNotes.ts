import type { CallRegistry } from '../memory/callRegistry';
import type { PlannedCall } from '../plan/plannedCall';

/** How many calls are noted together first, for each one placed in parallel. */
const NOTED_FIRST = 4;

/** With a limit per minute, how long before their turn calls are noted at most. */
const AHEAD_MINUTES = 0.5;

/** How many calls may be in progress, and may begin per minute (undefined for no limit). */
export interface DialingSpeed {
	parallel: number;
	perMinute: number | undefined;
}

/** How many calls are noted together at the beginning of a run. */
export function firstBatch(speed: DialingSpeed): number {
	return batchOf(NOTED_FIRST * speed.parallel, speed);
}

/** How many calls are noted together, if the speed allows so many. */
export function batchOf(size: number, { perMinute }: DialingSpeed): number {
	return perMinute === undefined ? size : Math.min(size, Math.ceil(perMinute * AHEAD_MINUTES));
}

/**
 * Notes a run's first calls while its other items are still checked, because that takes half a
 * second. Only calls whose note nobody else sees: with Skip If Called Within, other executions
 * would wait for a call that an invalid item may still prevent.
 */
export class EarlyNotes {
	private readonly calls: PlannedCall[] = [];
	private noting: Promise<void> | undefined;

	constructor(
		private readonly registry: CallRegistry,
		private readonly speed: DialingSpeed,
	) {}

	add(call: PlannedCall): void {
		if (this.noting || call.skipWithinMs !== undefined || call.rules.dryRun) return;
		this.calls.push(call);
		if (this.calls.length < firstBatch(this.speed)) return;
		this.noting = this.registry.note(this.calls);
		// Whoever needs the notes fails with them.
		this.noting.catch(() => {});
	}

	/** Waits until they are written. @throws ServiceFailure of kind `cancelled` if the user presses Stop */
	async written(): Promise<void> {
		await this.noting;
	}
}
