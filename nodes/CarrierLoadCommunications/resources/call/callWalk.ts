import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../shared/service/client';
import type { ListQuery } from '../../../shared/service/contract';

/** How far back each part of the search reaches, in days. Most calls looked up are recent. */
const PARTS = [1, 7, 30, 90, 365];

/**
 * Searches the calls of the last days for several calls, part by part, newest first. Reads only as
 * far as needed, and continues from there for the next call.
 */
export class CallWalk {
	/** How many calls were read. */
	searched = 0;

	/** Whether the service returned the full list, as far as it was read. */
	complete = true;

	private readonly found = new Map<string, IDataObject>();
	private readonly parts: ListQuery[];

	/**
	 * @param wanted IDs of all calls to look for
	 * @param now in the workflow's time zone, where the days begin
	 * @param loadId load that all of them are about; its calls are few, so the walk has one part
	 */
	constructor(
		private readonly wanted: ReadonlySet<string>,
		now: DateTime,
		days: number,
		loadId: string | undefined,
	) {
		const earlier = loadId === undefined ? PARTS.filter((part) => part < days) : [];
		const starts = [...earlier, days].map((part) => now.minus({ days: part }));
		this.parts = starts.map((start, index) => ({
			startTime: timestamp(start),
			// Bounds may be exclusive (contract 4.9), and the service's clock may be ahead.
			endTime: timestamp(starts[index - 1]?.plus({ seconds: 1 }) ?? now.plus({ hours: 1 })),
			...(loadId !== undefined && { loadId }),
		}));
	}

	/** @throws ServiceFailure if a page can't be read; the next search starts with the same part */
	async find(client: ServiceClient, callId: string): Promise<IDataObject | undefined> {
		for (let part = this.parts[0]; part && !this.found.has(callId); part = this.parts[0]) {
			const {
				searched,
				complete,
				row: found,
			} = await client.findCall(part, (row) => this.keep(row));
			this.searched += searched;
			this.complete &&= complete || found !== undefined;
			this.parts.shift();
		}
		return this.found.get(callId);
	}

	/** Keeps a call if it is one of those looked for. Says whether all of them are here. */
	private keep(call: IDataObject): boolean {
		const id = String(call.id);
		if (this.wanted.has(id) && !this.found.has(id)) this.found.set(id, call);
		return this.found.size === this.wanted.size;
	}
}

function timestamp(time: DateTime): string {
	return time.toUTC().toISO() ?? '';
}
