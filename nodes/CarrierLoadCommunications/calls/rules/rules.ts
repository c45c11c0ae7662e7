import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../../shared/service/client';
import type { PlannedCall, Refusal } from '../call';
import { nodeKeyOf } from '../keys';
import { hasNewAreaCode, withoutExtension } from '../phone';
import { countryName } from '../phoneFields';
import { parsePhoneNumberFromString } from '../phoneLibrary';
import { refusedRow } from '../uncalledRow';
import type { CallingRules } from '../item';
import { refuseListed } from './doNotCall';
import { refuseHours } from './hours';
import { countedCalls, refuseLimits, type CountedCalls } from './limits';
import { Rehearsal } from './rehearsal';

/** The calling rules in a run of the node: when an item is planned, and before it is dialed. */
export class RunRules {
	private counted: CountedCalls | undefined;
	private rehearsal: Rehearsal | undefined;

	constructor(private readonly context: IExecuteFunctions) {}

	/** The row of an item whose call must be skipped now. @throws CallProblem if a rule makes the item fail */
	apply(call: PlannedCall, rules: CallingRules): IDataObject | undefined {
		const refusal = refuseCall(rules, call, new Date());
		if (refusal === undefined) return undefined;
		if (rules.dryRun === undefined) return refusedRow(this.context, call, refusal);
		return this.rehearsed.refuse(call, refusal);
	}

	/**
	 * The same for a call that is about to be requested. The number's earlier calls may prevent it, and
	 * the first time, it counts for the node's limits.
	 */
	async admit(client: ServiceClient, call: PlannedCall, rules: CallingRules, isLate: boolean) {
		const skipped = this.apply(call, rules);
		if (skipped || !hasLimit(rules)) return skipped;
		this.counted ??= countedCalls(nodeKeyOf(this.context));
		const zone = this.context.getTimezone();
		const more = { isLate, zone };
		const refusal = await refuseLimits(client, call, rules.limits, this.counted, more);
		return refusal && refusedRow(this.context, call, refusal);
	}

	/** A call was certainly not placed, and does not count. */
	release({ identity }: PlannedCall): void {
		this.counted?.delete(identity.key);
	}

	/** The row of a dry run's call, which is neither reserved nor counted. @throws CallProblem */
	async rehearse(client: ServiceClient, call: PlannedCall, rules: CallingRules) {
		const limits = hasLimit(rules) ? rules.limits : undefined;
		return (
			this.apply(call, rules) ?? (await this.rehearsed.rehearse(client, call, limits, rules.dryRun))
		);
	}

	private get rehearsed(): Rehearsal {
		return (this.rehearsal ??= new Rehearsal(this.context));
	}
}

function hasLimit({ limits }: CallingRules): boolean {
	return Object.values(limits).some((most) => most !== undefined);
}

/** Why the rules refuse a call, in the order of docs/calling-rules.md. Limits count, so they come last. */
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
