import type { IDataObject } from 'n8n-workflow';

import { isScalar } from '../../shared/events/eventParts';

/** Headers as Node.js gives them: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Never expose credential-bearing headers to the workflow. */
const CONFIDENTIAL = /auth|cookie|secret|signature|token|api-?key|password|credential/i;

/** A header's text without the spaces around it; undefined when there is none. */
export function headerText(headers: Headers, name: string): string | undefined {
	if (!Object.hasOwn(headers, name.toLowerCase())) return undefined;
	const value = headers[name.toLowerCase()];
	const text = Array.isArray(value) ? value.join(', ') : value;
	return isScalar(text) ? text.trim() : undefined;
}

/** The headers without those that carry a secret. */
export function safeHeaders(headers: Headers, secretHeaders: readonly string[] = []): IDataObject {
	return Object.fromEntries(
		Object.entries(headers).filter(
			([name]) => !CONFIDENTIAL.test(name) && !secretHeaders.includes(name),
		),
	);
}
