import type { IWebhookFunctions } from 'n8n-workflow';

import { parseJson } from '../../shared/service/http/json';

type WebhookRequest = ReturnType<IWebhookFunctions['getRequestObject']>;

/** A request that is answered without starting anything. */
export interface Rejection {
	status: 400 | 413 | 503;
	message: string;
}

/** Deeper nesting serves no one, and n8n's own copying of it would exhaust the stack. */
const MAX_DEPTH = 100;

/** Numbers, texts, objects and lists in one body. Millions of them stop n8n for minutes. */
const MAX_VALUES = 200_000;

/**
 * The body's bytes as they were signed. n8n decompresses gzip and deflate, and limits the size
 * (N8N_PAYLOAD_SIZE_MAX).
 */
export async function readRawBody(request: WebhookRequest): Promise<Buffer | Rejection> {
	try {
		// n8n 2.41 reads the body before the node runs unless told not to: see the trigger's `options`.
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody();
	} catch (error) {
		const { type, status }: Record<string, unknown> = { ...Object(error) };
		return type === 'entity.too.large' || status === 413
			? { status: 413, message: 'The body is too large for this n8n' }
			: { status: 400, message: 'The body could not be read' };
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : Buffer.alloc(0);
}

/** The body as JSON, whatever its content type. */
export function parseBody(rawBody: Buffer): { body: object } | Rejection {
	const body = parseJson(rawBody.toString('utf8').replace(/^\uFEFF/, ''));
	if (typeof body !== 'object' || body === null) {
		return { status: 400, message: 'The body must be a JSON object or an array' };
	}
	return checkLimits(body) ?? { body };
}

/** Level by level, without recursion, and no further than the limits. */
function checkLimits(body: object): Rejection | undefined {
	let level: object[] = [body];
	let values = 0;
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > MAX_DEPTH) {
			return { status: 400, message: `The body is nested more than ${MAX_DEPTH} levels deep` };
		}
		const next: object[] = [];
		for (const holder of level) {
			const inner: unknown[] = Array.isArray(holder) ? holder : Object.values(holder);
			values += inner.length;
			if (values > MAX_VALUES) {
				return { status: 413, message: `The body has more than ${MAX_VALUES} values` };
			}
			for (const value of inner) if (typeof value === 'object' && value !== null) next.push(value);
		}
		level = next;
	}
	return undefined;
}
