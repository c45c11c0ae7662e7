import { setTimeout as wait } from 'node:timers/promises';
import { errorMessage, UserError } from '../cli/terminal.mts';

/**
 * On a busy machine, n8n's check of its database takes longer than n8n allows; until the next check, it refuses
 * every request before it does anything (n8n 2.41: abstract-server.js).
 */
const NOT_READY = /Database is not ready/;
const LONGEST_BUSY_MS = 60_000;
const BUSY_PAUSE_MS = 500;

/** A response of n8n's REST API that is not a success. */
export class N8nApiError extends Error {
	readonly status: number;

	constructor(action: string, status: number, reason: string) {
		super(`n8n could not ${action}: ${reason} (status ${status})`);
		this.name = 'N8nApiError';
		this.status = status;
	}
}

/**
 * n8n's REST API as its editor uses it (n8n 2.41: /rest/…), with the session cookie of one user.
 */
export class N8nRest {
	readonly baseUrl: string;
	#cookie = '';

	constructor(baseUrl: string) {
		this.baseUrl = baseUrl;
	}

	/**
	 * Sends one request and returns the `data` of the response.
	 * @param action what is being done, for the error message: "create the workflow"
	 * @throws N8nApiError for any status but 2xx; UserError when n8n does not respond
	 */
	async send(action: string, method: string, path: string, body?: unknown): Promise<unknown> {
		const answer = await this.answer(action, method, path, body);
		return isRecord(answer) && 'data' in answer ? answer['data'] : answer;
	}

	/** The whole response. */
	async answer(action: string, method: string, path: string, body?: unknown): Promise<unknown> {
		let response = await this.#fetch(action, method, path, body);
		let text = await response.text();
		const deadline = Date.now() + LONGEST_BUSY_MS;
		while (response.status === 503 && NOT_READY.test(text) && Date.now() < deadline) {
			await wait(BUSY_PAUSE_MS);
			response = await this.#fetch(action, method, path, body);
			text = await response.text();
		}
		const answer = parsed(text);
		if (!response.ok) throw new N8nApiError(action, response.status, reasonIn(answer, text));
		for (const cookie of response.headers.getSetCookie()) {
			if (cookie.startsWith('n8n-auth=')) this.#cookie = cookie.split(';')[0] ?? '';
		}
		return answer;
	}

	/** What shows who asks. */
	protected headers(): Record<string, string> {
		return { cookie: this.#cookie };
	}

	async #fetch(action: string, method: string, path: string, body: unknown): Promise<Response> {
		try {
			return await fetch(this.baseUrl + path, {
				method,
				// A connection that was kept open may end at the moment it is used again.
				headers: {
					'content-type': 'application/json',
					connection: 'close',
					...this.headers(),
				},
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
				signal: AbortSignal.timeout(180_000),
			});
		} catch (error) {
			const { cause = error } = error instanceof Error ? error : {};
			throw new UserError(
				`n8n at ${this.baseUrl} did not respond when asked to ${action}: ${errorMessage(cause)}`,
				1,
			);
		}
	}
}

export type JsonObject = Record<string, unknown>;

export function isRecord(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list, or in the named list of an object. Anything else counts as an empty list. */
export function recordsIn(value: unknown, key?: string): JsonObject[] {
	const list = key !== undefined && isRecord(value) ? value[key] : value;
	return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** The text or number under a key as text, or ''. */
export function textIn(value: unknown, key: string): string {
	const found = isRecord(value) ? value[key] : undefined;
	return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : '';
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function reasonIn(answer: unknown, text: string): string {
	return textIn(answer, 'message') || text.slice(0, 200).replace(/\s+/g, ' ') || 'no reason given';
}
