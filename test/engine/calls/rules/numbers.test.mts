import { drivers } from '../../support/calls/dispatch.mts';
import { useDispatch, withRules } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();
const run = withRules(dispatch);

const onError = (how: 'continueErrorOutput' | 'continueRegularOutput') => ({
	node: { onError: how },
});

describe('Do Not Call', () => {
	it('skips listed numbers in any format, and places the other calls', async () => {
		const three = drivers(3);
		const doNotCall = [`1 ${three[1]?.phone} x7`];
		const { items } = await run({ doNotCall }, {}, { items: three });
		expect(items).toMatchObject([
			{ placement: 'placed' },
			{
				...{ placement: 'doNotCall', toPhone: three[1]?.e164 },
				result: 'Not called: on the do-not-call list',
			},
			{ placement: 'placed' },
		]);
		expect(dispatch.dialed()).toEqual([three[0]?.e164, three[2]?.e164]);
	});

	it('knows a number that was copied with invisible marks, which can also be called', async () => {
		const [listed, called] = drivers(2);
		const marked = (phone = '') => `\u202a${phone}\u202c`;
		const items = [listed, { ...called, phone: marked(called?.phone) }].map((one) => ({ ...one }));
		const { items: rows } = await run({ doNotCall: marked(listed?.phone) }, {}, { items });
		expect(rows).toMatchObject([{ placement: 'doNotCall' }, { placement: 'placed' }]);
		expect(dispatch.dialed()).toEqual([called?.e164]);
	});

	it('fails listed items if set to, and places the other calls', async () => {
		const three = drivers(3);
		const rules = { doNotCall: `${three[1]?.e164};ext=7`, onDoNotCall: 'error' };
		const { output } = await run(rules, {}, { items: three, ...onError('continueErrorOutput') });
		expect(output(0)).toHaveLength(2);
		expect(output(1)).toMatchObject([
			{ json: { error: expect.stringMatching(/^No phone rang\..*on the do-not-call list/) } },
		]);
		expect(dispatch.dialed()).toEqual([three[0]?.e164, three[2]?.e164]);
	});

	it('stops the node if set to, and no phone rings', async () => {
		const two = drivers(2);
		const rules = { doNotCall: `${two[1]?.e164}`, onDoNotCall: 'error' };
		const { error } = await run(rules, {}, { items: two });
		expect(error?.message).toMatch('is on the do-not-call list');
		expect(dispatch.dialed()).toEqual([]);
	});
});

describe('Allowed Countries', () => {
	it('are the United States, Canada, Mexico and the default country', async () => {
		const numbers = ['+13125550100', '+14165550100', '+525512345678', '+442079460958'];
		const items = numbers.map((phone, index) => ({ phone, load: `C${index}` }));
		const inBritain = { options: { defaultCountry: 'GB' } };
		expect((await run({}, inBritain, { items })).error).toBeUndefined();
		expect(dispatch.dialed()).toEqual(numbers);
		const { error } = await run({}, {}, { items });
		expect(error?.message).toMatch('a number of United Kingdom, which is not an allowed country');
	});

	it('fail items with numbers of other countries, and place the other calls', async () => {
		const numbers = ['+13125550100', '+18765550100', '+17875550100', '+525512345678'];
		const items = numbers.map((phone, index) => ({ phone, load: `D${index}` }));
		const chosen = { allowedCountries: ['US', 'JM'] };
		const { output } = await run(chosen, {}, { items, ...onError('continueErrorOutput') });
		expect(dispatch.dialed()).toEqual(['+13125550100', '+18765550100']);
		expect(output(1)).toMatchObject(
			['Puerto Rico', 'Mexico'].map((country) => ({
				json: { error: expect.stringContaining(`a number of ${country}`) },
			})),
		);
	});

	it.each([
		...['+1 900 555 0188', '+1 312 976 1234', '+1 500 555 0188', '+52 900 123 4567'],
		...['+44 871 234 5678', '+44 9011 234567', '+49 180 1234567', '+44 70 1234 5678'],
		...['+870 773 111 632', '+881 612 345 678', '+882 16 1234 5678', '+883 5100 1234 5678'],
		...['+979 123 456 789', '+808 1234 5678'],
	])('never include numbers that cost extra or have no country: %s', async (toPhone) => {
		for (const rules of [{}, { allowedCountries: ['US', 'MX', 'GB', 'DE', '001'] }]) {
			const { error } = await run(rules, { toPhone });
			expect(error?.message).toMatch(/^No phone rang\./);
		}
		const asTyped = { toPhone: toPhone.replaceAll(' ', ''), options: { sendPhoneAsIs: true } };
		expect((await run({}, asTyped)).error?.message).toMatch(/^No phone rang\./);
		expect(dispatch.dialed()).toEqual([]);
	});

	it('must be given together with Send Phone Number as Typed for a premium-rate number', async () => {
		const premium = { toPhone: '+19005550188' };
		const asTyped = { ...premium, options: { sendPhoneAsIs: true } };
		const chosen = { allowedCountries: ['US'] };
		for (const [rules, fields] of [
			[{}, premium],
			[chosen, premium],
			[{}, asTyped],
		] as const) {
			expect((await run(rules, fields)).error?.message).toMatch('a premium-rate number');
		}
		expect(dispatch.dialed()).toEqual([]);
		expect((await run(chosen, asTyped)).items).toMatchObject([{ placement: 'placed' }]);
	});
});
