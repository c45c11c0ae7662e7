import { createHash } from 'crypto';

import { fieldsOf, isScalar } from '../../shared/events/eventParts';
import type { TriggerSettings } from '../fields/form';
import { valueAt } from '../parse/valueAt';
import { headerText, type Headers } from '../verify/headers';
import type { Verifier } from '../verify/methods/method';

/** Senders stop retrying long before. */
const REMEMBER_ID_MS = 3 * 24 * 60 * 60 * 1000;

/** Without an ID, an identical event may be a new one, so only a quick repetition counts. */
const REMEMBER_CONTENT_MS = 60 * 60 * 1000;

/** Keys that identify an event. Short, and safe as object keys. */
export interface IdentityKey {
	key: string;
	rememberMs: number;
}

interface IdentitySettings extends Pick<TriggerSettings, 'eventIdField' | 'eventIdHeader'> {
	/** The webhook credential's ID: another service has other events under the same IDs. */
	sender?: string | undefined;
}

/**
 * What identifies an event: its ID, or else its content. Events that share a key are duplicates. Who
 * recorded a signed request can change the ID in an unsigned header, so there the content counts too.
 *
 * @param index tells apart the events of a request with one ID
 * @param envelope what is around the event's list
 */
export function identityOf(
	event: unknown,
	index: number,
	headers: Headers,
	{ eventIdField, eventIdHeader, sender }: IdentitySettings,
	verifier: Verifier | undefined,
	envelope: unknown = event,
): IdentityKey[] {
	const idKey = (text: string) => ({
		...{ key: shortHash(JSON.stringify([sender, text])), rememberMs: REMEMBER_ID_MS },
	});
	const idAt = (value: unknown) => (eventIdField === '' ? undefined : valueAt(value, eventIdField));
	const idInEvent = idAt(event);
	if (isScalar(idInEvent)) return [idKey(`field:${idInEvent}`)];
	const idAround = idAt(envelope);
	if (isScalar(idAround)) return [idKey(`around:${index}:${idAround}`)];
	const signedId = verifier?.signature?.eventId(headers);
	if (signedId !== undefined) return [idKey(`signed:${index}:${signedId}`)];

	const validForMs = verifier?.signature?.validForMs ?? 0;
	const content = {
		key: shortHash(`event:${JSON.stringify([event, ...callAround(envelope)])}`),
		rememberMs: Math.min(Math.max(REMEMBER_CONTENT_MS, validForMs), REMEMBER_ID_MS),
	};
	const idInHeader = eventIdHeader === '' ? undefined : headerText(headers, eventIdHeader);
	if (idInHeader === undefined) return [content];
	const byHeader = idKey(`header:${index}:${idInHeader}`);
	return verifier?.signature ? [byHeader, content] : [byHeader];
}

/** Which call an envelope is about: events that don't say it themselves may look alike. */
function callAround(envelope: unknown): unknown[] {
	return fieldsOf([envelope], ['callId', 'call_id', 'conversationId', 'toPhone', 'metadata']);
}

/** 96 bits: two of a billion events collide with a chance of about one in a hundred billion. */
function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
