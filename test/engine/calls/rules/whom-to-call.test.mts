import { driver, drivers } from '../../support/calls/dispatch.mts';
import { useDispatch, withRules } from '../../support/calls/use-dispatch.mts';

// What people give as rules and numbers in the field: each case once rang a phone that it should not have, or
// kept one from ringing that it should have.

const dispatch = useDispatch();
const run = withRules(dispatch);

describe('a do-not-call list that is the rows of a table', () => {
	const rows = "={{ $('Start').all() }}";

	it('is read from the column with the number, in upper or lower case', async () => {
		const { e164, load } = driver();
		const items = [{ Phone: `${e164} (John)`, name: 'John', load }];
		const parameters = { toPhone: '={{ $json.Phone.split(" ")[0] }}' };
		const { items: ended } = await run({ doNotCall: rows }, parameters, { items });
		expect(ended).toMatchObject([{ placement: 'doNotCall', toPhone: e164 }]);
		expect(dispatch.dialed()).toEqual([]);
	});

	it.each([{ phoen: '(312) 555-0188' }, { error: 'The table could not be read' }])(
		'fails before the first call if a row has no readable number, and names the row: %j',
		async (row) => {
			const items = [driver(), { ...row, load: 'L' }];
			const parameters = { toPhone: '(312) 555-0150' };
			const { error } = await run({ doNotCall: rows }, parameters, { items });
			expect(error?.message).toMatch(/^No phone rang\..*Do Not Call .*in row 2/);
			expect(dispatch.sandbox.ledger.requests()).toEqual([]);
		},
	);
});

it('all items that the rules refuse are listed before the first call, with number and rule', async () => {
	const [listed, called] = drivers(2);
	const items = [listed, called, { ...driver(), phone: '+1 876 555 0188' }].map((one) => ({
		...one,
	}));
	const rules = { doNotCall: listed?.phone, onDoNotCall: 'error' };
	const { error } = await run(rules, {}, { items });
	expect(error?.message).toBe('No phone rang. 2 of 3 items cannot be called');
	expect(error?.description).toMatch(
		new RegExp(`Item 0: .*\\${listed?.e164} is on the do-not-call list.*Item 2: .*of Jamaica`),
	);
	expect(dispatch.dialed()).toEqual([]);
});

describe('a number with an area code that the library does not know', () => {
	const toPhone = '(436) 555-0188';

	it('is called, and a hint names the code', async () => {
		const { items, hints } = await run({}, { toPhone });
		expect(items).toMatchObject([{ placement: 'placed', toPhone: '+14365550188' }]);
		expect(hints.map(({ message }) => message).join()).toMatch('area code 436, which may be new');
	});

	it('has the zones of the contiguous United States and Canada', async () => {
		// It is never 8 AM to 8:01 AM in all of them.
		const { error } = await run({ hoursFrom: '08:00', hoursTo: '08:01' }, { toPhone });
		expect(error?.description).toMatch(/America\/Los_Angeles/);
		expect(error?.description).toMatch(/America\/St_Johns/);
		expect(error?.description).not.toMatch(/Honolulu/);
	});
});

it('Send Phone Number as Typed does not pass the do-not-call list in another spelling', async () => {
	const rules = { doNotCall: '+44 20 7946 0958', allowedCountries: ['GB'] };
	const parameters = { toPhone: '+4402079460958', options: { sendPhoneAsIs: true } };
	expect((await run(rules, parameters)).items).toMatchObject([{ placement: 'doNotCall' }]);
	expect(dispatch.dialed()).toEqual([]);
});

it('a number in American groups needs its country code if the default country is Mexico', async () => {
	const options = { defaultCountry: 'MX' };
	const { error } = await run({}, { toPhone: '(312) 555-0188', options });
	expect(`${error?.message} ${error?.description}`).toMatch(
		'is grouped like a US number; start it with +1, or with +52',
	);
	const { items } = await run({}, { toPhone: '+1 (312) 555-0188', options });
	expect(items).toMatchObject([{ placement: 'placed', toPhone: '+13125550188' }]);
});
