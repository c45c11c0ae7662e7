import type { IDataObject } from 'n8n-workflow';

const MAX_CALLS = 10_000;

/**
 * - `noted`: about to be dialed
 * - `dialing`: the request was sent, or was just about to be; never sent again
 * - `done`: has its call, in `row`
 */
export type CallState = 'noted' | 'dialing' | 'done';

/** Whether a phone rang for a call. */
export type Ring = 'no' | 'maybe' | 'yes';

/** What is remembered of a call that an execution requested. */
export interface KnownCall {
	key: string;
	state: CallState;
	/** The phone number without its extension. */
	line: string;
	/** The credential. */
	account: string;
	/** Undefined for an agent call. */
	load: string | undefined;
	/** What the duplicate guard compares. */
	target: string;
	/** When the service can have placed it, as Unix milliseconds. */
	from: number;
	until: number;
	/** The node's run in its execution: all tries of it have the same. */
	run: string;
	/** The ID of the execution that requested it, to which its webhook event goes. */
	execution: string;
	/** "check call to +13125550188 about load 48213" */
	what: string;
	itemIndex: number;
	row?: IDataObject;
	/** Why it isn't known whether it was placed: a sentence without its period. */
	why?: string;
	/** If it was dialed, then by another process: only a listed call noted as its own can be it. */
	interrupted?: boolean;
}

/** Whether it was skipped as a duplicate of another call. */
export function isSkipped({ row }: KnownCall): boolean {
	return row?.placement === 'skippedDuplicate';
}

/** Whether a phone rang for a call itself, rather than for the one it is a duplicate of. */
export function ringOf(known: KnownCall): Ring {
	if (known.state === 'noted' || isSkipped(known)) return 'no';
	return known.state === 'done' ? 'yes' : 'maybe';
}

/** Calls by their key and by the line they go to; the oldest are forgotten. */
class KnownCalls {
	private readonly byKey = new Map<string, KnownCall>();
	private readonly byLine = new Map<string, Map<string, KnownCall>>();

	get(key: string): KnownCall | undefined {
		return this.byKey.get(key);
	}

	all(): KnownCall[] {
		return [...this.byKey.values()];
	}

	onLine(line: string): KnownCall[] {
		return [...(this.byLine.get(line)?.values() ?? [])];
	}

	set(call: KnownCall): void {
		this.delete(call.key);
		this.byKey.set(call.key, call);
		const line = this.byLine.get(call.line) ?? new Map<string, KnownCall>();
		this.byLine.set(call.line, line.set(call.key, call));
		if (this.byKey.size > MAX_CALLS) this.forgetOldest();
	}

	delete(key: string): void {
		const call = this.byKey.get(key);
		if (call === undefined) return;
		this.byKey.delete(key);
		const line = this.byLine.get(call.line);
		line?.delete(key);
		if (line?.size === 0) this.byLine.delete(call.line);
	}

	private forgetOldest(): void {
		for (const { key, state } of this.byKey.values()) {
			if (state === 'noted') continue;
			this.delete(key);
			return;
		}
	}
}

/** The calls of all executions and nodes of this n8n process. */
export const processCalls = new KnownCalls();
