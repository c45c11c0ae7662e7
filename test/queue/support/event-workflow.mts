import { isRecord, type JsonObject, recordsIn } from '../../../playground/n8n/rest.mts';
import type { Cluster } from './cluster.mts';

/** A published workflow that begins with this package's trigger. */
export class EventWorkflow {
	private readonly cluster: Cluster;
	private readonly id: string;
	private readonly path: string;
	/** The calls of executions that have succeeded, by their IDs. */
	private readonly succeeded = new Map<string, unknown>();

	private constructor(cluster: Cluster, { id, url }: { id: string; url: string }) {
		this.cluster = cluster;
		this.id = id;
		this.path = new URL(url).pathname;
	}

	/** @param next a node after the trigger */
	static async publish(cluster: Cluster, next?: JsonObject): Promise<EventWorkflow> {
		return new EventWorkflow(cluster, await cluster.workflows.event(next));
	}

	/**
	 * Delivers an event to one of n8n's processes.
	 * Resolves to the number of events that start the workflow, as the trigger's response says.
	 */
	async deliver({ baseUrl }: { baseUrl: string }, event: object): Promise<number> {
		const headers = { connection: 'close', 'content-type': 'application/json' };
		const request = { method: 'POST', headers, body: JSON.stringify(event) };
		const response = await fetch(`${baseUrl}${this.path}`, request);
		const body = await response.text();
		if (response.status !== 200) throw new Error(`n8n answered ${response.status}: ${body}`);
		const tally: unknown = JSON.parse(body);
		return Number(isRecord(tally) ? tally['started'] : undefined);
	}

	/** How many executions n8n has stored, run or not. */
	async executions(): Promise<number> {
		return (await this.cluster.executions.of(this.id)).length;
	}

	/** How many executions have succeeded for each call. */
	async successesByCall(): Promise<Map<unknown, number>> {
		for (const { id, status } of await this.cluster.executions.of(this.id)) {
			if (status !== 'success' || this.succeeded.has(id)) continue;
			this.succeeded.set(id, (await this.itemOf(id))['callId']);
		}
		const counts = new Map<unknown, number>();
		for (const callId of this.succeeded.values()) counts.set(callId, (counts.get(callId) ?? 0) + 1);
		return counts;
	}

	private async itemOf(executionId: string): Promise<JsonObject> {
		const { resultData } = await this.cluster.session.executions.data(executionId);
		const [run] = recordsIn(isRecord(resultData) ? resultData['runData'] : undefined, 'Event');
		const data = run?.['data'];
		const [item] = [isRecord(data) ? data['main'] : []].flat(3).filter(isRecord);
		return isRecord(item?.['json']) ? item['json'] : {};
	}
}
