import {
	bidAnswerSchema,
	type BidRecord,
	callAnswerSchema,
	type CallRecord,
	conversationAnswerSchema,
	type ConversationRecord,
} from '../../../sandbox/contract.mts';
import type { Sandbox, SandboxOptions } from '../../../sandbox/index.mts';

/** A fixed clock for tests whose records must not depend on the current day. */
export const NOON = new Date('2026-02-03T12:00:00.000Z');

/** A small history before NOON. Calls end only with finishCalls. */
export const frozenHistory: SandboxOptions = {
	calls: 300,
	seed: 7,
	historyDays: 30,
	callDelayMs: Infinity,
	now: () => NOON,
};

/** All records. */
export const ALL_TIME = 'startTime=2000-01-01&endTime=2100-01-01';

export interface Reply {
	status: number;
	headers: Headers;
	text: string;
	/** The parsed body; undefined if it isn't JSON. */
	json: unknown;
}

export interface RequestOptions {
	token?: string | null;
	method?: string;
	/** Sent as JSON; a string is sent as is. */
	body?: unknown;
	headers?: Record<string, string>;
	redirect?: 'follow' | 'manual';
	signal?: AbortSignal;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Sends a request to the sandbox over HTTP, as organization north by default. */
export async function request(
	sandbox: Sandbox,
	path: string,
	how: RequestOptions = {},
): Promise<Reply> {
	const token = how.token === undefined ? sandbox.tokens.north : how.token;
	const { body } = how;
	const answer = await fetch(`${sandbox.baseUrl}${path}`, {
		method: how.method ?? (body === undefined ? 'GET' : 'POST'),
		redirect: how.redirect ?? 'follow',
		headers: {
			...(token === null ? {} : { authorization: `Bearer ${token}` }),
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
			...how.headers,
		},
		...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
		...(how.signal ? { signal: how.signal } : {}),
	});
	const text = await answer.text();
	return { status: answer.status, headers: answer.headers, text, json: parsed(text) };
}

export const CHECK_CALL = '/api/v1/track-and-trace/trigger-check-call';
export const SALES_CALL = '/api/v1/carrier-sales/trigger-call';
export const AGENT_CALL = '/api/v1/custom-use-cases/agent-7/create-phone-call';

export const checkCall = { toPhone: '+18155550142', nextStopIndex: 1, loadNumber: '48213' };
export const salesCall = { toPhone: '+13125550123;ext=204', dotNumber: 2_130_932, loadId: 'L-77' };
export const agentCall = { toPhone: '+12145550111', dynamicVariables: { lane: 'Joliet to Gary' } };

interface Page<Row> {
	rows: Row[];
	total: number;
}

export interface List<Row> {
	path: string;
	/** Throws if the response violates the contract. */
	read(json: unknown): Page<Row>;
}

export const CALLS: List<CallRecord> = {
	path: '/api/v1/calls',
	read(json) {
		const { calls, pagination } = callAnswerSchema.parse(json);
		return { rows: calls, total: pagination.total };
	},
};

export const CONVERSATIONS: List<ConversationRecord> = {
	path: '/api/v1/conversations',
	read(json) {
		const { conversations, pagination } = conversationAnswerSchema.parse(json);
		return { rows: conversations, total: pagination.total };
	},
};

export const BIDS: List<BidRecord> = {
	path: '/api/v1/bids',
	read(json) {
		const { salesBids, pagination } = bidAnswerSchema.parse(json);
		return { rows: salesBids, total: pagination.total };
	},
};

export interface WalkOptions {
	/** The query without limit and offset. */
	filter?: string;
	limit?: number;
	token?: string;
}

/** All rows of a list, page by page until `total` is reached, with the total of each page. */
export async function walk<Row>(
	sandbox: Sandbox,
	list: List<Row>,
	{ filter = ALL_TIME, limit = 500, token = sandbox.tokens.north }: WalkOptions = {},
): Promise<{ rows: Row[]; totals: number[] }> {
	const rows: Row[] = [];
	const totals: number[] = [];
	for (;;) {
		const query = `${filter}&limit=${limit}&offset=${rows.length}`;
		const { json } = await request(sandbox, `${list.path}?${query}`, { token });
		const page = list.read(json);
		rows.push(...page.rows);
		totals.push(page.total);
		if (page.rows.length === 0 || rows.length >= page.total) return { rows, totals };
	}
}
