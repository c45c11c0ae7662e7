import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { runsAsTool } from '../../../shared/fields/parameters';
import type { ServiceClient } from '../../../shared/service/client';
import type { PlannedCall, Refusal } from '../call';
import { CallProblem } from '../callErrors';
import { nodeKeyOf } from '../keys';
import { rehearsedRow, skippedRow } from '../rows';
import { refuseCountry } from './countries';
import { refuseListed } from './doNotCall';
import type { CallingRules } from './form';
import { refuseHours } from './hours';
import { CallLimiter, refuseNumber, timesCalled } from './limits';

/** The calling rules in a run of the node: when an item is planned, and before it is dialed. */
export class RunRules {
	private readonly limiter: CallLimiter;
	/** Counts the calls of a dry run. */
	private rehearsal: CallLimiter | undefined;
	/** When a dry run would have called each number. */
	private readonly rehearsedTo = new Map<string, number[]>();
	/** A dry run's rows, by number and what the duplicate guard compares. */
	private readonly rehearsed = new Map<string, IDataObject>();
	/** Those of a dry run's calls that wait for their hours. */
	private readonly waiting = new Set<string>();

	/** @param waits whether the node waits for the calls' outcomes */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly waits: boolean,
	) {
		this.limiter = CallLimiter.of(nodeKeyOf(context));
	}

	/**
	 * The row of an item whose call must be skipped now; undefined if it may be placed.
	 *
	 * @throws CallProblem if a rule makes the item fail
	 */
	apply(call: PlannedCall, rules: CallingRules): IDataObject | undefined {
		const refusal = refuseCall(rules, call, new Date());
		if (refusal === undefined) return undefined;
		if (rules.dryRun === undefined) return this.refuse(call, refusal);
		return rehearsedRow(this.refuse(call, this.nameDuplicate(call, refusal)));
	}

	/** Says of a dry run's call that waits for its hours if an earlier item that waits is the same call. */
	private nameDuplicate(call: PlannedCall, refusal: Refusal): Refusal {
		if (refusal.skippedAs !== 'outsideHours' || call.skipWithinMs === undefined) return refusal;
		const same = sameCall(call);
		const isDuplicate = this.waiting.has(same);
		this.waiting.add(same);
		if (!isDuplicate) return refusal;
		const { inShort = refusal.reason, reason } = refusal;
		return {
			...refusal,
			inShort: `same call as an earlier row, and ${inShort}`,
			reason: `${reason}. ${SAME_CALL}`,
		};
	}

	/** The same for a call that is about to be requested, which the number's earlier calls may prevent. */
	async allow(
		client: ServiceClient,
		call: PlannedCall,
		rules: CallingRules,
		isLate = false,
	): Promise<IDataObject | undefined> {
		const skipped = this.apply(call, rules);
		if (skipped || rules.limits.perNumber === undefined) return skipped;
		const refusal = refuseNumber(rules.limits, await timesCalled(client, call, isLate));
		return refusal && this.refuse(call, refusal);
	}

	/** The same right before the call is first requested, when it counts for the node's limits. */
	async admit(
		client: ServiceClient,
		call: PlannedCall,
		rules: CallingRules,
		isLate: boolean,
	): Promise<IDataObject | undefined> {
		const skipped = await this.allow(client, call, rules, isLate);
		if (skipped) return skipped;
		const refusal = this.limiter.take(call.identity.key, rules.limits, Date.now());
		return refusal && this.refuse(call, refusal);
	}

	/** A call was certainly not placed, and does not count. */
	release({ identity }: PlannedCall): void {
		this.limiter.release(identity.key);
	}

	/** The row of a dry run's call, which is neither reserved nor counted. @throws CallProblem */
	async rehearse(
		client: ServiceClient,
		call: PlannedCall,
		rules: CallingRules,
	): Promise<IDataObject> {
		const skipped = this.apply(call, rules);
		if (skipped) return skipped;
		const { key } = call.identity;
		const { perNumber } = rules.limits;
		const none = { times: [], hidden: 0 };
		const called = perNumber === undefined ? none : await timesCalled(client, call, false);
		const same = sameCall(call);
		const earlier = this.rehearsed.get(same);
		if (call.skipWithinMs !== undefined && earlier) {
			const result = 'Skipped: same call as an earlier row';
			const placementReason = `${SAME_CALL}.`;
			return { ...earlier, placement: 'skippedDuplicate', placementReason, result };
		}
		this.rehearsal ??= this.limiter.copy();
		const calledHere = this.rehearsedTo.get(call.toPhone) ?? [];
		const refusal =
			refuseNumber(rules.limits, { ...called, times: [...called.times, ...calledHere] }) ??
			this.rehearsal.take(key, rules.limits, Date.now());
		const row = this.refuse(call, refusal ?? dryRun(rules.dryRun));
		this.rehearsedTo.set(call.toPhone, [...calledHere, Date.now()]);
		const kept = { ...row };
		delete kept.request;
		this.rehearsed.set(same, kept);
		return row;
	}

	private refuse(call: PlannedCall, refusal: Refusal): IDataObject {
		const { reason, advice, nextAllowedAt, skippedAs, inShort = reason } = refusal;
		const told = runsAsTool(this.context)
			? `Do not retry. A calling rule in this workflow blocked the call. For the workflow's owner: ${advice}`
			: advice;
		if (skippedAs !== undefined) {
			const result = skippedAs === 'dryRun' ? 'Dry run: would be called' : `Not called: ${inShort}`;
			const why = { result, placementReason: `${reason}. ${told}`, nextAllowedAt };
			return skippedRow(call, skippedAs, why, this.waits);
		}
		const what = `The ${call.identity.what} was not placed: ${reason}`;
		throw new CallProblem(what, told, nextAllowedAt);
	}
}

const SAME_CALL = 'An earlier item of this dry run is the same call';

/** What the duplicate guard compares. */
function sameCall({ identity }: PlannedCall): string {
	return `${identity.phoneKey} ${identity.duplicateKey}`;
}

/**
 * Why the rules refuse a call at a given time, in the order of docs/calling-rules.md. Limits
 * count, so they are checked last.
 */
export function refuseCall(
	rules: CallingRules,
	call: Pick<PlannedCall, 'toPhone' | 'asIs'>,
	now: Date,
): Refusal | undefined {
	return (
		refuseCountry(rules.countries, call) ??
		refuseListed(rules.doNotCall, call) ??
		refuseHours(rules.hours, call, now)
	);
}

/** The row of a dry run for a call that nothing else prevents. @param advice how to place it */
function dryRun(advice = ''): Refusal {
	const reason = 'This is a dry run: nothing was sent and no phone rang';
	return { skippedAs: 'dryRun', reason, advice };
}
