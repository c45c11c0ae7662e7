import type { IWebhookFunctions } from 'n8n-workflow';

type WebhookRequest = ReturnType<IWebhookFunctions['getRequestObject']>;

/** A request that is answered without starting anything. */
export interface Rejection {
	status: 400 | 413;
	message: string;
}

/** Deeper nesting serves nobody, and n8n's own copying of it would exhaust the stack. */
const MAX_DEPTH = 100;

/**
 * The body's bytes as they were signed. n8n unpacks gzip and deflate, and has a size limit
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

/** The body as JSON, whatever its content type says. */
export function parseBody(rawBody: Buffer): { body: object } | Rejection {
	const text = rawBody.toString('utf8').replace(/^\uFEFF/, '');
	const parsed = parseJson(text);
	if (typeof parsed !== 'object' || parsed === null) {
		return { status: 400, message: 'The body must be a JSON object or an array' };
	}
	if (isDeeperThan(parsed, MAX_DEPTH)) {
		return { status: 400, message: `The body is nested more than ${MAX_DEPTH} levels deep` };
	}
	return { body: parsed };
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Level by level, without recursion. */
function isDeeperThan(value: object, depth: number): boolean {
	let level: unknown[] = [value];
	for (let below = 0; below <= depth; below++) {
		const next: unknown[] = [];
		for (const holder of level) {
			for (const inner of Object.values(Object(holder))) {
				if (typeof inner === 'object' && inner !== null) next.push(inner);
			}
		}
		if (next.length === 0) return false;
		level = next;
	}
	return true;
}
