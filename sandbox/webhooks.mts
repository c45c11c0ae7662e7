import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import axios, { isAxiosError } from 'axios';
import type { CallRecord } from './contract.mts';
import type { ActiveFaultRules } from './faults.mts';
import type { WritableLedger } from './service/service.mts';
import type {
	DeliverOptions,
	Delivery,
	DialedCall,
	OrganizationName,
	WebhookAddress,
} from './types.mts';

export interface CourierOptions {
	url: string | undefined;
	secret: string | undefined;
	/** The shape of events. */
	shape: EventShape;
	/** Delivery attempts per event. */
	attempts: number;
	/** Milliseconds before the second attempt; doubles each time. */
	backoffMs: number;
	now(): Date;
	faults: ActiveFaultRules;
	ledger: WritableLedger;
	/** Aborted when the sandbox closes. */
	closing: AbortSignal;
}

export interface Courier {
	/** Where the sandbox was started to send events; null if nowhere. */
	readonly startUrl: string | null;
	setAddress(address: WebhookAddress): void;
	hasAddress(): boolean;
	/** Delivers with retries and webhook faults. Resolves when delivered or abandoned. */
	send(event: WebhookEvent, organization: OrganizationName): Promise<void>;
	/** Delivers once, immediately. */
	deliver(event: object & { id: string; event: string }, how?: DeliverOptions): Promise<Delivery>;
}

const TIMEOUT_MS = 10_000;

const reasonOf = (error: unknown): string => {
	if (isAxiosError(error)) return error.code ?? error.message;
	return error instanceof Error ? error.message : String(error);
};

const accepted = ({ status }: Delivery): boolean =>
	status !== null && status >= 200 && status < 300;

/** Delivers webhook events to the configured URL. */
export function openCourier(options: CourierOptions): Courier {
	const { closing, faults, ledger } = options;
	let url = options.url ?? null;
	let secret = options.secret ?? null;

	async function attemptOnce(
		event: object & { id: string; event: string },
		attempt: number,
		how: DeliverOptions,
	): Promise<Delivery> {
		const to = how.url ?? url;
		if (to === null) throw new Error('No webhook address is set: call setWebhook first');
		const rawBody = how.rawBody ?? JSON.stringify(event);
		const key = how.secret === undefined ? secret : how.secret;
		const timestamp = how.timestamp ?? Math.floor(options.now().getTime() / 1000);
		const delivery: Delivery = {
			...{ eventId: event.id, event: event.event, url: to, attempt, status: null },
			...{ payload: event, at: options.now().toISOString() },
		};
		try {
			const { status } = await axios.post(to, rawBody, {
				headers: {
					'Content-Type': 'application/json',
					...(key === null ? {} : signatureHeaders(key, timestamp, rawBody)),
					...how.headers,
				},
				// The signature covers exactly these bytes, so axios must not serialize the body again.
				transformRequest: (body: unknown) => body,
				timeout: TIMEOUT_MS,
				maxRedirects: 0,
				proxy: false,
				validateStatus: () => true,
				signal: closing,
			});
			delivery.status = status;
		} catch (error) {
			delivery.error = reasonOf(error);
		}
		ledger.writeDelivery(delivery);
		return delivery;
	}

	async function insist(event: WebhookEvent): Promise<void> {
		const body = writeEvent(event, options.shape);
		if (body === undefined) return;
		const rawBody = JSON.stringify(body);
		for (let attempt = 1; attempt <= options.attempts && !closing.aborted; attempt++) {
			if (accepted(await attemptOnce(event, attempt, { rawBody }))) return;
			if (attempt === options.attempts) return;
			await wait(options.backoffMs * 2 ** (attempt - 1), undefined, { signal: closing });
		}
	}

	return {
		startUrl: url,
		setAddress(address) {
			url = address.url;
			if (address.secret !== undefined) secret = address.secret;
		},
		hasAddress: () => url !== null,
		async send(event, organization) {
			if (url === null) return;
			const fault = faults.takeForDelivery(organization);
			if (fault?.kind === 'lost') return;
			const copies = fault?.kind === 'duplicate' ? (fault.copies ?? 2) : 1;
			for (let copy = 0; copy < copies; copy++) await insist(event);
		},
		deliver: (event, how = {}) => attemptOnce(event, 1, how),
	};
}

/** A webhook event. Contract 6 shows no shape, so this one is the sandbox's own. */
export interface WebhookEvent {
	event: string;
	/** An event keeps its ID, however often it is delivered. */
	id: string;
	createdAt: string;
	data: Record<string, unknown>;
	/** Contract 6: the metadata of the call request. */
	metadata?: Record<string, string | number>;
}

/** What an event says about its call, whichever kind of call it is. */
function dataOf(call: DialedCall, status: string): Record<string, unknown> {
	const { callId, conversationId, toPhone, loadNumber, loadId, dotNumber } = call;
	const { agentId, metadata, dynamicVariables } = call;
	return {
		...{ callId, conversationId, status, toPhone, loadNumber, loadId, dotNumber, agentId },
		...{ metadata, dynamicVariables },
	};
}

const withMetadata = ({ metadata }: DialedCall) => (metadata === undefined ? {} : { metadata });

/** The event when a call is placed, if enabled. */
export const startedEvent = (call: DialedCall, createdAt: string): WebhookEvent => ({
	event: 'call.started',
	id: `evt_${call.callId}_started`,
	createdAt,
	data: dataOf(call, 'IN_PROGRESS'),
	...withMetadata(call),
});

/** What services send during a call: ringing, answered, tool calls, partial transcripts. */
export function liveEvents(call: DialedCall, createdAt: string): WebhookEvent[] {
	const during = { ...dataOf(call, 'IN_PROGRESS') };
	const live: Array<[type: string, data: Record<string, unknown>]> = [
		['call.ringing', {}],
		['call.answered', {}],
		['transcript', { transcript: 'Agent: Hi, this is the dispatch desk.' }],
		['tool_calls', { function: { name: 'getLoad', arguments: { load: call.loadNumber } } }],
		['transcript', { transcript: 'Agent: Hi, this is the dispatch desk.\nDriver: Hello.' }],
	];
	return live.map(([event, data], index) => ({
		event,
		id: `evt_${call.callId}_live_${index}`,
		createdAt,
		data: { ...during, ...data },
		...withMetadata(call),
	}));
}

/** The event when a call has its summary, transcript and recording. */
export function completedEvent(
	call: DialedCall,
	record: CallRecord,
	createdAt: string,
): WebhookEvent {
	const { summary, transcript, contentTags, recordingUrl } = record;
	return {
		event: 'call.completed',
		id: `evt_${call.callId}_completed`,
		createdAt,
		data: { ...dataOf(call, 'COMPLETED'), summary, transcript, contentTags, recordingUrl },
		...withMetadata(call),
	};
}

/** An event about a call that was never placed, for manual deliveries. */
export const sampleEvent = (serial: number, createdAt: string): WebhookEvent => ({
	event: 'call.completed',
	id: `evt_sample_${serial}`,
	createdAt,
	data: {
		callId: 90_000_000 + serial,
		conversationId: 190_000_000 + serial,
		status: 'COMPLETED',
		toPhone: '+18155550142',
		loadNumber: '48213',
		summary: 'Driver Sam Ellis is rolling on load 48213. ETA 14:30, on time. No issues reported.',
		transcript: 'Agent: Where are you right now?\nDriver: Just past Gary, on time.',
		contentTags: 'check_call,on_time',
		recordingUrl: null,
		metadata: { loadNumber: '48213' },
	},
	metadata: { loadNumber: '48213' },
});

/** Contract 6 shows no shape: these are the likely ones, see docs/contributing/sandbox.md. */
export const EVENT_SHAPES = ['a', 'plain', 'nested', 'list'] as const;
export type EventShape = (typeof EVENT_SHAPES)[number];

/** The event types of shape `a`; it has no others. */
const TYPES_OF_A: Record<string, string> = {
	'call.completed': 'call_ended',
	tool_calls: 'tool_calls',
	transcript: 'transcript',
};

/** The body of an event in this shape; undefined if the shape has no such event. */
function writeEvent(event: WebhookEvent, shape: EventShape): object | undefined {
	const { data, ...envelope } = event;
	if (shape === 'plain') return { ...envelope, ...data };
	if (shape === 'list') return { events: [event] };
	return shape === 'a' ? writeShapeA(event) : event;
}

function writeShapeA({ event, createdAt, data, metadata }: WebhookEvent): object | undefined {
	const type = TYPES_OF_A[event];
	if (type === undefined) return undefined;
	const { callId, transcript, toPhone, fromPhone, recordingUrl, loadNumber, loadId } = data;
	const said = {
		formattedTranscript: transcript,
		transcript: messagesOf(String(transcript ?? '')),
	};
	if (type === 'tool_calls') return { event: type, callId, createdAt, function: data['function'] };
	if (type === 'transcript') return { event: type, callId, createdAt, ...said };
	const extractedData = { reached: true, tags: data['contentTags'] };
	const inputData = { toPhone, loadNumber, loadId, metadata };
	const callType = callTypeOf(data);
	return {
		...{ event: type, callId, createdAt, recordingUrl, ...said, extractedData, inputData },
		...{ toPhone, fromPhone, callType },
	};
}

function callTypeOf({ agentId, loadNumber }: Record<string, unknown>): string {
	if (agentId !== undefined) return 'CUSTOM_USE_CASE';
	return loadNumber === undefined ? 'CARRIER_SALES' : 'TRACK_AND_TRACE';
}

/** `Agent: …` lines as messages, 5 seconds each. */
function messagesOf(transcript: string): object[] {
	return transcript.split('\n').map((line, index) => {
		const [, role = 'agent', message = line] = /^(\w+): (.*)$/.exec(line) ?? [];
		const secondsFromStart = index * 5;
		return { role: role.toLowerCase(), message, secondsFromStart, duration: 5 };
	});
}

/** `sha256=<hex>`: HMAC-SHA256 of `<timestamp>.<raw body>`; the timestamp is in Unix seconds. */
function sign(secret: string, timestamp: number, rawBody: string): string {
	const hex = createHmac('sha256', secret).update(`${timestamp}.${rawBody}`).digest('hex');
	return `sha256=${hex}`;
}

/** The headers that go with a signed webhook. */
const signatureHeaders = (secret: string, timestamp: number, rawBody: string) => ({
	'X-Timestamp': String(timestamp),
	'X-Signature': sign(secret, timestamp, rawBody),
});
