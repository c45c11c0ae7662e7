import type { Caps } from './caps/callCaps';
import { refuseHours, type CallingHours } from './callingHours';
import { refuseCountry, type AllowedCountries } from './countries';
import { refuseListed, type DoNotCall } from './doNotCall';
import type { Refusal, RuledCall } from './refusal';

export interface CallingRules {
	/** E.164 number to call instead of the item's. */
	testNumber: string | undefined;
	countries: AllowedCountries;
	doNotCall: DoNotCall;
	hours: CallingHours | undefined;
	caps: Caps;
	dryRun: boolean;
}

/**
 * Why the rules refuse a call at a given time, in the order of docs/calling-rules.md. Caps count, so
 * they are checked last (CallCaps).
 */
export function refuseCall(rules: CallingRules, call: RuledCall, now: Date): Refusal | undefined {
	return (
		refuseCountry(rules.countries, call) ??
		refuseListed(rules.doNotCall, call) ??
		refuseHours(rules.hours, call, now)
	);
}

/** The row of a dry run for a call that nothing else prevents. */
export const DRY_RUN: Refusal = {
	skippedAs: 'dryRun',
	reason: 'This is a dry run: nothing was sent and no phone rang',
	advice: 'To place the call, turn off Dry Run (Calling Rules)',
};
