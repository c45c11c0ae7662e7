import { setTimeout as wait } from 'node:timers/promises';
import axios, { isAxiosError } from 'axios';
import type { ActiveFaultRules } from '../faults/fault-rules.mts';
import type { WritableLedger } from '../ledger.mts';
import type { DeliverOptions, Delivery, OrganizationName, WebhookAddress } from '../types.mts';
import type { WebhookEvent } from './event.mts';
import { type EventShape, writeEvent } from './shapes.mts';
import { signatureHeaders } from './signature.mts';

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
	let held: WebhookEvent[] = [];

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
		setAddress(address) {
			url = address.url;
			if (address.secret !== undefined) secret = address.secret;
		},
		hasAddress: () => url !== null,
		async send(event, organization) {
			if (url === null) return;
			const fault = faults.takeForDelivery(organization);
			if (fault?.kind === 'lost') return;
			if (fault?.kind === 'outOfOrder') return void held.push(event);
			if (fault?.kind === 'delayed') await wait(fault.ms, undefined, { signal: closing });
			const copies = fault?.kind === 'duplicate' ? (fault.copies ?? 2) : 1;
			for (let copy = 0; copy < copies; copy++) await insist(event);
			const late = held;
			held = [];
			for (const each of late) await insist(each);
		},
		deliver: (event, how = {}) => attemptOnce(event, 1, how),
	};
}
