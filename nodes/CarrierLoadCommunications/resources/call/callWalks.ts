import { DateTime } from 'luxon';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Parameters } from '../../../shared/fields/parameters';
import type { ServiceClient } from '../../../shared/service/client';
import type { ListQuery } from '../../../shared/service/contract';
import { timestamp } from '../../fields/time/timeRange';

/** How far back each part of the search reaches, in days. Most calls looked up are recent. */
const PARTS = [1, 7, 30, 90, 365];

export interface LookUp {
	callId: string;
	lookBackDays: number;
	loadId: string | undefined;
}

/** Reads what an item looks up; undefined if it looks up no call. @throws InvalidParameter */
export type ReadLookUp = (parameters: Parameters) => LookUp | undefined;

/** The walks of one execution: one for each load and number of days that its items ask for. */
export class CallWalks {
	private readonly walks = new Map<string, CallWalk>();
	private readonly now: DateTime;

	constructor(context: IExecuteFunctions, readLookUp: ReadLookUp) {
		this.now = DateTime.now().setZone(context.getTimezone());
		for (const itemIndex of context.getInputData().keys()) {
			const asked = readIfPossible(new Parameters(context, itemIndex), readLookUp);
			if (asked) this.walkLike(asked).wanted.add(asked.callId);
		}
	}

	walkFor(asked: LookUp): CallWalk {
		const walk = this.walkLike(asked);
		// An expression may give another ID each time it is resolved.
		return walk.wanted.has(asked.callId) ? walk : new CallWalk(this.now, asked);
	}

	private walkLike(asked: LookUp): CallWalk {
		const key = JSON.stringify([asked.lookBackDays, asked.loadId]);
		const walk = this.walks.get(key) ?? new CallWalk(this.now, asked);
		this.walks.set(key, walk);
		return walk;
	}
}

/** An item that can't be read fails when its turn comes. */
function readIfPossible(parameters: Parameters, readLookUp: ReadLookUp): LookUp | undefined {
	try {
		return readLookUp(parameters);
	} catch {
		return undefined;
	}
}

/**
 * Searches the calls of the last days for several calls, part by part, newest first. Reads only as
 * far as needed, and continues from there for the next call.
 */
class CallWalk {
	/** IDs of all calls to look for. */
	readonly wanted = new Set<string>();

	/** How many calls were read. */
	searched = 0;

	/** Whether the service returned the full list, as far as it was read. */
	complete = true;

	private readonly found = new Map<string, IDataObject>();
	private readonly parts: ListQuery[];

	/** @param now in the workflow's time zone, where the days begin */
	constructor(now: DateTime, { callId, lookBackDays: days, loadId }: LookUp) {
		this.wanted.add(callId);
		// The calls about a load are few.
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
			const { searched, complete } = await client.walkCalls(part, (row) => this.keep(row));
			this.searched += searched;
			this.complete &&= complete;
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
