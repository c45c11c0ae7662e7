import { randomUUID } from 'crypto';

/** Where the slots of a node's caps are noted, so that they survive a restart. */
export interface SlotNotes {
	/** Notes entries; returns those that were noted before. */
	record(entries: string[]): Promise<Set<string>>;
	remove(entries: string[]): Promise<void>;
}

export interface Cap {
	rule: 'Max Calls per Hour' | 'Max Calls per Day';
	most: number;
	windowMs: number;
	slots: Slot[];
}

export interface Slot {
	/** When it is free again (epoch milliseconds), as far as this process knows. */
	freeAt: number;
	/** What notes that it is taken. */
	entry: string;
}

export interface ClaimedSlot extends Slot {
	/** Until when a call may be placed in it (epoch milliseconds). */
	until: number;
	/** The entry that proves that this claim took it, not another worker's. */
	own: string;
	/** Entries that were stored only by checking them. */
	asked: string[];
}

/** A slot's use is noted with the window's sixtieth in which it began: an hour's minute. */
export const PARTS = 60;

/**
 * Takes a cap's first free slot; undefined if there is none. It is held for the window, rounded up to
 * its next sixtieth. n8n's table decides, because it knows about other workers and calls before a
 * restart. It can only be asked whether it has an entry, and stores what it is asked for: so a slot is
 * asked for with each part of the window, and entries that were not there are removed again.
 */
export async function takeSlot(
	cap: Cap,
	notes: SlotNotes,
	now: number,
): Promise<ClaimedSlot | undefined> {
	const partMs = cap.windowMs / PARTS;
	const part = Math.floor(now / partMs);
	for (let index = 0; index < cap.most; index++) {
		const known = cap.slots[index];
		if (known !== undefined && known.freeAt > now) continue;
		const entries = Array.from(
			{ length: PARTS + 1 },
			(_, age) => `${cap.rule} ${index} ${part - age}`,
		);
		const own = randomUUID();
		const taken = await notes.record([...entries, own]);
		const age = entries.findIndex((entry) => taken.has(entry));
		const slot = {
			freeAt: (part - Math.max(age, 0) + PARTS + 1) * partMs,
			entry: entries[Math.max(age, 0)] ?? '',
		};
		const old = known === undefined ? [] : [known.entry];
		const asked = [...entries, ...old].filter((each) => each !== slot.entry && !taken.has(each));
		if (age === -1) {
			const claimed = { ...slot, until: (part + 1) * partMs, own, asked };
			cap.slots[index] = claimed;
			return claimed;
		}
		// All of them are there while another worker is checking, so it is unknown whether that one
		// took the slot.
		if (taken.size < entries.length) cap.slots[index] = slot;
		await notes.remove([own, ...asked]);
	}
	return undefined;
}
