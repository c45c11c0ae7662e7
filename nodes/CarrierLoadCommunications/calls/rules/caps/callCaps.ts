import { Duration } from 'luxon';

import type { Refusal } from '../refusal';
import { PARTS, takeSlot, type Cap, type ClaimedSlot, type Slot, type SlotNotes } from './takeSlot';

export interface Caps {
	perHour?: number | undefined;
	perDay?: number | undefined;
}

/** A slot of each cap for one call, to be confirmed before the call is placed. */
export type Claim = ClaimedSlot[];

export interface CapRefusal extends Refusal {
	/** What was taken of the other caps. Until it is confirmed, another worker may have the same slots. */
	taken: Claim;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * A node's caps across its executions. Each has as many slots as calls are allowed, and a call takes
 * one of each. If two workers take a slot at the same moment, one write replaces the other: the claim
 * whose own entry is still there a moment later has the slot.
 */
export class CallCaps {
	constructor(private readonly slots = new Map<string, Slot[]>()) {}

	/** Slots taken from the copy are not taken here. */
	copy(): CallCaps {
		return new CallCaps(new Map([...this.slots].map(([rule, slots]) => [rule, [...slots]])));
	}

	/** Takes a slot of each cap. Must not run twice at once for one node. @throws what the notes throw */
	async claim(caps: Caps, notes: SlotNotes, now: number): Promise<Claim | CapRefusal> {
		const taken: Claim = [];
		try {
			for (const cap of this.capsOf(caps)) {
				const slot = await takeSlot(cap, notes, now);
				if (slot === undefined) return { ...refusal(cap, now), taken };
				taken.push(slot);
			}
			return taken;
		} catch (error) {
			await this.release(taken, notes);
			return await Promise.reject(error);
		}
	}

	/** Whether a recent claim has its slots. If not, it has none and can be made again. */
	async confirm(claim: Claim, notes: SlotNotes): Promise<boolean> {
		const kept = await notes.record(claim.map(({ own }) => own));
		const lost = claim.filter(({ own }) => !kept.has(own));
		// Entries that a lost claim checked may be the other worker's.
		await notes.remove(
			claim.flatMap(({ own, asked }) => (kept.has(own) ? [own, ...asked] : [own])),
		);
		if (lost.length === 0) return true;
		for (const slot of lost) slot.freeAt = 0;
		await this.release(
			claim.filter(({ own }) => kept.has(own)),
			notes,
		);
		return false;
	}

	/** No call was placed: the slots of a confirmed claim are free again. */
	async release(claim: Claim, notes: SlotNotes): Promise<void> {
		if (claim.length === 0) return;
		for (const slot of claim) slot.freeAt = 0;
		await notes.remove(claim.flatMap(({ entry, own, asked }) => [entry, own, ...asked]));
	}

	private capsOf({ perHour, perDay }: Caps): Cap[] {
		return [
			...(perHour === undefined ? [] : [this.cap('Max Calls per Hour', perHour, HOUR_MS)]),
			...(perDay === undefined ? [] : [this.cap('Max Calls per Day', perDay, 24 * HOUR_MS)]),
		];
	}

	private cap(rule: Cap['rule'], most: number, windowMs: number): Cap {
		const slots = this.slots.get(rule) ?? [];
		this.slots.set(rule, slots);
		return { rule, most, windowMs, slots };
	}
}

function refusal({ rule, most, windowMs, slots }: Cap, now: number): Refusal {
	// A slot that another worker is claiming is unknown.
	const taken = slots.slice(0, most).flatMap(({ freeAt }) => (freeAt > now ? [freeAt] : []));
	const next = Math.min(now + windowMs + windowMs / PARTS, ...taken);
	const nextAllowedAt = new Date(next).toISOString();
	const window = rule === 'Max Calls per Hour' ? 'hour' : 'day';
	return {
		reason: `This node has reached its limit of ${most} ${most === 1 ? 'call' : 'calls'} per ${window}`,
		advice: `The next call may be placed in ${inWords(next - now)} (nextAllowedAt: ${nextAllowedAt}), or raise ${rule} (Calling Rules)`,
		nextAllowedAt,
	};
}

/** "5 hours, 12 minutes". */
function inWords(ms: number): string {
	const minutes = Math.ceil(ms / MINUTE_MS);
	return Duration.fromObject({ minutes }, { locale: 'en-US' }).rescale().toHuman();
}
