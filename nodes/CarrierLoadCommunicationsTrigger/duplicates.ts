import { createHash } from 'crypto';
import { sleep, type IDataObject } from 'n8n-workflow';

import { isScalar } from '../shared/events/event';
import { valueAt, type ReceivedEvent } from './parse';

/** How often to check whether n8n has stored another request's execution. */
const POLL_MS = 25;
/** Events in the workflow's static data: two full requests. */
const STORED_KEYS = 1000;
/** Events in this n8n process, per trigger. */
const REMEMBERED_KEYS = 20_000;
/** Saving takes n8n about a third of an event's time, so under load it happens this often. */
const SAVE_INTERVAL_MS = 1000;

type Request = Pick<Delivery<unknown>, 'outcome'>;

/** What this process knows of a trigger's events. Shared by all its requests. */
class EventMemory {
	/** By their keys, oldest first: until when, and the request for which n8n is still storing them. */
	readonly known = new Map<string, { until: number; request?: Request | undefined }>();
	/** Requests whose events n8n may still be storing. */
	readonly storing = new Set<Request>();
	/** What the static data held when this process last saw it. */
	text = '';
	savedAt = 0;
}

const memories = new Map<string, EventMemory>();

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
		const { known, text } = this.memory;
		const { received } = staticData;
		// Other processes, or this one before a restart, wrote it.
		if (typeof received !== 'string' || received === text) return;
		this.memory.text = received;
		for (const entry of received.split(' ')) {
			const [key = '', seconds] = entry.split(':');
			if (!known.has(key)) known.set(key, { until: Number(seconds) * 1000 });
		}
	}

	/** Undefined while n8n is working. A sender that hangs up says nothing about what n8n stores. */
	get outcome(): 'stored' | 'failed' | undefined {
		if (this.isStored) return 'stored';
		// Then n8n responded with an error, and the sender delivers again.
		return this.response.writableEnded ? 'failed' : undefined;
	}

	/**
	 * Claims events for this request and returns the duplicates. Waits while n8n is storing the same
	 * event for another request; if that fails, this request gets it.
	 * @param identities events without one are neither remembered nor duplicates
	 * @returns undefined if that is not decided by the deadline; then nothing is claimed
	 */
	async claim(identities: ReadonlyMap<Event, Identity>, deadline: number) {
		const { known, storing } = this.memory;
		const keys = [...identities.values()].map(({ key }) => key);
		while (keys.some((key) => this.stateOf(key) === 'undecided')) {
			if (Date.now() >= deadline) return undefined;
			await sleep(POLL_MS);
		}
		// No `await` from here on, so no other request can interleave.
		const duplicates = new Set<Event>();
		for (const [event, { key, rememberMs }] of identities) {
			if (this.stateOf(key) !== 'new') {
				duplicates.add(event);
				continue;
			}
			this.claimed.push(key);
			storing.add(this);
			known.delete(key);
			known.set(key, { until: this.nowMs + rememberMs, request: this });
		}
		return duplicates;
	}

	/** `undecided`: n8n is storing the event. `new` also if n8n failed to store it. */
	private stateOf(key: string): 'new' | 'undecided' | 'known' {
		const found = this.memory.known.get(key);
		const outcome = found?.request?.outcome;
		if (found === undefined || outcome === 'failed' || !(found.until > this.nowMs)) return 'new';
		return found.request === undefined || outcome === 'stored' ? 'known' : 'undecided';
	}

	/**
	 * Called when n8n has stored the execution, see `accept`. Writes everything to the static data, or
	 * leaves that to a request that n8n is still storing: of two at the same time the last one wins. As
	 * one text, because n8n watches every field for changes.
	 */
	store(): void {
		this.isStored = true;
		const { claimed, memory, staticData } = this;
		const { known, storing } = memory;
		if (claimed.length === 0) return;
		for (const key of claimed) delete known.get(key)?.request;
		for (const request of storing) if (request.outcome !== undefined) storing.delete(request);
		const now = Date.now();
		if (storing.size > 0 && Math.abs(now - memory.savedAt) < SAVE_INTERVAL_MS) return;
		memory.savedAt = now;
		const stored = [...known].filter(([, { request }]) => request === undefined);
		for (const [key] of stored.slice(0, -REMEMBERED_KEYS)) known.delete(key);
		const newest = stored.slice(-STORED_KEYS);
		memory.text = newest.map(([key, { until }]) => `${key}:${Math.ceil(until / 1000)}`).join(' ');
		staticData.received = memory.text;
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
 * @param index tells apart the events of a signed request
 * @param idField path to the ID
 * @param signedId the ID of the request, if it is signed
 */
export function identityOf(
	{ source }: Pick<ReceivedEvent, 'source'>,
	index: number,
	idField: string,
	signedId?: string,
): Identity {
	const own = valueAt(source, idField);
	const id = isScalar(own) ? `field:${own}` : signedId && `signed:${index}:${signedId}`;
	// 96 bits: two of a billion events collide with a chance of about one in a hundred billion.
	const hash = createHash('sha256').update(id ?? `event:${JSON.stringify(source)}`);
	return {
		key: hash.digest('base64url').slice(0, 16),
		rememberMs: id === undefined ? REMEMBER_CONTENT_MS : REMEMBER_ID_MS,
	};
}
