import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../../shared/service/client';
import type { PlannedCall, Refusal } from '../call';
import { refusedRow, rehearsedRow } from '../uncalledRow';
import { nodeKeyOf } from '../keys';
import { countedCalls, refuseLimits, type CountedCalls, type Limits } from './limits';

const SAME_CALL = 'An earlier item of this dry run is the same call';

/** A dry run: what the rules would do, also because of its earlier items. */
export class Rehearsal {
	/** The node's calls with those of this dry run, if a rule limits them. */
	private counted: CountedCalls | undefined;
	private readonly timesTo = new Map<string, number[]>();
	/** Its rows, by number and what the duplicate guard compares. */
	private readonly rows = new Map<string, IDataObject>();
	private readonly waiting = new Set<string>();

	constructor(private readonly context: IExecuteFunctions) {}

	/** The row of a call that a rule refuses. @throws CallProblem */
	refuse(call: PlannedCall, refusal: Refusal): IDataObject {
		return rehearsedRow(refusedRow(this.context, call, this.nameDuplicate(call, refusal)));
	}

	/** Says of a call that waits for its hours if an earlier item that waits is the same call. */
	private nameDuplicate(call: PlannedCall, refusal: Refusal): Refusal {
		const { skippedAs, reason, inShort = reason } = refusal;
		const isFirst = !this.waiting.has(sameCall(call));
		if (skippedAs !== 'outsideHours' || call.skipWithinMs === undefined) return refusal;
		this.waiting.add(sameCall(call));
		if (isFirst) return refusal;
		const same = { inShort: `same call as an earlier row, and ${inShort}` };
		return { ...refusal, ...same, reason: `${reason}. ${SAME_CALL}` };
	}

	/** The row of a call that only a limit may refuse. @param advice how to place it @throws CallProblem */
	async rehearse(
		client: ServiceClient,
		call: PlannedCall,
		limits: Limits | undefined,
		advice = '',
	): Promise<IDataObject> {
		const same = sameCall(call);
		const earlier = call.skipWithinMs === undefined ? undefined : this.rows.get(same);
		if (earlier) {
			const result = 'Skipped: same call as an earlier row';
			const placementReason = `${SAME_CALL}.`;
			return { ...earlier, placement: 'skippedDuplicate', placementReason, result };
		}
		let refusal: Refusal = { skippedAs: 'dryRun', reason: 'No phone rang', advice };
		if (limits) {
			this.counted ??= new Map(countedCalls(nodeKeyOf(this.context)));
			const rehearsed = this.timesTo.get(call.toPhone);
			const more = { rehearsed, zone: this.context.getTimezone() };
			refusal = (await refuseLimits(client, call, limits, this.counted, more)) ?? refusal;
		}
		const { request, ...row } = refusedRow(this.context, call, refusal);
		// Others may have been added meanwhile.
		const times = this.timesTo.get(call.toPhone) ?? [];
		this.timesTo.set(call.toPhone, [...times, Date.now()]);
		this.rows.set(same, row);
		return { ...row, request };
	}
}

function sameCall({ identity }: PlannedCall): string {
	return `${identity.phoneKey} ${identity.duplicateKey}`;
}
