import { Readable } from 'node:stream';
import type { IHttpRequestOptions } from 'n8n-workflow';

/** What happens to one call request. "after" means that the call was placed anyway. */
export type DialFault =
	| 'none'
	| 'reset before'
	| 'reset after'
	| 'no answer before'
	| 'no answer after'
	/** The call is placed when the client has long given up. */
	| 'late'
	| '500 before'
	| '500 after'
	| '503 after'
	| 'web page after'
	| 'cut off'
	| 'no call named'
	| 'refused'
	| 'call null'
	| '401'
	| '422'
	| '429'
	| 'unreachable'
	| 'crash before'
	| 'crash after';

export type ListFault = 'none' | '500' | 'reset' | 'empty';

export interface ServiceOptions {
	dialFaults: DialFault[];
	listFaults: ListFault[];
	/** How long a new call is missing from the list. */
	listDelayMs: number;
	/** The difference between the service's clock and ours. */
	skewMs: number;
	/** Whether the list names the load of a call that has just started. */
	namesLoads: boolean;
	writes: 'as the contract' | 'in other ways';
}

/** A phone that rang. */
export interface Ring {
	id: number;
	toPhone: string;
	load: string | undefined;
	/** Which item of which execution requested it. */
	tag: string;
	/** By our clock, in milliseconds. */
	at: number;
}

export interface WorkerProcess {
	/** The process that sends; false after it crashed. */
	alive: boolean;
	crash(): void;
}

const TIMEOUT_MS = 30_000;

/** After these, it is known that no phone rang. */
const REFUSED = new Set<DialFault>([
	...(['refused', 'call null', '401', '422', '429', 'unreachable'] as const),
]);

function tagIn({ metadata, dynamicVariables }: Record<string, unknown>): string {
	return String(Object(metadata ?? dynamicVariables).tag);
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const broken = (code: string) => Object.assign(new Error(code), { code });
const json = (statusCode: number, content: unknown, headers = {}) => {
	const text = typeof content === 'string' ? content : JSON.stringify(content);
	return { statusCode, headers, text, body: Readable.from([Buffer.from(text)]) };
};

/** The service in this process, with the test's clock: its list of calls, and what went wrong. */
export class CallService {
	readonly rings: Ring[] = [];
	/** Requests by which a phone rang or may have rung. */
	readonly effective: Array<Pick<Ring, 'tag' | 'toPhone' | 'load'>> = [];
	readonly options: ServiceOptions;
	private dialed = 0;
	private listed = 0;

	constructor(options: ServiceOptions) {
		this.options = options;
	}

	async request(options: IHttpRequestOptions, worker: WorkerProcess) {
		if (!worker.alive) throw broken('ECONNRESET');
		await wait(1);
		return options.method === 'POST' ? await this.dial(options, worker) : await this.list(options);
	}

	private async dial({ url, body }: IHttpRequestOptions, worker: WorkerProcess) {
		const fault = this.options.dialFaults[this.dialed++] ?? 'none';
		const asked = JSON.parse(String(body)) as Record<string, never>;
		const { toPhone, loadNumber, loadId } = asked;
		const request = { tag: tagIn(asked), toPhone: String(toPhone), load: loadNumber ?? loadId };
		if (!REFUSED.has(fault)) this.effective.push(request);
		const place = () => this.place(request);
		const answer = (ring: Ring) => this.answer(url, ring);
		switch (fault) {
			case 'none':
				return answer(place());
			case 'reset before':
				throw broken('ECONNRESET');
			case 'unreachable':
				throw Object.assign(broken('ECONNREFUSED'), { syscall: 'connect' });
			case 'no answer before':
				await wait(TIMEOUT_MS);
				throw broken('ECONNABORTED');
			case 'late':
				setTimeout(place, TIMEOUT_MS + 5000);
				await wait(TIMEOUT_MS);
				throw broken('ECONNABORTED');
			case '500 before':
				return json(500, { message: 'broken' });
			case 'refused':
				return json(200, { success: false, status: 'no', call: null, message: 'No' });
			case 'call null':
				return json(200, { success: true, status: 'success', call: null });
			case '401':
			case '422':
				return json(Number(fault), { message: 'No' });
			case '429':
				return json(429, {}, { 'retry-after': '1' });
			case 'crash before':
				return worker.crash();
			default:
				return await this.spoil(fault, answer(place()), worker);
		}
	}

	/** The call was placed, but the response doesn't say so. */
	private async spoil(fault: DialFault, answer: ReturnType<typeof json>, worker: WorkerProcess) {
		if (fault === 'reset after') throw broken('ECONNRESET');
		if (fault === 'crash after') return worker.crash();
		if (fault === 'no answer after') {
			await wait(TIMEOUT_MS);
			throw broken('ECONNABORTED');
		}
		if (fault === '500 after') return json(500, 'broken');
		if (fault === '503 after') return json(503, '');
		if (fault === 'web page after') return json(200, '<!doctype html><h1>Sign in</h1>');
		if (fault === 'cut off') return json(200, answer.text.slice(0, 40));
		return json(200, { success: true, status: 'success' });
	}

	private place(request: Pick<Ring, 'tag' | 'toPhone' | 'load'>): Ring {
		const ring = { id: 1000 + this.rings.length, at: Date.now(), ...request };
		this.rings.push(ring);
		return ring;
	}

	private answer(url: string, { id, toPhone, at }: Ring) {
		const createdAt = this.stamp(at);
		const call = { id, toPhone, createdAt, conversationId: id, status: 'IN_PROGRESS' };
		if (url.includes('custom-use-cases')) return json(200, { status: 'success', call });
		return json(200, { success: true, call });
	}

	private async list({ qs }: IHttpRequestOptions) {
		const fault = this.options.listFaults[this.listed++] ?? 'none';
		if (fault === 'reset') throw broken('ECONNRESET');
		if (fault === '500') return json(500, 'broken');
		const { startTime, endTime, loadId } = Object(qs) as Record<string, string>;
		const shown = this.rings.filter(({ at, load }) => {
			const stamp = Date.parse(this.stamp(at));
			const inRange = stamp >= Date.parse(startTime ?? '') && stamp <= Date.parse(endTime ?? '');
			const isLoad = loadId === undefined || (this.options.namesLoads && load === loadId);
			return inRange && isLoad && at + this.options.listDelayMs <= Date.now();
		});
		const calls = (fault === 'empty' ? [] : shown).map(({ id, toPhone, load, at }) => ({
			...{ id, ...this.written(toPhone, this.stamp(at)) },
			loadIds: this.options.namesLoads && load !== undefined ? this.loadsOf(load) : [],
		}));
		return json(200, { calls, pagination: { total: calls.length, limit: 500, offset: 0 } });
	}

	private written(toPhone: string, createdAt: string): object {
		const number = toPhone.replace(/;.*/, '');
		if (this.options.writes === 'as the contract') return { toPhone: number, createdAt };
		const national = number.replace(/^\+(1|52)/, '');
		return {
			toPhone: `(${national.slice(0, 3)}) ${national.slice(3)}`,
			createdAt: Date.parse(createdAt),
		};
	}

	private loadsOf(load: string): string[] | string {
		return this.options.writes === 'as the contract' ? [load] : `Load #${load.toLowerCase()}`;
	}

	private stamp(at: number): string {
		return new Date(at + this.options.skewMs).toISOString();
	}
}
