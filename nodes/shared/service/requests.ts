import { sleep, type IAllExecuteFunctions, type IDataObject } from 'n8n-workflow';

import { readJsonObject } from './answer';
import { cancelSignal } from './cancellation';
import { exchange } from './exchange';
import type { JsonObject } from './json';
import type { Connection, ServiceRequest } from './request';
import { callMayRepeat, readMayRepeat, withRetries, type RetryRules } from './retry';

/** What happens while a read is on its way. */
export interface ReadEvents {
	/** Called for every 429. */
	onThrottled?: (() => void) | undefined;
	/**
	 * Called when the response was received and before it is parsed, when the service is idle, with the
	 * time that it says it is (Unix milliseconds), and the response's length.
	 */
	onAnswered?: ((servedAt: number | undefined, length: number) => void) | undefined;
}

/** The parts of a read besides path and query. */
export interface Asked extends ReadEvents {
	/** Which load, carrier or lane it is about, for errors. */
	about?: string | undefined;
}

/** The two kinds of requests: reads, which can be retried, and calls, which can't. */
export class Requests {
	constructor(
		readonly context: IAllExecuteFunctions,
		readonly connection: Connection,
	) {}

	get signal(): AbortSignal | undefined {
		return cancelSignal(this.context);
	}

	/** A GET, retried after temporary failures. Omits empty parts of the query. */
	async read(path: string, query: object, asked: Asked = {}): Promise<JsonObject> {
		const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
		const { about, ...events } = asked;
		const request = { method: 'GET', path, query: Object.fromEntries(given), about } as const;
		return await this.send(request, { mayRepeat: readMayRepeat, ...events });
	}

	/** A POST that places a call. Sent again only if the service can't have received it. */
	async dial(
		path: string,
		body: IDataObject,
		{ about, beforeRepeat }: Pick<Asked, 'about'> & Pick<RetryRules, 'beforeRepeat'>,
	): Promise<JsonObject> {
		const rules = { mayRepeat: callMayRepeat, beforeRepeat };
		return await this.send({ method: 'POST', path, body, about }, rules);
	}

	private async send(
		request: ServiceRequest,
		rules: Pick<RetryRules, 'mayRepeat' | 'beforeRepeat'> & ReadEvents,
	): Promise<JsonObject> {
		const { context, connection, signal } = this;
		return await withRetries({ ...rules, budgetMs: connection.retryBudgetMs, signal }, async () => {
			const answer = await exchange(context, connection, request);
			if (rules.onAnswered && answer.status === 200) {
				const servedAt = Date.parse(String(answer.headers.date)) || undefined;
				rules.onAnswered(servedAt, answer.text.length);
				// Parsing a page takes longer than sending the next request, so let that go first.
				await sleep(0);
			}
			return readJsonObject(answer, request, connection.redaction);
		});
	}
}
