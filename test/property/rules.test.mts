import fc from 'fast-check';
import { readPhoneNumber } from '../../nodes/CarrierLoadCommunications/calls/phone.ts';
import type { Refusal } from '../../nodes/CarrierLoadCommunications/calls/call.ts';
import { RulesReader } from '../../nodes/CarrierLoadCommunications/calls/rules/readRules.ts';
import { refuseCall } from '../../nodes/CarrierLoadCommunications/calls/rules/rules.ts';
import { InvalidParameter } from '../../nodes/shared/fields/invalidParameter.ts';
import { zonesOfNumber } from '../../nodes/CarrierLoadCommunications/calls/rules/zones.ts';
import { parametersOf } from '../unit/support/fields/parameters-of.mts';
import { claim } from './support/claim.mts';
import * as draw from './support/rules/cases.mts';
import { isOpenIn, zonesByHand } from './support/rules/judge.mts';

// To replay a failure: PROPERTY_SEED and PROPERTY_PATH, and `-t` with the name of the test.
const { RULES_RUNS = '100000', PROPERTY_SEED = '48213', PROPERTY_PATH } = process.env;
const settings = {
	numRuns: Number(RULES_RUNS),
	seed: Number(PROPERTY_SEED),
	...(PROPERTY_PATH !== undefined && { path: PROPERTY_PATH }),
};

const WORKFLOW_ZONE = 'America/Denver';

const drawnCall = fc.record({
	number: draw.drawnNumber,
	asIs: fc.boolean(),
	now: draw.moment,
	hours: draw.hours,
	zone: draw.hoursZone,
	countries: draw.countries,
	defaultCountry: draw.defaultCountry,
	listed: fc.array(fc.tuple(draw.listableNumber, draw.spelling), { maxLength: 4 }),
	// On every fifth list in which it can be.
	listsIt: fc.option(draw.spelling, { nil: undefined, freq: 4 }),
	separator: draw.separator,
	asList: fc.boolean(),
});
type DrawnCall = typeof drawnCall extends fc.Arbitrary<infer Call> ? Call : never;

const reader = new RulesReader({ mode: 'live', testNumber: '' });

/** The rules of a drawn call as the form stores them. */
function rulesOf({
	hours,
	zone,
	countries,
	listed,
	listsIt,
	separator,
	asList,
	number,
	defaultCountry,
}: DrawnCall) {
	const numbers = listed.map(([each, spell]) => spell(each, defaultCountry));
	if (listsIt && number.listable) numbers.push(listsIt(number, defaultCountry));
	return {
		hours: { range: { ...hours, ...(zone !== undefined && { zone }) } },
		...(countries && { allowedCountries: countries }),
		// A list may be empty, a text may not.
		doNotCall: asList || numbers.length === 0 ? numbers : numbers.join(separator),
	};
}

/** What the rules say about a drawn call at a moment. */
function refusalOf(call: DrawnCall, at = call.now) {
	const { number, asIs, defaultCountry } = call;
	const options = { defaultCountry, sendPhoneAsIs: asIs };
	const parameters = parametersOf({ rules: rulesOf(call), options }, { timezone: WORKFLOW_ZONE });
	const isReadable = asIs || number.exists;
	const toPhone = isReadable
		? readPhoneNumber({ text: number.e164, defaultCountry, asIs })
		: number.e164;
	return refuseCall(reader.read(parameters), { toPhone }, new Date(at));
}

/** The zones in which the hours must be open, by hand and by the published table. */
function zonesOf({ zone = 'phone', number }: DrawnCall): string[] {
	if (zone === 'workflow') return [WORKFLOW_ZONE];
	return zone === 'phone' ? zonesByHand(number.e164) : [zone];
}

const hasHours = ({ hours }: DrawnCall) => Object.keys(hours).length > 0;

/** Never one that costs extra. One that the numbering plans do not have can only be sent as typed. */
const isAllowed = ({ number, countries, defaultCountry }: DrawnCall) =>
	!(number.special && number.listable) &&
	(countries ?? ['US', 'CA', 'MX', defaultCountry]).includes(number.country);

const isListed = ({ listed, listsIt, number }: DrawnCall) =>
	(listsIt !== undefined && number.listable) || listed.some(([{ e164 }]) => e164 === number.e164);

const isOpen = (call: DrawnCall, at: number) =>
	!hasHours(call) || zonesOf(call).every((zone) => isOpenIn(zone, at, call.hours));

/** The rule that a refusal names. */
function ruleOf({ reason }: Refusal): 'Do Not Call' | 'Calling Hours' | 'Allowed Countries' {
	if (reason.endsWith('is on the do-not-call list')) return 'Do Not Call';
	const isTime = /^It is .* outside the calling hours|^The time zone of/.test(reason);
	return isTime ? 'Calling Hours' : 'Allowed Countries';
}

describe(`${RULES_RUNS} random calls`, () => {
	it('are placed only to allowed countries, unlisted numbers, and within the hours of all zones', () => {
		const seen = { passed: 0, country: 0, listed: 0, hours: 0 };
		fc.assert(
			fc.property(drawnCall, (call) => {
				const refusal = refusalOf(call);
				if (refusal === undefined) {
					seen.passed++;
					claim(isAllowed(call), 'the country of a placed call is allowed');
					claim(!isListed(call), 'the number of a placed call is not listed');
					claim(isOpen(call, call.now), 'a call is placed within the hours');
					return;
				}
				if (ruleOf(refusal) === 'Allowed Countries') {
					seen.country++;
					claim(!isAllowed(call), 'the country of a refused call is not allowed');
				} else if (ruleOf(refusal) === 'Do Not Call') {
					seen.listed++;
					claim(isListed(call), 'the number of a refused call is listed');
				} else {
					seen.hours++;
					claim(hasHours(call), 'a call refused by the hours has hours');
				}
			}),
			settings,
		);
		// A run in which one of the rules decides nothing proves nothing about it.
		expect(Math.min(...Object.values(seen))).toBeGreaterThan(Number(RULES_RUNS) / 100);
	});

	it('are rejected by the hours only while they are closed, and until the time that is reported', () => {
		fc.assert(
			fc.property(drawnCall, (call) => {
				const refusal = refusalOf(call);
				if (!refusal || ruleOf(refusal) !== 'Calling Hours') return;
				const zones =
					call.zone === 'phone' || call.zone === undefined
						? zonesOfNumber(call.number.e164)
						: zonesOf(call);
				const open = (at: number) =>
					zones.length > 0 && zones.every((zone) => isOpenIn(zone, at, call.hours));
				claim(!open(call.now), 'the hours that refuse a call are closed');
				const next = refusal.nextAllowedAt && Date.parse(refusal.nextAllowedAt);
				if (!next) return;
				claim(refusalOf(call, next) === undefined, 'the call may be placed when it says');
				claim(open(next), 'the hours are open when it says');
				const before = next - 60_000;
				claim(!open(before) || before < call.now, 'the hours are closed until then');
			}),
			{ ...settings, numRuns: Math.ceil(settings.numRuns / 4) },
		);
	});

	it('report the first time at which all zones are open, or no time if they never are', () => {
		fc.assert(
			fc.property(drawnCall, (call) => {
				const refusal = refusalOf(call);
				if (!refusal || ruleOf(refusal) !== 'Calling Hours') return;
				const zones =
					(call.zone ?? 'phone') === 'phone' ? zonesOfNumber(call.number.e164) : zonesOf(call);
				if (zones.length === 0) return;
				const next = refusal.nextAllowedAt ? Date.parse(refusal.nextAllowedAt) : undefined;
				const end = next ?? call.now + 8 * 24 * 3_600_000;
				const from = Math.ceil(call.now / 60_000) * 60_000;
				for (let at = from; at < end; at += 60_000) {
					const isOpenNow = zones.every((zone) => isOpenIn(zone, at, call.hours));
					if (isOpenNow) throw new Error(`open already at ${new Date(at).toISOString()}`);
				}
			}),
			{ ...settings, numRuns: Math.ceil(settings.numRuns / 400) },
		);
	});

	it('are not placed to a number that may be meant by an ambiguous list entry', () => {
		const odd = fc.tuple(draw.listableNumber, draw.oddSpelling, draw.defaultCountry);
		let unreadable = 0;
		fc.assert(
			fc.property(odd, ([number, spell, defaultCountry]) => {
				const rules = {
					doNotCall: spell(number, defaultCountry),
					allowedCountries: [number.country],
				};
				const parameters = parametersOf({ rules, options: { defaultCountry } });
				try {
					const refusal = refuseCall(reader.read(parameters), { toPhone: number.e164 }, new Date());
					const rule = refusal && ruleOf(refusal);
					claim(rule === 'Do Not Call' || rule === 'Allowed Countries', 'the call is refused');
				} catch (error) {
					if (!(error instanceof InvalidParameter)) throw error;
					unreadable++;
				}
			}),
			{ ...settings, numRuns: Math.ceil(settings.numRuns / 10) },
		);
		expect(unreadable).toBeGreaterThan(settings.numRuns / 20);
	}, 600_000);
});
