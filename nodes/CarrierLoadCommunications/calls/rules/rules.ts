import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { runsAsTool } from '../../../shared/fields/parameters';
import type { ServiceClient } from '../../../shared/service/client';
import type { PlannedCall, Refusal } from '../call';
import { CallProblem } from '../callErrors';
import { nodeKeyOf } from '../keys';
import { hasNewAreaCode, withoutExtension } from '../phone';
import { countryName } from '../phoneFields';
import { parsePhoneNumberFromString } from '../phoneLibrary';
import { rehearsedRow, skippedRow } from '../dryRun';
import type { CallingRules } from '../item';
import { refuseListed } from './doNotCall';
import { refuseHours } from './hours';
import { countedCalls, refuseLimits, type CountedCalls } from './limits';

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
	/** Those of a dry run's calls that wait for their hours. */
	private readonly waiting = new Set<string>();

	constructor(private readonly context: IExecuteFunctions) {}

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
		const { skippedAs, reason, inShort = reason } = refusal;
		const isFirst = !this.waiting.has(sameCall(call));
		if (skippedAs !== 'outsideHours' || call.skipWithinMs === undefined) return refusal;
		this.waiting.add(sameCall(call));
		if (isFirst) return refusal;
		const same = { inShort: `same call as an earlier row, and ${inShort}` };
		return { ...refusal, ...same, reason: `${reason}. ${SAME_CALL}` };
	}

	/**
	 * The same for a call that is about to be requested. The number's earlier calls may prevent it, and
	 * the first time, it counts for the node's limits.
	 */
	async admit(client: ServiceClient, call: PlannedCall, rules: CallingRules, isLate: boolean) {
		const skipped = this.apply(call, rules);
		if (skipped || !hasLimit(rules)) return skipped;
		this.counted ??= countedCalls(nodeKeyOf(this.context));
		const refusal = await refuseLimits(client, call, rules.limits, this.counted, {
			isLate,
			zone: this.context.getTimezone(),
		});
		return refusal && this.refuse(call, refusal);
	}

	/** A call was certainly not placed, and does not count. */
	release({ identity }: PlannedCall): void {
		this.counted?.delete(identity.key);
	}

	/** The row of a dry run's call, which is neither reserved nor counted. @throws CallProblem */
	async rehearse(client: ServiceClient, call: PlannedCall, rules: CallingRules) {
		const skipped = this.apply(call, rules);
		if (skipped) return skipped;
		const same = sameCall(call);
		const earlier = call.skipWithinMs === undefined ? undefined : this.rehearsed.get(same);
		if (earlier) {
			const result = 'Skipped: same call as an earlier row';
			const placementReason = `${SAME_CALL}.`;
			return { ...earlier, placement: 'skippedDuplicate', placementReason, result };
		}
		let refusal: Refusal | undefined;
		if (hasLimit(rules)) {
			this.rehearsal ??= new Map(countedCalls(nodeKeyOf(this.context)));
			const { rehearsal, rehearsedTo } = this;
			const rehearsed = rehearsedTo.get(call.toPhone);
			const zone = this.context.getTimezone();
			refusal = await refuseLimits(client, call, rules.limits, rehearsal, { rehearsed, zone });
		}
		const { request, ...row } = this.refuse(call, refusal ?? dryRun(rules.dryRun));
		const times = this.rehearsedTo.get(call.toPhone) ?? [];
		this.rehearsedTo.set(call.toPhone, [...times, Date.now()]);
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
			return skippedRow(call, skippedAs, why);
		}
		const what = `The ${call.identity.what} was not placed: ${reason}`;
		throw new CallProblem(what, told, nextAllowedAt, inShort);
	}
}

const SAME_CALL = 'An earlier item of this dry run is the same call';

/** What the duplicate guard compares. */
function sameCall({ identity }: PlannedCall): string {
	return `${identity.phoneKey} ${identity.duplicateKey}`;
}

function hasLimit({ limits }: CallingRules): boolean {
	return Object.values(limits).some((most) => most !== undefined);
}

/**
 * Why the rules refuse a call at a given time, in the order of docs/calling-rules.md. Limits
 * count, so they are checked last.
 */
export function refuseCall(
	{ countries, doNotCall, hours }: CallingRules,
	call: Pick<PlannedCall, 'toPhone'>,
	now: Date,
): Refusal | undefined {
	return (
		refuseCountry(countries, call) ??
		(doNotCall && refuseListed(doNotCall, call)) ??
		(hours && refuseHours(hours, call, now))
	);
}

/** Number types that cost extra, in libphonenumber's terms. */
const PAID_TYPES = new Map([
	['PREMIUM_RATE', 'a premium-rate number'],
	['SHARED_COST', 'a shared-cost number'],
	['PERSONAL_NUMBER', 'a personal number, which is billed like a premium-rate number'],
]);

/** Pay-per-call numbers within every US area code, which libphonenumber treats as ordinary. */
const PAY_PER_CALL = /^\+1\d{3}976\d{4}$/;

/**
 * Refuses a number that costs extra or belongs to no country, and one of a country that is not
 * allowed: its own, not that of its country code (+1 876 is Jamaica).
 */
export function refuseCountry(
	allowed: ReadonlySet<string>,
	{ toPhone }: Pick<PlannedCall, 'toPhone'>,
): Refusal | undefined {
	const e164 = withoutExtension(toPhone);
	const parsed = parsePhoneNumberFromString(e164);
	let special = PAID_TYPES.get(parsed?.getType() ?? '');
	if (PAY_PER_CALL.test(e164)) special = 'a pay-per-call number';
	if (parsed?.isNonGeographic()) special = 'a satellite or international network number';
	if (special !== undefined) {
		const advice = 'Correct the number: such numbers are never called';
		return { reason: `${toPhone} is ${special}`, advice };
	}
	// A number in no numbering plan is assumed to belong to its country code's main country.
	const known = parsed?.country ?? parsed?.getPossibleCountries()[0];
	const country = hasNewAreaCode(e164) ? 'US' : known;
	if (country !== undefined && allowed.has(country)) return undefined;
	const name = country === undefined ? 'an unknown country' : countryName(country);
	return {
		reason: `${toPhone} is a number of ${name}, which is not an allowed country`,
		advice: `Correct the number, or add ${name} to Allowed Countries (Safety)`,
	};
}

/** The row of a dry run for a call that nothing else prevents. @param advice how to place it */
function dryRun(advice = ''): Refusal {
	return { skippedAs: 'dryRun', reason: 'No phone rang', advice };
}
