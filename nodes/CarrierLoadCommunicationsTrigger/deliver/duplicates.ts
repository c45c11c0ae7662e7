import { sleep, type IDataObject } from 'n8n-workflow';

import type { Delivery } from './delivery';
import type { IdentityKey } from './eventIdentity';

/** Events in the workflow's static data, which n8n saves with every event: two full requests. */
const STORED_KEYS = 1000;

/** Additional events in this n8n process, per trigger. */
const REMEMBERED_KEYS = 20_000;
const REMEMBERED_TRIGGERS = 500;

/** How often to check whether n8n has stored another request's execution. */
const POLL_MS = 25;

interface Remembered {
	/** Unix milliseconds. */
	until: number;
	/** The request that delivered the event, until it is decided. */
	delivery?: Delivery | undefined;
}

interface TriggerMemory {
	known: Map<string, Remembered>;
	/** Entries for the static data, oldest first: key and end, in seconds. */
	entries: string[];
	/** What the static data held when this process last saw it. */
	text: string;
}

const triggers = new Map<string, TriggerMemory>();

/** What a trigger remembers about received events. */
export interface EventMemory<Event> {
	/**
	 * Claims events for this request and returns the duplicates. Waits while n8n is storing the same
	 * event for another request; if that fails, this request gets it.
	 *
	 * @returns undefined if that is not decided by the deadline; then nothing is claimed
	 */
	claim(
		identities: ReadonlyMap<Event, readonly IdentityKey[]>,
		deadline: number,
	): Promise<Set<Event> | undefined>;
	/** Marks claimed events as done, whatever happens to the request's other events. */
	confirm(events: readonly Event[]): void;
	/** Called when n8n has stored the execution. */
	store(): void;
}

export class NoMemory<Event> implements EventMemory<Event> {
	async claim(): Promise<Set<Event>> {
		return new Set();
	}

	confirm(): void {}

	store(): void {}
}

/** Bounded; shared by all requests of this process. */
export class ReceivedEvents<Event> implements EventMemory<Event> {
	private readonly memory: TriggerMemory;
	private readonly known: Map<string, Remembered>;
	private claimed = new Map<Event, readonly IdentityKey[]>();

	/**
	 * @param trigger identifies the trigger within this n8n
	 * @param staticData the node's static data; other processes may have written to it
	 * @param delivery the request with these events
	 */
	constructor(
		trigger: string,
		private readonly staticData: IDataObject,
		private readonly delivery: Delivery,
		private readonly nowMs = Date.now(),
	) {
		this.memory = triggers.get(trigger) ?? { known: new Map(), entries: [], text: '' };
		this.known = this.memory.known;
		triggers.delete(trigger);
		triggers.set(trigger, this.memory);
		for (const oldest of triggers.keys()) {
			if (triggers.size > REMEMBERED_TRIGGERS) triggers.delete(oldest);
		}
		this.load();
	}

	async claim(
		identities: ReadonlyMap<Event, readonly IdentityKey[]>,
		deadline: number,
	): Promise<Set<Event> | undefined> {
		const keys = [...identities.values()].flat();
		while (keys.some(({ key }) => this.find(key)?.delivery !== undefined)) {
			if (Date.now() >= deadline) return undefined;
			await sleep(POLL_MS);
		}
		// No `await` from here on, so no other request can interleave.
		const duplicates = new Set<Event>();
		for (const [event, identity] of identities) {
			if (identity.some(({ key }) => this.find(key) !== undefined)) {
				duplicates.add(event);
				continue;
			}
			this.claimed.set(event, identity);
			for (const { key, rememberMs } of identity) {
				this.known.set(key, { until: this.nowMs + rememberMs, delivery: this.delivery });
			}
		}
		this.forgetOldest();
		return duplicates;
	}

	confirm(events: readonly Event[]): void {
		for (const event of events) {
			for (const { key } of this.claimed.get(event) ?? []) {
				const found = this.known.get(key);
				if (found?.delivery === undefined) continue;
				found.delivery = undefined;
				this.memory.entries.push(`${key}:${Math.ceil(found.until / 1000)}`);
			}
		}
	}

	/**
	 * Writes what this process remembers to the static data: n8n saves the whole object, and of two
	 * requests at the same time the last one wins. As one text, because n8n watches every field of an
	 * object for changes.
	 */
	store(): void {
		this.delivery.markStored();
		if (this.claimed.size === 0) return;
		this.confirm([...this.claimed.keys()]);
		const { memory } = this;
		memory.entries = memory.entries.slice(-STORED_KEYS);
		memory.text = memory.entries.join(' ');
		this.staticData.received = memory.text;
	}

	private load(): void {
		const { received } = this.staticData;
		if (typeof received !== 'string' || received === this.memory.text) return;
		this.memory.text = received;
		for (const entry of received.split(' ')) {
			const [key = '', seconds] = entry.split(':');
			if (this.known.has(key)) continue;
			this.known.set(key, { until: Number(seconds) * 1000 });
			this.memory.entries.push(entry);
		}
	}

	/** What is remembered of an event; undefined if it is new or n8n failed to store it. */
	private find(key: string): Remembered | undefined {
		const found = this.known.get(key);
		if (found === undefined) return undefined;
		const outcome = found.delivery?.outcome;
		if (outcome === 'stored') found.delivery = undefined;
		if (outcome !== 'failed' && found.until > this.nowMs) return found;
		this.known.delete(key);
		return undefined;
	}

	private forgetOldest(): void {
		for (const [key, { delivery }] of this.known) {
			if (this.known.size <= REMEMBERED_KEYS) return;
			if (delivery === undefined) this.known.delete(key);
		}
	}
}
