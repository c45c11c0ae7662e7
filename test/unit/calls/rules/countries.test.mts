import { refuseCountry } from '../../../../nodes/CarrierLoadCommunications/calls/rules/countries.ts';

const DEFAULT = { codes: new Set(['US', 'CA', 'MX']), chosen: false };
const chosen = (...codes: string[]) => ({ codes: new Set(codes), chosen: true });

const refuse = (toPhone: string, allowed = DEFAULT, asIs = false) =>
	refuseCountry(allowed, { toPhone, asIs });

describe('the allowed countries', () => {
	it.each([
		'+13125550188',
		'+14165550188',
		'+525512345678',
		'+18005550188',
		'+13125550188;ext=204',
	])('include %s by default', (toPhone) => {
		expect(refuse(toPhone)).toBeUndefined();
	});

	it.each([
		['+18765550188', 'a number of Jamaica'],
		['+17875550188', 'a number of Puerto Rico'],
		['+12423225500', 'a number of Bahamas'],
		['+442079460958', 'a number of United Kingdom'],
		['+77012345678', 'a number of Kazakhstan'],
	])('go by the real country: %s is rejected as %s', (toPhone, why) => {
		expect(refuse(toPhone)?.reason).toMatch(why);
	});

	it('can be extended', () => {
		expect(refuse('+18765550188', chosen('JM'))).toBeUndefined();
		expect(refuse('+13125550188', chosen('JM'))?.reason).toMatch('a number of United States');
	});

	it.each([
		['+19005550188', 'US', 'a premium-rate number'],
		['+13129761234', 'US', 'a pay-per-call number'],
		['+15005550006', 'US', 'a personal number'],
		['+529001234567', 'MX', 'a premium-rate number'],
		['+448712345678', 'GB', 'a premium-rate number'],
		['+491805123456', 'DE', 'a shared-cost number'],
		['+870773111632', '001', 'a satellite or international network number'],
		['+881612345678', '001', 'a satellite or international network number'],
		['+88213123456', '001', 'a satellite or international network number'],
		['+979123456789', '001', 'a satellite or international network number'],
		['+80812345678', '001', 'a satellite or international network number'],
		['+19992345678', 'US', "not in its country's numbering plan"],
	])('reject %s of %s, %s, unless number and country are confirmed', (toPhone, country, why) => {
		expect(refuse(toPhone, chosen(country))?.reason).toMatch(why);
		expect(refuse(toPhone, { codes: new Set([country]), chosen: false }, true)?.reason).toMatch(
			why,
		);
		expect(refuse(toPhone, chosen('NO'), true)?.reason).toMatch(why);
		expect(refuse(toPhone, chosen(country), true)).toBeUndefined();
	});

	it('say what to change', () => {
		expect(refuse('+18765550188')).toEqual({
			reason: '+18765550188 is a number of Jamaica, which is not an allowed country',
			advice: 'Correct the number, or add Jamaica to Allowed Countries (Safety)',
		});
	});
});
