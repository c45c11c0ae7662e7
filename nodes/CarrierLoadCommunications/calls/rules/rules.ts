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
import { count, countedCalls, refuseNumber, type CountedCalls } from './limits';

/** The calling rules in a run of the node: when an item is planned, and before it is dialed. */
export class RunRules {
	/** The node's calls, if a rule limits them. */
	private counted: CountedCalls | undefined;
	/** The same with the calls of a dry run. */
	private rehearsal: CountedCalls | undefined;
	/** When a dry run would have called each number. */
	private readonly rehearsedTo = new Map<string, number[]>();
	/** A dry run's rows, by number and what the duplicate guard compares. */
	private readonly rehearsed = new Map<string, IDataObject>();

	/** @param waits whether the node waits for the calls' outcomes */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly waits: boolean,
	) {}

	/**
	 * The row of an item whose call must be skipped now; undefined if it may be placed.
	 *
	 * @throws CallProblem if a rule makes the item fail
	 */
	apply(call: PlannedCall, rules: CallingRules): IDataObject | undefined {
		const refusal = refuseCall(rules, call, new Date());
		if (refusal === undefined) return undefined;
		const row = this.refuse(call, refusal);
		return rules.dryRun === undefined ? row : rehearsedRow(row);
	}

	/** The same for a call that is about to be requested, which the number's earlier calls may prevent. */
	async allow(
		client: ServiceClient,
		call: PlannedCall,
		rules: CallingRules,
		isLate = false,
	): Promise<IDataObject | undefined> {
		const skipped = this.apply(call, rules);
		const { perNumber } = rules.limits;
		if (skipped || perNumber === undefined) return skipped;
		const refusal = await refuseNumber(client, call, perNumber, isLate);
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
		if (skipped || !isLimited(rules)) return skipped;
		this.counted ??= countedCalls(nodeKeyOf(this.context));
		const refusal = count(this.counted, call.identity.key, rules.limits);
		return refusal && this.refuse(call, refusal);
	}

	/** A call was certainly not placed, and does not count. */
	release({ identity }: PlannedCall): void {
		this.counted?.delete(identity.key);
	}

	/** The row of a dry run's call, which is neither reserved nor counted. @throws CallProblem */
	async rehearse(
		client: ServiceClient,
		call: PlannedCall,
		rules: CallingRules,
	): Promise<IDataObject> {
		const skipped = this.apply(call, rules);
		if (skipped) return skipped;
		const { key, phoneKey, duplicateKey } = call.identity;
		const same = `${phoneKey} ${duplicateKey}`;
		const earlier = call.skipWithinMs === undefined ? undefined : this.rehearsed.get(same);
		if (earlier) {
			const placementReason = 'An earlier item of this dry run is the same call.';
			const result = 'Skipped: same call as an earlier row';
			return { ...earlier, placement: 'skippedDuplicate', placementReason, result };
		}
		const calledHere = this.rehearsedTo.get(call.toPhone) ?? [];
		const { perNumber } = rules.limits;
		let refusal: Refusal | undefined;
		if (perNumber !== undefined) {
			refusal = await refuseNumber(client, call, perNumber, false, calledHere);
		}
		if (isLimited(rules)) {
			this.rehearsal ??= new Map(countedCalls(nodeKeyOf(this.context)));
			refusal ??= count(this.rehearsal, key, rules.limits);
		}
		const { request, ...row } = this.refuse(call, refusal ?? dryRun(rules.dryRun));
		this.rehearsedTo.set(call.toPhone, [...calledHere, Date.now()]);
		this.rehearsed.set(same, row);
		return { ...row, request };
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

function isLimited({ limits }: CallingRules): boolean {
	return limits.perHour !== undefined || limits.perDay !== undefined;
}

/**
 * Why the rules refuse a call at a given time, in the order of docs/calling-rules.md. Limits
 * count, so they are checked last.
 */
export function refuseCall(
	{ countries, doNotCall, hours }: CallingRules,
	call: Pick<PlannedCall, 'toPhone' | 'asIs'>,
	now: Date,
): Refusal | undefined {
	return (
		refuseCountry(countries, call) ??
		(doNotCall && refuseListed(doNotCall, call)) ??
		(hours && refuseHours(hours, call, now))
	);
}

/** The row of a dry run for a call that nothing else prevents. @param advice how to place it */
function dryRun(advice = ''): Refusal {
	const reason = 'This is a dry run: nothing was sent and no phone rang';
	return { skippedAs: 'dryRun', reason, advice };
}
