import type { IDataObject } from 'n8n-workflow';

import { isScalar } from '../../shared/events/eventParts';
import { withoutResumeUrl } from '../../shared/events/resumeUrl';

/** Headers from Node.js: names are lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Headers that may carry credentials never reach the workflow. */
const CONFIDENTIAL =
	/auth|cookie|secret|signature|token|(api|access|webhook)-?key|pass(word|phrase)|credential|bearer|jwt|session/i;

/** Why a request can't have these headers; empty names are none (RFC 9110, 5.1: a token). */
export function misnamedHeader(names: readonly string[]): string | undefined {
	const start = names.map((name) => /^.*?[^\w!#$%&'*+.^`|~-]/.exec(name)?.[0]).find(Boolean);
	// What follows is not shown: it may be the secret, in "X-Webhook-Secret: …".
	return start === undefined ? undefined : `"${start}…" is not the name of a header`;
}

/** A header's trimmed text; undefined if it is missing. */
export function headerText(headers: Headers, name: string): string | undefined {
	if (!Object.hasOwn(headers, name.toLowerCase())) return undefined;
	const value = headers[name.toLowerCase()];
	const text = Array.isArray(value) ? value.join(', ') : value;
	return isScalar(text) ? text.trim() : undefined;
}

/** The headers without those that carry a secret. */
export function safeHeaders(headers: Headers, secretHeaders: readonly string[] = []): IDataObject {
	const shown = Object.entries(headers).filter(
		([name]) => !CONFIDENTIAL.test(name) && !secretHeaders.includes(name),
	);
	return withoutResumeUrl(Object.fromEntries(shown));
}
