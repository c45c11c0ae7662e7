import { sleep, type IDataObject } from 'n8n-workflow';

import type { IdentityKey } from './eventIdentity';
import { EventMemory, type Request } from './eventMemory';

/** How often to check whether n8n has stored another request's execution. */
const POLL_MS = 25;

/** A request to the trigger: which of its events are duplicates, and whether n8n stores the others. */
export class Delivery<Event> implements Request {
	private readonly memory: EventMemory;
	private isStored = false;
	private readonly claimed = new Map<Event, readonly IdentityKey[]>();

	/** @param trigger identifies the trigger within this n8n */
	constructor(
		trigger: string,
		private readonly staticData: IDataObject,
		private readonly response: { readonly writableEnded: boolean },
		private readonly nowMs = Date.now(),
	) {
		this.memory = EventMemory.of(trigger);
		this.memory.load(staticData);
	}

	/** Nothing else decides this: a sender that hangs up says nothing about what n8n stores. */
	get outcome(): 'stored' | 'failed' | undefined {
		if (this.isStored) return 'stored';
		// Then n8n responded with an error, and the sender delivers again.
		return this.response.writableEnded ? 'failed' : undefined;
	}

	/**
	 * Claims events for this request and returns the duplicates. Waits while n8n is storing the same
	 * event for another request; if that fails, this request gets it.
	 *
	 * @param identities events without one are neither remembered nor duplicates
	 * @returns undefined if that is not decided by the deadline; then nothing is claimed
	 */
	async claim(
		identities: ReadonlyMap<Event, readonly IdentityKey[]>,
		deadline: number,
	): Promise<Set<Event> | undefined> {
		const { memory, nowMs } = this;
		const keys = [...identities.values()].flat();
		while (keys.some(({ key }) => memory.stateOf(key, nowMs) === 'undecided')) {
			if (Date.now() >= deadline) return undefined;
			await sleep(POLL_MS);
		}
		// No `await` from here on, so no other request can interleave.
		const duplicates = new Set<Event>();
		for (const [event, identity] of identities) {
			if (identity.some(({ key }) => memory.stateOf(key, nowMs) !== 'new')) {
				duplicates.add(event);
				continue;
			}
			this.claimed.set(event, identity);
			for (const { key, rememberMs } of identity) {
				memory.claim(key, nowMs + rememberMs, this);
			}
		}
		memory.forgetOldest();
		return duplicates;
	}

	/** Marks claimed events as done, whatever happens to the request's other events. */
	confirm(events: readonly Event[]): void {
		for (const event of events) {
			for (const { key } of this.claimed.get(event) ?? []) this.memory.confirm(key);
		}
	}

	/** Called when n8n has stored the execution, see `accept`. */
	store(): void {
		this.isStored = true;
		if (this.claimed.size === 0) return;
		this.confirm([...this.claimed.keys()]);
		this.memory.save(this.staticData);
	}
}
