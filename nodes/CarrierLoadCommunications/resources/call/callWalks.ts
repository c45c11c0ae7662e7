import { DateTime } from 'luxon';
import type { IExecuteFunctions } from 'n8n-workflow';

import { Parameters } from '../../../shared/fields/parameters';
import { CallWalk } from './callWalk';

export interface LookUp {
	callId: string;
	lookBackDays: number;
	loadId: string | undefined;
}

/** Reads what an item looks up; undefined if it looks up no call. @throws InvalidParameter */
export type ReadLookUp = (parameters: Parameters) => LookUp | undefined;

/** The walks of one execution: one for each load and number of days that its items ask for. */
export class CallWalks {
	private readonly wanted = new Map<string, Set<string>>();
	private readonly walks = new Map<string, CallWalk>();
	private readonly now: DateTime;

	constructor(context: IExecuteFunctions, readLookUp: ReadLookUp) {
		this.now = DateTime.now().setZone(context.getTimezone());
		for (const itemIndex of context.getInputData().keys()) {
			const asked = readIfPossible(new Parameters(context, itemIndex), readLookUp);
			if (asked) this.wanted.set(keyOf(asked), this.wantedLike(asked).add(asked.callId));
		}
	}

	walkFor(asked: LookUp): CallWalk {
		const key = keyOf(asked);
		const wanted = this.wantedLike(asked);
		// An expression may give another ID each time it is resolved.
		if (!wanted.has(asked.callId)) return this.newWalk(new Set([asked.callId]), asked);
		const walk = this.walks.get(key) ?? this.newWalk(wanted, asked);
		this.walks.set(key, walk);
		return walk;
	}

	private wantedLike(asked: LookUp): Set<string> {
		return this.wanted.get(keyOf(asked)) ?? new Set();
	}

	private newWalk(wanted: Set<string>, { lookBackDays, loadId }: LookUp): CallWalk {
		return new CallWalk(wanted, this.now, lookBackDays, loadId);
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

function keyOf({ lookBackDays, loadId }: LookUp): string {
	return JSON.stringify([lookBackDays, loadId]);
}
