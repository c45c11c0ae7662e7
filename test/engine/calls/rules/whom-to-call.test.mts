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
		const items = [{ Phone: e164, name: 'John', load }];
		const parameters = { toPhone: '={{ $json.Phone }}' };
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
		new RegExp(`Row 1: .*\\${listed?.e164} is on the do-not-call list.*Row 3: .*of Jamaica`),
	);
	expect(dispatch.dialed()).toEqual([]);
});

describe('a do-not-call list that an expression turned into nothing', () => {
	const isOff = 'Do Not Call is empty';

	it.each([
		["={{ '' }}", isOff],
		["={{ ' , , ' }}", isOff],
		['={{ "\\n\\n" }}', isOff],
		["={{ $('Start').all().map((row) => row.json.Telefono).join(', ') }}", isOff],
		["={{ $('Start').all().map((row) => row.json.Telefono) }}", 'is a list of 2 empty values'],
	])('is an error that names the rule, and no phone rings: %s', async (doNotCall, why) => {
		const { error } = await run({ doNotCall }, {}, { items: drivers(2) });
		expect(error?.message).toMatch('No phone rang.');
		expect(error?.message).toContain(why);
		expect(dispatch.sandbox.ledger.requests()).toEqual([]);
	});

	it('places the call if it is the empty list of an empty table', async () => {
		expect((await run({ doNotCall: '={{ [] }}' })).items).toMatchObject([{ placement: 'placed' }]);
	});

	it('names the line of a text that has an unreadable entry', async () => {
		const { error } = await run({ doNotCall: '(312) 555-0150\n\nLuis' });
		expect(error?.message).toMatch(
			'Do Not Call has an entry in line 3 that is not a phone number; correct it or remove it (it is "Luis")',
		);
		expect(dispatch.dialed()).toEqual([]);
	});
});

describe('a number with an area code that the library does not know', () => {
	const toPhone = '(436) 555-0188';

	it('is called', async () => {
		const { items } = await run({}, { toPhone });
		expect(items).toMatchObject([{ placement: 'placed', toPhone: '+14365550188' }]);
	});

	// Live codes that the library lacks, some of which are Mexican area codes, too.
	it.each([436, 861, 621, 679, 357, 457, 471, 483, 624, 729, 837])(
		'%i needs a country code if the default country is Mexico',
		async (code) => {
			const options = { defaultCountry: 'MX' };
			const { error } = await run({}, { toPhone: `(${code}) 555-0188`, options });
			expect(error?.message).toMatch('is grouped like a US number; start it with +1, or with +52');
			expect(dispatch.dialed()).toEqual([]);
			const { items } = await run({}, { toPhone: `+1 (${code}) 555-0188`, options });
			expect(items).toMatchObject([{ placement: 'placed', toPhone: `+1${code}5550188` }]);
		},
	);

	it('has the zones of the contiguous United States and Canada', async () => {
		// It is never 8 AM to 8:01 AM in all of them.
		const { error } = await run({ hours: { range: { from: '08:00', to: '08:01' } } }, { toPhone });
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

it('001 in front of a US number is how most of the world dials it', async () => {
	const { items } = await run({}, { toPhone: '001 312 555 0177' });
	expect(items).toMatchObject([{ placement: 'placed', toPhone: '+13125550177' }]);
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
