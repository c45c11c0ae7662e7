import { sleep, type IDataObject } from 'n8n-workflow';

import type { Delivery } from './delivery';
import type { IdentityKey } from './eventIdentity';
import { EventMemory } from './eventMemory';

/** How often to check whether n8n has stored another request's execution. */
const POLL_MS = 25;

/** Decides which events of a request are duplicates. */
export class Duplicates<Event> {
	private readonly memory: EventMemory;
	private readonly claimed = new Map<Event, readonly IdentityKey[]>();

	/**
	 * @param trigger identifies the trigger within this n8n
	 * @param staticData the node's static data
	 * @param delivery the request with these events
	 */
	constructor(
		trigger: string,
		private readonly staticData: IDataObject,
		private readonly delivery: Delivery,
		private readonly nowMs = Date.now(),
	) {
		this.memory = EventMemory.of(trigger);
		this.memory.load(staticData);
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
				memory.claim(key, nowMs + rememberMs, this.delivery);
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

	/** Called when n8n has stored the execution. */
	store(): void {
		this.delivery.markStored();
		if (this.claimed.size === 0) return;
		this.confirm([...this.claimed.keys()]);
		this.memory.save(this.staticData);
	}
}
