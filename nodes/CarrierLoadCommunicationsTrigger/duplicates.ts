import { createHash } from 'crypto';
import { sleep, type IDataObject } from 'n8n-workflow';

import { fieldsOf, isScalar } from '../shared/events/event';
import { type ReceivedEvent, valueAt } from './parse';
import type { Headers, Verifier } from './verify/method';

/** How often to check whether n8n has stored another request's execution. */
const POLL_MS = 25;

/** A request to the trigger: which of its events are duplicates, and whether n8n stores the others. */
export class Delivery<Event> {
	private readonly memory: EventMemory;
	private readonly claimed: string[] = [];
	private isStored = false;

	/** @param trigger identifies the trigger within this n8n */
	constructor(
		trigger: string,
		private readonly staticData: IDataObject,
		private readonly response: { readonly writableEnded: boolean },
		private readonly nowMs = Date.now(),
	) {
		this.memory = memories.get(trigger) ?? new EventMemory();
		memories.set(trigger, this.memory);
		this.memory.load(staticData);
	}

	/**
	 * Undefined while n8n is still working. Nothing else decides this: a sender that hangs up says
	 * nothing about what n8n stores.
	 */
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
		identities: ReadonlyMap<Event, Identity>,
		deadline: number,
	): Promise<Set<Event> | undefined> {
		const { memory, nowMs } = this;
		const keys = [...identities.values()].map(({ key }) => key);
		while (keys.some((key) => memory.stateOf(key, nowMs) === 'undecided')) {
			if (Date.now() >= deadline) return undefined;
			await sleep(POLL_MS);
		}
		// No `await` from here on, so no other request can interleave.
		const duplicates = new Set<Event>();
		for (const [event, { key, rememberMs }] of identities) {
			if (memory.stateOf(key, nowMs) !== 'new') {
				duplicates.add(event);
				continue;
			}
			this.claimed.push(key);
			memory.claim(key, nowMs + rememberMs, this);
		}
		return duplicates;
	}

	/** Called when n8n has stored the execution, see `accept`. */
	store(): void {
		this.isStored = true;
		if (this.claimed.length > 0) this.memory.save(this.claimed, this.staticData);
	}
}

/** What identifies an event, short and safe as an object key, and how long it is remembered. */
export interface Identity {
	key: string;
	rememberMs: number;
}

/** Senders stop retrying long before. */
const REMEMBER_ID_MS = 3 * 24 * 60 * 60 * 1000;

/** Without an ID, an identical event may be a new one, so only a quick repetition counts. */
const REMEMBER_CONTENT_MS = 60 * 60 * 1000;

/**
 * The event's ID, or else its content.
 *
 * @param index tells apart the events of a request with one ID
 * @param idField path to the ID, in the event or beside its list
 */
export function identityOf(
	{ source, item }: Pick<ReceivedEvent, 'source' | 'item'>,
	index: number,
	idField: string,
	headers: Headers,
	verifier: Verifier | undefined,
): Identity {
	const byId = (text: string) => ({ key: shortHash(text), rememberMs: REMEMBER_ID_MS });
	const [own, around] = [source, item.payload].map((each) =>
		idField === '' ? undefined : valueAt(each, idField),
	);
	if (isScalar(own)) return byId(`field:${own}`);
	if (isScalar(around)) return byId(`around:${index}:${around}`);
	const signedId = verifier?.signedId?.(headers);
	if (signedId !== undefined) return byId(`signed:${index}:${signedId}`);
	// Two calls' events may look alike, but for what is around their lists.
	const call = fieldsOf([item.payload], CALL_FIELDS);
	return {
		key: shortHash(`event:${JSON.stringify([source, call])}`),
		rememberMs: Math.min(Math.max(REMEMBER_CONTENT_MS, verifier?.validForMs ?? 0), REMEMBER_ID_MS),
	};
}

/** Which call an envelope is about. */
const CALL_FIELDS = ['callId', 'call_id', 'conversationId', 'toPhone', 'metadata'];

/** 96 bits: two of a billion events collide with a chance of about one in a hundred billion. */
function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Events in the workflow's static data: two full requests. */
const STORED_KEYS = 1000;

/** Events in this n8n process, per trigger. */
const REMEMBERED_KEYS = 20_000;

/** Saving takes n8n about a third of an event's time, so under load it happens this often. */
const SAVE_INTERVAL_MS = 1000;

interface Remembered {
	/** Unix milliseconds. */
	until: number;
	/** The request that delivered the event, until it is decided. */
	request?: Pick<Delivery<unknown>, 'outcome'> | undefined;
}

/** What one trigger remembers of events by their keys, oldest first. Shared by all requests. */
class EventMemory {
	private readonly known = new Map<string, Remembered>();
	/** Requests whose events n8n is storing. */
	private readonly undecided = new Set<Pick<Delivery<unknown>, 'outcome'>>();
	/** What the static data held when this process last saw it. */
	private text = '';
	private savedAt = 0;

	/** Adds what the static data holds: other processes, or this one before a restart, wrote it. */
	load({ received }: IDataObject): void {
		if (typeof received !== 'string' || received === this.text) return;
		this.text = received;
		for (const entry of received.split(' ')) {
			const [key = '', seconds] = entry.split(':');
			if (!this.known.has(key)) this.known.set(key, { until: Number(seconds) * 1000 });
		}
	}

	/** `undecided`: n8n is storing the event. `new` also if n8n failed to store it. */
	stateOf(key: string, nowMs: number): 'new' | 'undecided' | 'known' {
		const found = this.known.get(key);
		const outcome = found?.request?.outcome;
		if (found === undefined || outcome === 'failed' || !(found.until > nowMs)) return 'new';
		return found.request === undefined || outcome === 'stored' ? 'known' : 'undecided';
	}

	claim(key: string, until: number, request: Pick<Delivery<unknown>, 'outcome'>): void {
		this.known.delete(key);
		this.known.set(key, { until, request });
		this.undecided.add(request);
	}

	/**
	 * Writes everything to the static data, or leaves that to a request that n8n is still storing: of
	 * two at the same time the last one wins. As one text, because n8n watches every field for changes.
	 */
	save(keys: readonly string[], staticData: IDataObject): void {
		for (const key of keys) {
			const found = this.known.get(key);
			if (found) found.request = undefined;
		}
		for (const request of this.undecided) {
			if (request.outcome !== undefined) this.undecided.delete(request);
		}
		const sinceSaved = Math.abs(Date.now() - this.savedAt);
		if (this.undecided.size > 0 && sinceSaved < SAVE_INTERVAL_MS) return;
		this.savedAt = Date.now();
		const decided = [...this.known].filter(([, { request }]) => request === undefined);
		for (const [key] of decided.slice(0, -REMEMBERED_KEYS)) this.known.delete(key);
		this.text = decided
			.slice(-STORED_KEYS)
			.map(([key, { until }]) => `${key}:${Math.ceil(until / 1000)}`)
			.join(' ');
		staticData.received = this.text;
	}
}

const memories = new Map<string, EventMemory>();
