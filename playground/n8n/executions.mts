import { unflatten } from './flatted.mts';
import { isRecord, type JsonObject, type N8nRest, recordsIn, textIn } from './rest.mts';

const EVERY_STATUS = 'canceled crashed error new running success unknown waiting'.split(' ');

/** What n8n has executed, as the editor lists and shows it. */
export class N8nExecutions {
	private readonly rest: N8nRest;

	constructor(rest: N8nRest) {
		this.rest = rest;
	}

	/** The newest first, at most 100. */
	async newest(workflowId?: string): Promise<JsonObject[]> {
		return recordsIn(await this.page({ workflowId }), 'results');
	}

	/**
	 * A page, newest first, as n8n answers it: `results`, `count` of all, `nextCursor`.
	 *
	 * All statuses are named because n8n 2.41 otherwise reads running and ended executions in two
	 * queries at the same moment: one that ends between them is in neither, or in both.
	 */
	async page(wanted: {
		workflowId?: string | undefined;
		status?: string | undefined;
		limit?: number;
		cursor?: string;
	}): Promise<unknown> {
		const { workflowId, status, limit = 100, cursor = '' } = wanted;
		const query = new URLSearchParams({
			limit: String(limit),
			filter: JSON.stringify({ workflowId, status: status ? [status] : EVERY_STATUS }),
			...(cursor !== '' && { cursor }),
		});
		return await this.rest.send('list the executions', 'GET', `/rest/executions?${query}`);
	}

	/** Where it stands: `waiting`, `success` and so on. */
	async status(id: string): Promise<string> {
		return textIn(await this.read(id), 'status');
	}

	/** Its data as the editor shows them: `resultData.runData` by node name, and so on. */
	async data(id: string): Promise<JsonObject> {
		const data = unflatten(textIn(await this.read(id), 'data') || '{}');
		return isRecord(data) ? data : {};
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

	private async read(id: string): Promise<unknown> {
		return await this.rest.send(`read execution ${id}`, 'GET', `/rest/executions/${id}`);
	}
}
