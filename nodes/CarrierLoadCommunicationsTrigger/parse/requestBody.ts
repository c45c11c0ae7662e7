import type { IWebhookFunctions } from 'n8n-workflow';

import { parseExactJson } from '../../shared/service/http/json';

export type WebhookRequest = ReturnType<IWebhookFunctions['getRequestObject']>;

/** A request that is rejected without starting anything. */
export interface Rejection {
	status: 400 | 401 | 413 | 503;
	/** For the log, and except with 401 for the sender. Never contains a secret. */
	reason: string;
	/** How the sender must authenticate. */
	challenge?: string | undefined;
}

/** No service needs deeper nesting, and n8n's own recursive copying would overflow the stack. */
const MAX_DEPTH = 100;

/** Numbers, texts, objects and lists in one body. Millions of them block n8n for minutes. */
const MAX_VALUES = 200_000;

const NOT_READ: Rejection = { status: 400, reason: 'The body could not be read' };

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d];
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d];

/** The body's bytes, as signed. n8n decompresses them, and limits their size (N8N_PAYLOAD_SIZE_MAX). */
export async function readRawBody(request: WebhookRequest): Promise<Buffer | Rejection> {
	// n8n reads a form's parts itself. Waiting for them again, unzipped, would never end.
	if (!Buffer.isBuffer(request.rawBody) && !request.readable) return NOT_READ;
	try {
		// n8n 2.41 has read it if it is JSON, XML, a form or text (webhook-helpers.js, `parseRequestBody`).
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody();
	} catch (error) {
		const { type, status }: Record<string, unknown> = { ...Object(error) };
		return type === 'entity.too.large' || status === 413
			? { status: 413, reason: 'The body is too large for this n8n' }
			: NOT_READ;
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : Buffer.alloc(0);
}

/** The body as JSON, whatever its content type. Integers above 2^53 become text. */
export function parseBody(rawBody: Buffer): { body: object } | Rejection {
	const tooMuch = checkLimits(rawBody);
	if (tooMuch) return tooMuch;
	const body = parseExactJson(rawBody.toString('utf8').replace(/^\uFEFF/, ''));
	return typeof body === 'object' && body !== null
		? { body }
		: { status: 400, reason: 'The body must be a JSON object or an array' };
}

/** Counts before parsing: parsing 16 MB of `{},{},…` alone would take seconds. */
export function checkLimits(rawBody: Buffer, maxValues = MAX_VALUES): Rejection | undefined {
	let values = 0;
	let depth = 0;
	let isInText = false;
	for (let at = 0; at < rawBody.length; at++) {
		const byte = rawBody[at];
		if (isInText) {
			if (byte === BACKSLASH) at += 1;
			else if (byte === QUOTE) isInText = false;
			continue;
		}
		if (byte === QUOTE) isInText = true;
		if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth -= 1;
		const isOpening = byte === OPENING_BRACE || byte === OPENING_BRACKET;
		if (isOpening) depth += 1;
		if (isOpening || byte === COMMA) values += 1;
		if (depth > MAX_DEPTH) {
			return { status: 400, reason: `The body is nested more than ${MAX_DEPTH} levels deep` };
		}
		if (values > maxValues) {
			return { status: 413, reason: `The body has more than ${maxValues} values` };
		}
	}
	return undefined;
}
