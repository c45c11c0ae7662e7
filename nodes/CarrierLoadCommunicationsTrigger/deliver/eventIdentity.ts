import { createHash } from 'crypto';

import { isScalar } from '../../shared/events/eventParts';
import { valueAt } from '../parse/valueAt';
import { headerText, type Headers } from '../verify/headers';
import type { Verifier } from '../verify/methods/method';

/** Senders give up repeating an event long before. */
const REMEMBER_ID_MS = 3 * 24 * 60 * 60 * 1000;

/** Without an ID, an equal event may be a new one: only a quick repeat counts as a duplicate. */
const REMEMBER_CONTENT_MS = 60 * 60 * 1000;

/** By which a duplicate of an event is recognized. Short, and safe as an object's key. */
export interface IdentityKey {
	key: string;
	rememberMs: number;
}

export interface IdentitySettings {
	/** Path to the ID in the event; empty if it has none. */
	eventIdField: string;
	/** Header with the ID of the event; empty if there is none. */
	eventIdHeader: string;
}

/**
 * What identifies an event: its ID, else its content. An event with any of these keys in common with
 * an earlier one is a duplicate of it.
 *
 * In a signed request, an ID in a header that is not signed can be changed by whoever recorded the
 * request: there, the content counts too.
 *
 * @param index the event's position in its request: a header is about the whole request
 */
export function identityOf(
	event: unknown,
	index: number,
	headers: Headers,
	{ eventIdField, eventIdHeader }: IdentitySettings,
	verifier: Verifier | undefined,
): IdentityKey[] {
	const idInEvent = eventIdField === '' ? undefined : valueAt(event, eventIdField);
	if (isScalar(idInEvent)) return [idKey(`field:${idInEvent}`)];
	const signedId = verifier?.signature?.eventId(headers);
	if (signedId !== undefined) return [idKey(`signed:${index}:${signedId}`)];

	const validForMs = verifier?.signature?.validForMs ?? 0;
	const content = {
		key: shortHash(`event:${JSON.stringify(event)}`),
		rememberMs: Math.min(Math.max(REMEMBER_CONTENT_MS, validForMs), REMEMBER_ID_MS),
	};
	const idInHeader = eventIdHeader === '' ? undefined : headerText(headers, eventIdHeader);
	if (idInHeader === undefined) return [content];
	const byHeader = idKey(`header:${index}:${idInHeader}`);
	return verifier?.signature ? [byHeader, content] : [byHeader];
}

function idKey(text: string): IdentityKey {
	return { key: shortHash(text), rememberMs: REMEMBER_ID_MS };
}

/** 96 bits: two events in a thousand million are alike by chance once in a thousand million times. */
function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
