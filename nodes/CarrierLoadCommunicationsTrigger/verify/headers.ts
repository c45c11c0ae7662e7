import type { IDataObject } from 'n8n-workflow';

import { isScalar } from '../parse/fields';

/** Headers as Node.js hands them over: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What may let its owner in somewhere is not handed on to a workflow. */
const CONFIDENTIAL = /auth|cookie|secret|signature|token|api-?key|password|credential/i;

/** A header's text without the spaces around it; undefined when there is none. */
export function headerText(headers: Headers, name: string): string | undefined {
	if (!Object.hasOwn(headers, name.toLowerCase())) return undefined;
	const value = headers[name.toLowerCase()];
	const text = Array.isArray(value) ? value.join(', ') : value;
	return isScalar(text) ? text.trim() : undefined;
}

/** The headers that may be shown, without those that carry a secret. */
export function harmlessHeaders(headers: Headers, secretHeaders: readonly string[]): IDataObject {
	const secret = new Set(secretHeaders.map((name) => name.toLowerCase()));
	return Object.fromEntries(
		Object.entries(headers).filter(([name]) => !CONFIDENTIAL.test(name) && !secret.has(name)),
	);
}
