import type { Refusal } from '../refusal';

/** Where the slots of a node's caps are noted, so that they survive a restart. */
export interface SlotNotes {
	/** Notes entries; returns those that were noted before. */
	record(entries: string[]): Promise<Set<string>>;
	remove(entries: string[]): Promise<void>;
}

export interface Caps {
	perHour?: number | undefined;
	perDay?: number | undefined;
}

/** A slot of each cap: to be released if the call was certainly not placed. */
export type Claim = Slot[];

interface Slot {
	/** When it is free again (epoch milliseconds), as far as this process knows. */
	freeAt: number;
	/** What notes that it is taken. */
	entry: string;
}

interface Cap {
	rule: 'Max Calls per Hour' | 'Max Calls per Day';
	/** Most calls within the window. */
	most: number;
	windowMs: number;
	slots: Slot[];
}

const HOUR_MS = 60 * 60_000;

/** A slot's use is noted with the window's sixtieth in which it began: an hour's minute. */
const PARTS = 60;

/**
 * Caps of one node, across its executions: at most so many calls in any hour and any day.
 *
 * Each cap has as many slots as calls are allowed. A call takes a slot and holds it for the window,
 * rounded up to its next sixtieth. What this process knows is asked first; n8n's table of processed
 * data decides, since it also knows what was called before a restart and by other workers. It can
 * only be asked whether it has an entry and notes every entry that it is asked for, so a slot is
 * asked for with each part of the window, and what was not there is removed again.
 */
export class CallCaps {
	private readonly slots = new Map<string, Slot[]>();

	/**
	 * Takes a slot of each cap, or of none. Not to be called twice at once for one node.
	 *
	 * @param now epoch milliseconds
	 * @throws what the notes throw, when they cannot be used
	 */
	async claim(caps: Caps, notes: SlotNotes, now: number): Promise<Claim | Refusal> {
		const claim: Claim = [];
		for (const cap of this.capsOf(caps)) {
			const [taking] = await Promise.allSettled([takeSlot(cap, notes, now)]);
			if (taking.status === 'rejected') {
				await this.release(claim, notes);
				throw taking.reason;
			}
			const slot = taking.value;
			if (slot === undefined) {
				await this.release(claim, notes);
				return refusal(cap, now);
			}
			claim.push(slot);
		}
		return claim;
	}

	/** No call was placed: the slots are free again. */
	async release(claim: Claim, notes: SlotNotes): Promise<void> {
		if (claim.length === 0) return;
		for (const slot of claim) slot.freeAt = 0;
		await notes.remove(claim.map(({ entry }) => entry));
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

async function takeSlot(cap: Cap, notes: SlotNotes, now: number): Promise<Slot | undefined> {
	const partMs = cap.windowMs / PARTS;
	const part = Math.floor(now / partMs);
	for (let index = 0; index < cap.most; index++) {
		const known = cap.slots[index];
		if (known !== undefined && known.freeAt > now) continue;
		const entries = Array.from(
			{ length: PARTS + 1 },
			(_, age) => `${cap.rule} ${index} ${part - age}`,
		);
		const taken = await notes.record(entries);
		const age = entries.findIndex((entry) => taken.has(entry));
		const entry = entries[Math.max(age, 0)] ?? '';
		const slot = { freeAt: (part - Math.max(age, 0) + PARTS + 1) * partMs, entry };
		cap.slots[index] = slot;
		const noted = known === undefined ? entries : [...entries, known.entry];
		await notes.remove(noted.filter((each) => each !== entry && !taken.has(each)));
		if (age === -1) return slot;
	}
	return undefined;
}

function refusal({ rule, most, slots }: Cap, now: number): Refusal {
	const next = Math.min(...slots.slice(0, most).map(({ freeAt }) => freeAt));
	const nextAllowedAt = new Date(Math.max(next, now)).toISOString();
	const window = rule === 'Max Calls per Hour' ? 'hour' : 'day';
	return {
		rule,
		reason: `This node has placed its ${most} calls of this ${window}`,
		advice: `The next call may be placed from ${nextAllowedAt} (nextAllowedAt), or raise ${rule} (Calling Rules)`,
		nextAllowedAt,
	};
}
