import { refuseCountry } from '../../../../nodes/CarrierLoadCommunications/calls/rules/rules.ts';

const refuse = (toPhone: string, ...allowed: string[]) =>
	refuseCountry(new Set(allowed.length > 0 ? allowed : ['US', 'CA', 'MX']), { toPhone });

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
		expect(refuse('+18765550188', 'JM')).toBeUndefined();
		expect(refuse('+13125550188', 'JM')?.reason).toMatch('a number of United States');
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
	])('never include %s of %s, %s', (toPhone, country, why) => {
		expect(refuse(toPhone, country)?.reason).toMatch(why);
	});

	it('include a number in no numbering plan, which can only be sent as typed', () => {
		expect(refuse('+19992345678')).toBeUndefined();
		expect(refuse('+19992345678', 'MX')?.reason).toMatch('a number of United States');
		expect(refuse('+9991234567')?.reason).toMatch('a number of an unknown country');
	});

	it('say what to change', () => {
		expect(refuse('+18765550188')).toEqual({
			reason: '+18765550188 is a number of Jamaica, which is not an allowed country',
			advice: 'Correct the number, or add Jamaica to Allowed Countries (Safety)',
		});
	});
});
