import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isRecord, isScalar, valueAt } from '../parse/fields';
import { headerText, type Headers } from '../verify/headers';

/** Ids that are kept in the workflow's static data, which is loaded and saved with every event. */
const STORED_IDS = 500;

/** Ids that this n8n process remembers beside that, for each trigger. */
const REMEMBERED_IDS = 5000;
const REMEMBERED_TRIGGERS = 500;

/** Senders give up trying again long before. */
const REMEMBERED_MS = 3 * 24 * 60 * 60 * 1000;

/** When an event was taken, or whether it will have been: true once n8n has started its execution. */
type Taken = number | Promise<boolean>;

const memory = new Map<string, Map<string, Taken>>();

/**
 * What tells one event from all others: the id at a place or in a header that the user names, else
 * a hash of the event. Short, and safe as an object's key.
 *
 * @param index the event's place in its request: a header speaks of the whole request
 */
export function eventId(
	event: unknown,
	index: number,
	headers: Headers,
	places: { field: string; header: string },
): string {
	const inEvent = places.field === '' ? undefined : valueAt(event, places.field);
	const inHeader = places.header === '' ? undefined : headerText(headers, places.header);
	if (isScalar(inEvent)) return shortHash(`field:${inEvent}`);
	if (inHeader !== undefined) return shortHash(`header:${index}:${inHeader}`);
	return shortHash(`event:${JSON.stringify(event)}`);
}

function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** The events that one trigger has taken before; bounded, and shared by the requests of this process. */
export class TakenEvents {
	private readonly known: Map<string, Taken>;
	private readonly mine = new Set<string>();

	/**
	 * @param trigger names the trigger within this n8n
	 * @param staticData the node's static data; other requests may have loaded theirs before
	 */
	constructor(
		trigger: string,
		private readonly staticData: IDataObject,
		private readonly nowMs: number,
	) {
		this.known = memory.get(trigger) ?? new Map<string, Taken>();
		memory.delete(trigger);
		memory.set(trigger, this.known);
		forgetOldest(memory, REMEMBERED_TRIGGERS);
	}

	/**
	 * Takes those events that were not taken before, and says which they are.
	 *
	 * An event that another request is just taking is waited for: should n8n fail to start that one,
	 * this one is taken. The order in which ids are taken keeps two requests from waiting for each other.
	 *
	 * @param outcome settles when it is known whether n8n has started what is taken here
	 */
	async take(ids: readonly string[], outcome: Promise<boolean>): Promise<Set<string>> {
		const taken = new Set<string>();
		for (const id of [...new Set(ids)].sort()) {
			let other = this.known.get(id);
			for (; other instanceof Promise; other = this.known.get(id)) await other;
			// From the last look to `set` nothing is awaited: no other request can come in between.
			if (this.isTaken(id)) continue;
			taken.add(id);
			const pending = outcome.then((started) => this.settle(id, started));
			this.known.set(id, pending);
		}
		for (const id of taken) this.mine.add(id);
		forgetOldest(this.known, REMEMBERED_IDS);
		return taken;
	}

	private isTaken(id: string): boolean {
		const taken = this.known.get(id) ?? this.stored().get(id) ?? 0;
		return typeof taken === 'number' && taken > this.nowMs - REMEMBERED_MS;
	}

	private settle(id: string, started: boolean): boolean {
		if (started) this.known.set(id, this.nowMs);
		else this.known.delete(id);
		return started;
	}

	private stored(): Map<string, number> {
		const { taken } = this.staticData;
		const entries = isRecord(taken) ? Object.entries(taken) : [];
		return new Map(entries.map(([id, seconds]) => [id, Number(seconds) * 1000]));
	}

	/**
	 * Writes what was taken into the static data, with all that this process knows: n8n saves the
	 * whole object, and of two requests at the same time the last one wins. To be called when n8n has
	 * started what was taken, see `answerWith`.
	 */
	store(): void {
		if (this.mine.size === 0) return;
		const all = this.stored();
		for (const [id, taken] of this.known) if (typeof taken === 'number') all.set(id, taken);
		for (const id of this.mine) all.set(id, this.nowMs);
		const newest = [...all]
			.filter(([, takenMs]) => takenMs > this.nowMs - REMEMBERED_MS)
			.sort(([, one], [, other]) => other - one)
			.slice(0, STORED_IDS)
			.map(([id, takenMs]) => [id, Math.floor(takenMs / 1000)]);
		this.staticData.taken = Object.fromEntries(newest);
	}
}

function forgetOldest(map: Map<string, unknown>, limit: number): void {
	for (const key of map.keys()) {
		if (map.size <= limit) return;
		map.delete(key);
	}
}
