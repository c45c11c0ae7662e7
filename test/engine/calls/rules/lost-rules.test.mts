import type { INodeParameters } from 'n8n-workflow';
import { driver, drivers } from '../../support/calls/dispatch.mts';
import { hoursRule, useDispatch, withRules } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();
const run = withRules(dispatch);
const day = { from: '08:00', to: '20:00' };

describe('rules from one expression', () => {
	it.each([
		['an object', '={{ ({ doNotCall: $json.phone }) }}'],
		['an object of the item', '={{ $json.rules }}'],
		['an object of text', '={{ JSON.parse(JSON.stringify($json.rules)) }}'],
	])('apply like those of the form: %s', async (_case, rules) => {
		const one = driver();
		const items = [{ ...one, rules: { doNotCall: one.phone } }];
		const { items: rows, error } = await dispatch.run({ rules }, { items });
		expect(error).toBeUndefined();
		expect(rows).toMatchObject([{ placement: 'doNotCall' }]);
		expect(dispatch.dialed()).toEqual([]);
	});

	it('can differ between items', async () => {
		const [first] = drivers(1);
		const items = drivers(2).map((one, index) => ({
			...one,
			rules: { doNotCall: index === 0 ? one.phone : first?.phone },
		}));
		const { items: rows } = await dispatch.run({ rules: '={{ $json.rules }}' }, { items });
		expect(rows).toMatchObject([{ placement: 'doNotCall' }, { placement: 'placed' }]);
		expect(dispatch.dialed()).toEqual([items[1]?.e164]);
	});

	it.each<{ rules: INodeParameters['rules'] }>([
		...[{ rules: '={{ $json.missing }}' }, { rules: '={{ null }}' }, { rules: "={{ '' }}" }],
		...[{ rules: '={{ [{ maxCalls: 1 }] }}' }, { rules: '={{ true }}' }, { rules: true }],
		{ rules: '={{ JSON.stringify({ maxCalls: 1 }) }}' },
		...[{ rules: '{"maxCalls": 1}' }, { rules: ['maxCalls'] }],
	])('stop the node before the first call if they are not an object: %j', async ({ rules }) => {
		const { error } = await dispatch.run({ rules });
		expect(error?.message).toMatch(/^No phone rang\. Safety must be an object/);
		expect(dispatch.sandbox.ledger.requests()).toEqual([]);
	});

	it('fail the items without rules', async () => {
		const items = drivers(2).map((one, index) => ({ ...one, ...(index === 0 && { rules: {} }) }));
		const { error } = await dispatch.run({ rules: '={{ $json.rules }}' }, { items });
		expect(error?.message).toMatch('Safety must be an object (it is empty)');
		expect(dispatch.dialed()).toEqual([]);
	});
});

describe('a rule with a misspelled name', () => {
	it.each<[string, INodeParameters['rules']]>([
		['maxcalls', { maxcalls: 1 }],
		['max_calls', '={{ ({ max_calls: 1 }) }}'],
		['doNotCallList', { doNotCallList: '+13125550188' }],
	])('is an error, and no phone rings: %s', async (name, rules) => {
		const { error } = await dispatch.run({ rules });
		expect(error?.message).toMatch(`No phone rang. Safety has no field "${name}"`);
		expect(dispatch.dialed()).toEqual([]);
	});
});

describe('options from one expression', () => {
	it('apply', async () => {
		const options = "={{ ({ defaultCountry: 'MX' }) }}";
		const { items } = await dispatch.run({ options, toPhone: '55 1234 5678' });
		expect(items).toMatchObject([{ toPhone: '+525512345678' }]);
	});

	it('are an error if a name is misspelled', async () => {
		const options = "={{ ({ defaultcountry: 'MX' }) }}";
		const { error } = await dispatch.run({ options, toPhone: '312 555 0188' });
		expect(error?.message).toMatch('No phone rang. Options has no field "defaultcountry"');
		expect(dispatch.dialed()).toEqual([]);
	});

	it.each(['={{ $json.missing }}', '{"defaultCountry": "MX"}', ['MX'], true])(
		'stop the node before the first call if they are not an object: %j',
		async (options) => {
			const { error } = await dispatch.run({ options });
			expect(error?.message).toMatch(/^No phone rang\. [Oo]ptions must be an object/);
			expect(dispatch.dialed()).toEqual([]);
		},
	);

	it.each([null, '={{ $json.missing }}', ' '])(
		'stop it even if only the default country is empty: %j',
		async (defaultCountry) => {
			const { error } = await dispatch.run({ options: { defaultCountry } });
			expect(error?.message).toMatch('No phone rang. Default Country is empty');
			expect(dispatch.dialed()).toEqual([]);
		},
	);
});

it.each<[string, INodeParameters]>([
	['Calls per Minute', { options: { callsPerMinute: '={{ $json.missing }}' } }],
])('no phone rings if the expression of %s returns nothing', async (label, parameters) => {
	const { error } = await dispatch.run(parameters);
	expect(error?.message).toContain(`No phone rang. ${label} is empty: its expression`);
	expect(dispatch.dialed()).toEqual([]);
});

describe('additional fields from one expression', () => {
	it('are sent', async () => {
		const additionalFields = "={{ ({ waitingAtFacility: true, contactName: 'Dana' }) }}";
		await dispatch.run({ additionalFields });
		const sent = dispatch.sandbox.ledger.requests('triggerCheckCall').map(({ body }) => body);
		expect(sent).toMatchObject([{ waitingAtFacility: true, contactName: 'Dana' }]);
	});

	it('are an error if a name is misspelled', async () => {
		const additionalFields = "={{ ({ contact_type: 'dispatcher' }) }}";
		const { error } = await dispatch.run({ additionalFields });
		expect(error?.message).toMatch(
			'No phone rang. More Fields has no field "contact_type"; the fields are ',
		);
		expect(dispatch.dialed()).toEqual([]);
	});
});

describe('metadata from one expression', () => {
	const sent = () => dispatch.sandbox.ledger.requests('triggerCheckCall').map(({ body }) => body);

	it('is sent', async () => {
		const metadata = "={{ ({ entry: [{ key: 'team', value: 'west' }, { key: 'empty' }] }) }}";
		await dispatch.run({ metadata, options: { addReference: false } });
		expect(sent()).toMatchObject([{ metadata: { team: 'west', empty: '' } }]);
	});

	it.each([
		["={{ ({ team: 'west' }) }}", 'must have its rows under "entry"; for an object, set Metadata'],
		["={{ [{ key: 'team' }] }}", 'must be an object'],
		['={{ $json.missing }}', 'must be an object'],
		["={{ ({ entry: 'west' }) }}", 'must be a list of entries'],
	])('is an error if it has no rows: %s', async (metadata, why) => {
		const { error } = await dispatch.run({ metadata });
		expect(error?.message).toMatch(/^No phone rang\. [Mm]etadata/);
		expect(error?.message).toContain(why);
		expect(sent()).toEqual([]);
	});
});

describe('a rule that was added and has no value', () => {
	it.each(['hours', 'doNotCall', 'allowedCountries', 'skipIfCalledWithin'])(
		'is an error, not a rule that is off: %s',
		async (rule) => {
			const { error } = await run({ [rule]: '={{ $json.missing }}' });
			expect(error?.message).toMatch('is empty; fill it in, or remove it from Safety');
			expect(dispatch.dialed()).toEqual([]);
		},
	);

	it.each([
		...[{ maxCallsPerHour: ' ' }, { allowedCountries: [''] }, { allowedCountries: ' , ' }],
		{ allowedCountries: '={{ [null] }}' },
	])('is an error even if it is only spaces: %j', async (rules) => {
		const { error } = await run(rules);
		expect(error?.message).toMatch('is empty; fill it in, or remove it from Safety');
		expect(dispatch.dialed()).toEqual([]);
	});

	it.each([
		[hoursRule({ zone: 'workflow' }), 'Calling Hours From is missing'],
		[hoursRule({ ...day, days: [''] }), 'Calling Hours Days is empty; fill it in'],
		[hoursRule({ ...day, from: ' ' }), 'Calling Hours From is empty; fill it in'],
		[hoursRule({ ...day, form: '09:00' }), 'Calling Hours has no field "form"'],
		[{ hours: day }, 'Calling Hours has no field "from"; the fields are range'],
		[{ hours: '08:00' }, 'Calling Hours must be an object'],
		[{ hours: {} }, 'Calling Hours From is missing'],
		[{ onDoNotCall: 'error' }, 'does nothing without Do Not Call'],
		[hoursRule({ ...day, from: 'noon' }), 'must be a time such as 08:00'],
		[hoursRule({ from: '08:00', to: '8:00 am' }), 'must differ from Calling Hours From'],
		[hoursRule({ ...day, days: ['mon'] }), 'must be days such as Monday'],
		[{ allowedCountries: ['USA'] }, 'must be ISO country codes such as US'],
		[{ maxCalls: '={{ $json.missing }}' }, 'Max Calls per Run is empty'],
		[{ doNotCall: ['Luis'] }, 'has an entry in row 1 that is not a phone number'],
	])('or cannot be enforced is an error: %j', async (rules, why) => {
		const { error } = await run(rules);
		expect(error?.message).toMatch(why);
		expect(dispatch.dialed()).toEqual([]);
	});
});

describe('a text that a program or spreadsheet wrote for a missing value', () => {
	it.each(['LD-undefined', 'null', '[object Object]', 'NaN', '#N/A', '#REF!'])(
		'is no load number, and no phone rings: %s',
		async (loadNumber) => {
			const { error } = await dispatch.run({ loadNumber });
			expect(error?.message).toMatch(/^No phone rang\. Load Number has no value/);
			expect(dispatch.dialed()).toEqual([]);
		},
	);

	it('can be a surname', async () => {
		const { items } = await dispatch.run({ additionalFields: { contactName: 'Ana Null' } });
		expect(items).toMatchObject([{ placement: 'placed' }]);
	});
});
