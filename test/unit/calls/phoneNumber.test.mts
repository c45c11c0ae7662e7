import { readPhoneNumber } from '../../../nodes/CarrierLoadCommunications/calls/phone.ts';
import { InvalidParameter } from '../../../nodes/shared/fields/invalidParameter.ts';

const read = (text: string, more: object = {}) =>
	readPhoneNumber({ text, defaultCountry: 'US', asIs: false, ...more });

const refusal = (text: string, more: object = {}) => {
	try {
		return `was taken as ${read(text, more)}`;
	} catch (error) {
		if (error instanceof InvalidParameter) return error.message;
		throw error;
	}
};

describe('a phone number as written in a TMS', () => {
	it.each([
		['(312) 555-0188 x204', '+13125550188;ext=204'],
		['312.555.0188 ext 204', '+13125550188;ext=204'],
		['312-555-0188 ext. 204', '+13125550188;ext=204'],
		['312-555-0188, Ext: 204', '+13125550188;ext=204'],
		['312-555-0188 (ext 204)', '+13125550188;ext=204'],
		['312 555 0188 extension 204', '+13125550188;ext=204'],
		['3125550188x204', '+13125550188;ext=204'],
		['312-555-0188 #204', '+13125550188;ext=204'],
		['3125550188;ext=204', '+13125550188;ext=204'],
		['tel:+1-312-555-0188;ext=204', '+13125550188;ext=204'],
		['+52 55 1234 5678', '+525512345678'],
		['011 52 55 1234 5678', '+525512345678'],
		['3125550188', '+13125550188'],
		['1 312 555 0188', '+13125550188'],
		['+13125550188', '+13125550188'],
		['  312\u00a0555\u20110188\t', '+13125550188'],
		['３１２５５５０１８８', '+13125550188'],
		['\u202a(312)\u00ad 555-0188 x204\u202c', '+13125550188;ext=204'],
	])('%s is sent as %s', (text, sent) => {
		expect(read(text)).toBe(sent);
	});

	it('without a country code is read in the default country', () => {
		expect(read('55 1234 5678', { defaultCountry: 'MX' })).toBe('+525512345678');
		expect(read('020 7946 0958', { defaultCountry: 'GB' })).toBe('+442079460958');
		expect(read('+1 312 555 0188', { defaultCountry: 'MX' })).toBe('+13125550188');
	});
});

describe('a Mexican number', () => {
	it.each([
		'55 1234 5678',
		'(55) 1234-5678',
		'5512345678',
		'01 55 1234 5678',
		'044 55 1234 5678',
		'045 55 1234 5678',
		'+52 1 55 1234 5678',
		'+52 55 1234 5678',
		'52 55 1234 5678',
	])('written %s is recognized if the default country is Mexico', (text) => {
		expect(read(text, { defaultCountry: 'MX' })).toBe('+525512345678');
	});

	it.each(['55 1234 5678', '(55) 1234-5678', '55-1234-5678'])(
		'written %s is not mistaken for one in New Jersey if the default country is the United States',
		(text) => {
			expect(refusal(text)).toMatch('is grouped like a Mexican number; start it with +52');
			expect(refusal(text, { defaultCountry: 'CA' })).toMatch('is grouped like a Mexican number');
		},
	);

	it('without its country code is not guessed from a US number', () => {
		expect(refusal('1 312 555 0188', { defaultCountry: 'MX' })).toMatch('too many digits');
	});
});

describe('the Extension field', () => {
	it('sets the extension, also written with "ext."', () => {
		expect(read('3125550188', { extension: '204' })).toBe('+13125550188;ext=204');
		expect(read('3125550188', { extension: 'x204' })).toBe('+13125550188;ext=204');
		expect(read('3125550188', { extension: '007' })).toBe('+13125550188;ext=007');
	});

	it("may repeat the number's extension, but not contradict it", () => {
		expect(read('3125550188 x204', { extension: '204' })).toBe('+13125550188;ext=204');
		expect(refusal('3125550188 x204', { extension: '205' })).toBe(
			'Extension is 205, but the phone number has the extension 204; leave one of them out',
		);
	});

	it.each(['front desk', '2 04', '123456789012'])('rejects %s', (extension) => {
		expect(refusal('3125550188', { extension })).toMatch('Extension must be 1 to 11 digits');
	});
});

describe('a number that cannot be dialed is rejected, and the error says why', () => {
	it.each([
		['911', 'has too few digits'],
		['555-0188', 'has too few digits'],
		['', 'is not a phone number'],
		['-', 'is not a phone number'],
		['x204', 'is not a phone number'],
		['312 555 0188 0', 'has too many digits'],
		['312-555-0188 312-555-0199', 'has too many digits'],
		['312-555-0188 / 312-555-0199', 'contains "/"'],
		['312-555-0188 or 0199', 'contains letters'],
		// With its footnote's number, it would be a stranger's.
		['312-555-018²', 'contains "²"'],
		['312-555-018①', 'contains "①"'],
		['1-800-FLOWERS', 'contains letters'],
		['Luis', 'contains letters'],
		['+999 123 456 789', 'country code that is not known'],
		['112 555 0188', 'is no possible phone number in the default country, United States'],
		['+1 112 555 0188', 'is no possible phone number'],
		['3125550188 x123456789012', 'extension of more than 11 digits'],
	])('%j %s', (text, why) => {
		expect(refusal(text)).toMatch(`To Phone ${''}`);
		expect(refusal(text)).toMatch(why);
	});

	it('names a default country that has no numbers', () => {
		expect(refusal('3125550188', { defaultCountry: 'XX' })).toMatch('Default Country');
	});
});

describe('a number that is sent as typed', () => {
	const asIs = { asIs: true };

	it('is not checked, and keeps its extension', () => {
		expect(read('+11125550188', asIs)).toBe('+11125550188');
		expect(read('+11125550188;ext=204', asIs)).toBe('+11125550188;ext=204');
		expect(read('+11125550188', { ...asIs, extension: '204' })).toBe('+11125550188;ext=204');
		expect(read('+11125550188;ext=204', { ...asIs, extension: '204' })).toBe(
			'+11125550188;ext=204',
		);
	});

	it.each(['3125550188', '+1 312 555 0188', '+1312555018a', '+0312555018', '+13125550188;ext='])(
		"must have the contract's format, unlike %s",
		(text) => {
			expect(refusal(text, asIs)).toMatch('must be written like +13125550188');
		},
	);
});

describe('an area code that is newer than the numbering plan at hand', () => {
	it.each(['436', '861', '621', '679', '357', '457', '471', '483', '624', '729', '837'])(
		'%s is called',
		(code) => {
			expect(read(`(${code}) 555-0188`)).toBe(`+1${code}5550188`);
			expect(read(`+1 ${code} 555 0188`)).toBe(`+1${code}5550188`);
		},
	);

	it.each(['112', '911', '555', '376', '290', '963'])('%s is reserved, and not called', (code) => {
		expect(() => read(`(${code}) 555-0188`)).toThrow('To Phone');
	});
});

describe('with Mexico as the default country', () => {
	it('a number grouped like a US one needs its country code', () => {
		expect(refusal('(312) 555-0188', { defaultCountry: 'MX' })).toMatch('start it with +1');
		expect(read('+52 312 555 0188', { defaultCountry: 'MX' })).toBe('+523125550188');
		expect(read('55 1234 5678', { defaultCountry: 'MX' })).toBe('+525512345678');
	});
});

it('reads 001 before a US number as its country code', () => {
	expect(read('001 312 555 0188')).toBe('+13125550188');
});
