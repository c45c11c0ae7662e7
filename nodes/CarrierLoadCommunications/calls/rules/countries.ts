import { countryName, hasNewAreaCode, withoutExtension } from '../phone';
import { parsePhoneNumberFromString } from '../phoneLibrary';
import type { PlannedCall, Refusal } from '../call';

/** For numbers of no country, such as those of satellite phones (as in libphonenumber). */
export const NO_COUNTRY = '001';

export const NO_COUNTRY_NAME = 'Satellite and International Networks';

export interface AllowedCountries {
	/** ISO 3166 codes; NO_COUNTRY for numbers of no country. */
	codes: ReadonlySet<string>;
	/** Whether the user chose them, rather than the default. */
	chosen: boolean;
}

/** Number types that cost extra, in libphonenumber's terms. */
const PAID_TYPES: Readonly<Record<string, string>> = {
	PREMIUM_RATE: 'a premium-rate number',
	SHARED_COST: 'a shared-cost number',
	PERSONAL_NUMBER: 'a personal number, which is billed like a premium-rate number',
};

/** Pay-per-call numbers within every US area code, which libphonenumber treats as ordinary. */
const PAY_PER_CALL = /^\+1\d{3}976\d{4}$/;

const VOUCH = 'turn on the option Send Phone Number as Typed';

/**
 * Refuses a number of a country that may not be called: its own, not that of its country code (+1 876
 * is Jamaica). Numbers that cost extra, belong to no country, or are in no numbering plan are refused
 * unless the user confirmed the number and chose its country.
 */
export function refuseCountry(
	allowed: AllowedCountries,
	call: Pick<PlannedCall, 'toPhone' | 'asIs'>,
): Refusal | undefined {
	const { country, special } = originOf(withoutExtension(call.toPhone));
	const isListed = country !== undefined && allowed.codes.has(country);
	if (special === undefined) {
		if (isListed) return undefined;
		return {
			reason: `${call.toPhone} is a number of ${nameOf(country)}, which is not an allowed country`,
			advice: `Correct the number, or add ${nameOf(country)} to Allowed Countries (Safety)`,
		};
	}
	if (isListed && call.asIs && allowed.chosen) return undefined;
	return {
		reason: `${call.toPhone} is ${special}`,
		advice: `Correct the number. To call it anyway, ${VOUCH} and choose ${nameOf(country)} in Allowed Countries (Safety)`,
	};
}

/** A number's country, and half a sentence about what is special about it. */
function originOf(e164: string): { country?: string | undefined; special?: string } {
	if (hasNewAreaCode(e164)) return { country: 'US' };
	const parsed = parsePhoneNumberFromString(e164);
	if (parsed === undefined) return { special: 'not in any numbering plan' };
	if (parsed.isNonGeographic()) {
		return { country: NO_COUNTRY, special: 'a satellite or international network number' };
	}
	// A number in no numbering plan is assumed to belong to its country code's main country.
	const country = parsed.country ?? parsed.getPossibleCountries()[0];
	const type = parsed.getType();
	if (type === undefined) return { country, special: "not in its country's numbering plan" };
	const paid = PAY_PER_CALL.test(e164) ? 'a pay-per-call number' : PAID_TYPES[type];
	return { country, ...(paid !== undefined && { special: paid }) };
}

function nameOf(country: string | undefined): string {
	if (country === undefined) return 'its country';
	return country === NO_COUNTRY ? NO_COUNTRY_NAME : countryName(country);
}
