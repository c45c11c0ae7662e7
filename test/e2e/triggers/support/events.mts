import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

export const SECRET = 'agreed-with-the-operator-of-the-service';

/** The body of an event, each with its own ID. */
export const eventOf = (changes: object = {}) =>
	JSON.stringify({ event: 'call.completed', id: randomUUID(), metadata: { a: 1 }, ...changes });

interface Answer {
	status: number;
	text: string;
	headers: Headers;
}

/**
 * Sends a request and reads the whole response. n8n may refuse a large body and close the connection before
 * all of it is sent; then the response is lost, and it is sent again.
 */
export async function send(url: string, request: RequestInit, tries = 25): Promise<Answer> {
	let response: Response;
	try {
		response = await fetch(url, request);
	} catch (error) {
		const { cause } = error instanceof Error ? error : {};
		const code = cause instanceof Error && 'code' in cause ? cause.code : '';
		if (tries <= 1 || (code !== 'EPIPE' && code !== 'ECONNRESET')) throw error;
		return await send(url, request, tries - 1);
	}
	const text = await response.text();
	return { status: response.status, text, headers: response.headers };
}

/** What the trigger answers, by name. */
export async function tally(url: string, request: RequestInit): Promise<object> {
	const { status, text } = await send(url, request);
	if (status !== 200) throw new Error(`n8n answered ${status}: ${text}`);
	return JSON.parse(text) as object;
}

/** What it answers to one event. */
export const STARTED: object = expect.objectContaining({ started: 1, duplicates: 0 });
export const DUPLICATE: object = expect.objectContaining({ started: 0, duplicates: 1 });

/** Delivers a signed event as services do: again later after 5xx, which a busy n8n answers. */
export async function deliver(url: string, body: string) {
	for (;;) {
		const answer = await send(url, signed(body));
		if (answer.status < 500) return answer;
		await wait(1000);
	}
}

/** An unsigned request. */
export const post = (body: string, headers: Record<string, string> = {}): RequestInit => ({
	method: 'POST',
	body,
	headers: { 'content-type': 'application/json', ...headers },
});

/** A signed request, as the service would send it. */
export function signed(body: string | Buffer, headers: Record<string, string> = {}): RequestInit {
	const time = String(Math.floor(Date.now() / 1000));
	const signature = createHmac('sha256', SECRET).update(`${time}.`).update(body).digest('hex');
	return {
		method: 'POST',
		body: typeof body === 'string' ? body : new Uint8Array(body),
		headers: {
			...{ 'content-type': 'application/json', 'x-timestamp': time },
			...{ 'x-signature': `sha256=${signature}`, ...headers },
		},
	};
}
