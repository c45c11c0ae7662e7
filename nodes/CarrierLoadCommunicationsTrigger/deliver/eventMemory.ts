import type { IDataObject } from 'n8n-workflow';

/** Events in the workflow's static data: two full requests. */
const STORED_KEYS = 1000;

/** Additional events in this n8n process, per trigger. */
const REMEMBERED_KEYS = 20_000;
const REMEMBERED_TRIGGERS = 500;

/** Saving takes n8n about a third of an event's time, so under load it happens this often. */
const SAVE_INTERVAL_MS = 1000;

export interface Request {
	/** `failed`: n8n did not store its execution. Undefined while n8n is still working. */
	readonly outcome: 'stored' | 'failed' | undefined;
}

interface Remembered {
	/** Unix milliseconds. */
	until: number;
	/** The request that delivered the event, until it is decided. */
	request?: Request | undefined;
}

const triggers = new Map<string, EventMemory>();

/** What one trigger remembers of events by their keys. Bounded; shared by all requests. */
export class EventMemory {
	private readonly known = new Map<string, Remembered>();
	/** Requests whose events n8n is storing. */
	private readonly undecided = new Set<Request>();
	/** Entries for the static data, oldest first: key and end, in seconds. */
	private entries: string[] = [];
	/** What the static data held when this process last saw it. */
	private text = '';
	private savedAt = 0;

	static of(trigger: string): EventMemory {
		const memory = triggers.get(trigger) ?? new EventMemory();
		triggers.delete(trigger);
		triggers.set(trigger, memory);
		for (const oldest of triggers.keys()) {
			if (triggers.size > REMEMBERED_TRIGGERS) triggers.delete(oldest);
		}
		return memory;
	}

	/** Adds what the static data holds: other processes, or this one before a restart, wrote it. */
	load({ received }: IDataObject): void {
		if (typeof received !== 'string' || received === this.text) return;
		this.text = received;
		for (const entry of received.split(' ')) {
			const [key = '', seconds] = entry.split(':');
			if (this.known.has(key)) continue;
			this.known.set(key, { until: Number(seconds) * 1000 });
			this.entries.push(entry);
		}
	}

	/** `undecided`: n8n is storing the event. `new` also if n8n failed to store it. */
	stateOf(key: string, nowMs: number): 'new' | 'undecided' | 'known' {
		const found = this.known.get(key);
		if (found === undefined) return 'new';
		const outcome = found.request?.outcome;
		if (outcome === 'stored') found.request = undefined;
		if (outcome !== 'failed' && found.until > nowMs) return found.request ? 'undecided' : 'known';
		this.known.delete(key);
		return 'new';
	}

	/** @param until Unix milliseconds */
	claim(key: string, until: number, request: Request): void {
		this.known.set(key, { until, request });
		this.undecided.add(request);
	}

	/** Remembers a claimed event, whatever happens to its request. */
	confirm(key: string): void {
		const found = this.known.get(key);
		if (found?.request === undefined) return;
		found.request = undefined;
		this.entries.push(`${key}:${Math.ceil(found.until / 1000)}`);
	}

	/**
	 * Writes everything to the static data, or leaves that to a request that n8n is still storing: of
	 * two at the same time the last one wins. As one text, because n8n watches every field for changes.
	 */
	save(staticData: IDataObject): void {
		for (const request of this.undecided) {
			if (request.outcome !== undefined) this.undecided.delete(request);
		}
		const sinceSaved = Math.abs(Date.now() - this.savedAt);
		if (this.undecided.size > 0 && sinceSaved < SAVE_INTERVAL_MS) return;
		this.savedAt = Date.now();
		this.entries = this.entries.slice(-STORED_KEYS);
		this.text = this.entries.join(' ');
		staticData.received = this.text;
	}

	forgetOldest(): void {
		for (const [key, { request }] of this.known) {
			if (this.known.size <= REMEMBERED_KEYS) return;
			if (request === undefined) this.known.delete(key);
		}
	}
}
