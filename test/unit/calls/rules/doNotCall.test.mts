import {
	readDoNotCall,
	refuseListed,
} from '../../../../nodes/CarrierLoadCommunications/calls/rules/doNotCall.ts';

const read = (value: unknown, country = 'US') => readDoNotCall(value, country);
const isListed = (value: unknown, toPhone: string, country = 'US') =>
	refuseListed({ numbers: read(value, country), onListed: 'skip' }, { toPhone }) !== undefined;

describe('the do-not-call list', () => {
	it.each([
		'(312) 555-0188',
		'312.555.0188',
		'3125550188',
		'1 312 555 0188',
		'13125550188',
		'+1 312 555 0188',
		'+13125550188;ext=204',
		'312-555-0188, ext. 204',
		'tel:+1-312-555-0188',
		'３１２５５５０１８８',
		3125550188,
		13125550188,
		'212 555 0100, 312 555 0188',
		'212 555 0100; 312 555 0188',
		'212 555 0100\n312 555 0188\r\n',
		['212 555 0100', '312 555 0188'],
		[['212 555 0100'], [3125550188], ''],
	])('written %j contains +13125550188, with any extension', (value) => {
		expect(isListed(value, '+13125550188')).toBe(true);
		expect(isListed(value, '+13125550188;ext=7')).toBe(true);
		expect(isListed(value, '+13125550189')).toBe(false);
	});

	it.each(['+52 55 1234 5678', '+52 1 55 1234 5678', '5215512345678', '52 55 1234 5678'])(
		'written %j contains a Mexican number in both of its forms',
		(value) => {
			expect(isListed(value, '+525512345678')).toBe(true);
			expect(isListed(value, '+5215512345678')).toBe(true);
		},
	);

	it.each(['55 1234 5678', '044 55 1234 5678', '045 5512345678', '01 (55) 1234-5678'])(
		'written %j contains a Mexican number if the default country is Mexico',
		(value) => {
			expect(isListed(value, '+525512345678', 'MX')).toBe(true);
		},
	);

	it.each([[[]], [[{ json: {} }]], [[{ json: { id: 7, createdAt: 'today', phone: '' } }]]])(
		'is empty if it is %j',
		(value) => {
			expect(read(value).size).toBe(0);
		},
	);

	it.each([undefined, null, '', ' , ', '\n\n'])('is rejected when it is blank: %j', (value) => {
		expect(() => read(value)).toThrow('Do Not Call is empty, so it would block no one');
	});

	it.each(['phone', 'Phone', 'To Phone', 'toPhone', 'phone_number', 'NUMBER', 'Driver Phone'])(
		'reads the column %s of the rows of a table',
		(column) => {
			const rows = [{ json: { id: 1, name: 'Ana', [column]: '(312) 555-0188' }, pairedItem: 0 }];
			expect(isListed(rows, '+13125550188')).toBe(true);
			expect(
				isListed(
					rows.map(({ json }) => json),
					'+13125550188',
				),
			).toBe(true);
		},
	);

	it.each([
		[{ json: { error: 'Could not get rows' } }],
		[{ json: { telefono: '(312) 555-0188' } }],
		[{ json: { phone: '(312) 555-0188' } }, { json: { phone: 'Luis' } }],
		[{ json: { phone: '(312) 555-0188' } }, { json: { phone: '', name: 'Luis' } }],
	])('is rejected because of a row without a readable number, which it names: %j', (...rows) => {
		expect(() => read(rows)).toThrow(`in row ${rows.length}`);
	});

	it('compares a number that is sent as typed by its meaning', () => {
		const call = { toPhone: '+4402079460958' };
		const numbers = read('+44 20 7946 0958');
		expect(refuseListed({ numbers, onListed: 'skip' }, call)).toBeDefined();
	});

	it.each(['Luis', '555-0188', '312 555 018', '55 1234 5678', '112 555 0188'])(
		'is rejected because of the entry %j, which would block no one',
		(entry) => {
			expect(() => read(['312 555 0188', entry])).toThrow(
				`Do Not Call has an entry in row 2 that is not a phone number; correct it or remove it (it is "${entry}")`,
			);
		},
	);

	it.each([
		'+13035550999 +13125550188',
		'+13035550999\t+13125550188',
		'+13035550999 / +13125550188',
		'+13035550999 and +13125550188',
		'+13035550999 x +13125550188',
		'+13035550999 (home), +13035550998 or 312 555 0188',
	])('rejects two numbers in one entry, since one would not be protected: %j', (value) => {
		expect(() => read(value)).toThrow('has an entry that is not a phone number');
	});

	it.each(['+18765550188 ext. 20', '+18765550188 x7'])('accepts an extension: %j', (value) => {
		expect(isListed(value, '+18765550188')).toBe(true);
	});

	it('is rejected when all entries are empty, as from the wrong column', () => {
		expect(() => read([null, undefined, ''])).toThrow(
			'Do Not Call is a list of 3 empty values; check the column it is read from',
		);
	});

	it('names the number and what to do', () => {
		const numbers = read('3125550188');
		const call = { toPhone: '+13125550188' };
		const refusal = {
			reason: '+13125550188 is on the do-not-call list',
			inShort: 'on the do-not-call list',
			advice: 'Take the number off the list only if the person agreed to be called again',
		};
		expect(refuseListed({ numbers, onListed: 'error' }, call)).toEqual(refusal);
		expect(refuseListed({ numbers, onListed: 'skip' }, call)).toEqual({
			...refusal,
			skippedAs: 'doNotCall',
		});
	});
});
