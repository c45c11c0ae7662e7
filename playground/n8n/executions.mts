import { isRecord, type JsonObject, type N8nRest, recordsIn, textIn } from './rest.mts';

const EVERY_STATUS = 'canceled crashed error new running success unknown waiting'.split(' ');

/** n8n's executions, as the editor lists and shows them. */
export class N8nExecutions {
	protected readonly rest: N8nRest;

	constructor(rest: N8nRest) {
		this.rest = rest;
	}

	/** The newest first, at most 100. */
	async newest(workflowId?: string): Promise<JsonObject[]> {
		return recordsIn(await this.page({ workflowId }), 'results');
	}

	/**
	 * A page, newest first, as n8n returns it: `results`, `count` of all, `nextCursor`.
	 *
	 * All statuses are listed because n8n 2.41 otherwise reads running and finished executions in two
	 * queries: one that finishes in between is in neither, or in both.
	 */
	async page(options: {
		workflowId?: string | undefined;
		status?: string | undefined;
		limit?: number;
		cursor?: string;
	}): Promise<unknown> {
		const { workflowId, status, limit = 100, cursor = '' } = options;
		const query = new URLSearchParams({
			limit: String(limit),
			filter: JSON.stringify({ workflowId, status: status ? [status] : EVERY_STATUS }),
			...(cursor !== '' && { cursor }),
		});
		return await this.rest.send('list the executions', 'GET', `/rest/executions?${query}`);
	}

	/** Its status: `waiting`, `success` and so on. */
	async status(id: string): Promise<string> {
		return (await this.read(id)).status;
	}

	/** Its data as the editor shows it: `resultData.runData` by node name, and so on. */
	async data(id: string): Promise<JsonObject> {
		return (await this.read(id)).data();
	}

	/** Its data, or undefined while it is new or running: n8n lists an execution before it stores its data. */
	async dataIfEnded(id: string): Promise<JsonObject | undefined> {
		const { status, data } = await this.read(id);
		return ['new', 'running'].includes(status) ? undefined : data();
	}

	/** Why it failed, in n8n's words. */
	async error(id: string): Promise<string> {
		const { resultData } = await this.data(id);
		const error = isRecord(resultData) ? resultData['error'] : undefined;
		return (
			[textIn(error, 'message'), textIn(error, 'description')].filter(Boolean).join(': ') ||
			'no reason given'
		);
	}

	protected async read(id: string): Promise<{ status: string; data: () => JsonObject }> {
		const path = `/rest/executions/${id}`;
		const execution = await this.rest.send(`read execution ${id}`, 'GET', path);
		const data = () => {
			const whole = unflatten(textIn(execution, 'data') || '{}');
			return isRecord(whole) ? whole : {};
		};
		return { status: textIn(execution, 'status'), data };
	}
}

/**
 * Parses the format in which n8n returns an execution's data (flatted): a list whose first entry is
 * the value, where every string is the index of another entry.
 */
export function unflatten(text: string): unknown {
	const entries: unknown = JSON.parse(text);
	if (!Array.isArray(entries)) return entries;
	const built = new Map<number, unknown>();
	const at = (index: number): unknown => {
		if (built.has(index)) return built.get(index);
		const entry: unknown = entries[index];
		if (typeof entry !== 'object' || entry === null) return entry;
		const copy: Record<string, unknown> | unknown[] = Array.isArray(entry) ? [] : {};
		// Stored before it is filled, because an entry may contain itself.
		built.set(index, copy);
		for (const [key, value] of Object.entries(entry)) {
			Object.assign(copy, { [key]: typeof value === 'string' ? at(Number(value)) : value });
		}
		return copy;
	};
	return at(0);
}
