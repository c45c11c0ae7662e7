import { InvalidParameter } from '../../../nodes/shared/fields/invalidParameter.ts';
import { parametersOf, wrongTypes } from '../support/fields/parameters-of.mts';

const load = { name: 'load', displayName: 'Load' };
const inCollection = { name: 'filters.load', displayName: 'Load' };

describe('a text', () => {
	it('is trimmed', () => {
		expect(parametersOf({ load: '  48213\n' }).text(load)).toBe('48213');
	});

	it('may come as a number', () => {
		expect(parametersOf({ load: 48213 }).text(load)).toBe('48213');
	});

	it.each([undefined, null, '', '   '])('is missing when it is %p', (value) => {
		expect(parametersOf({ load: value }).optionalText(load)).toBeUndefined();
		expect(() => parametersOf({ load: value }).text(load)).toThrow(
			'Load is required (it is empty)',
		);
	});

	it.each(wrongTypes)('is refused when it is %s', (_name, value) => {
		expect(() => parametersOf({ load: value }).text(load)).toThrow(InvalidParameter);
	});

	it('of ten million characters is refused, and shown shortened', () => {
		const read = () => parametersOf({ load: 'x'.repeat(10_000_000) }).text(load);
		expect(read).toThrow('Load must be at most 1000 characters long, it has 10000000');
		expect(read).toThrow(/^.{0,200}$/);
	});
});

describe('a field in a collection', () => {
	it.each([undefined, null, '', {}, { load: '' }, { load: null }])(
		'is missing when the collection is %p',
		(filters) => {
			expect(parametersOf({ filters }).optionalText(inCollection)).toBeUndefined();
		},
	);

	it.each([[['48213']], ['48213'], [7], [true]])(
		'is refused when the collection is %p',
		(filters) => {
			expect(() => parametersOf({ filters }).optionalText(inCollection)).toThrow(
				'filters must be a set of fields',
			);
		},
	);

	it('is not taken from a prototype', () => {
		const filters = Object.create({ load: 'of the prototype' });
		expect(parametersOf({ filters }).optionalText(inCollection)).toBeUndefined();
	});
});

describe('a number', () => {
	const bounds = { min: 1, max: 500 };

	it.each([
		[1, 1],
		[500, 500],
		['42', 42],
		[' 42 ', 42],
	])('%p is read as %p', (value, number) => {
		expect(parametersOf({ load: value }).optionalWholeNumber(load, bounds)).toBe(number);
	});

	it.each([undefined, null, '', '  '])('is missing when it is %p', (value) => {
		expect(parametersOf({ load: value }).optionalNumber(load, bounds)).toBeUndefined();
	});

	it.each([
		[0, 'Load must be 1 or more (it is 0)'],
		[501, 'Load must be 500 or less (it is 501)'],
		[1.5, 'Load must be a whole number (it is 1.5)'],
		['ten', 'Load must be a number (it is "ten")'],
		[-0.1, 'Load must be 1 or more (it is -0.1)'],
		['NaN', 'Load must be a number (it is "NaN")'],
	])('%p is refused', (value, message) => {
		expect(() => parametersOf({ load: value }).optionalWholeNumber(load, bounds)).toThrow(message);
	});

	it.each(wrongTypes)('is refused when it is %s', (_name, value) => {
		expect(() => parametersOf({ load: value }).optionalNumber(load, bounds)).toThrow(
			'Load must be a number',
		);
	});
});

describe('a flag', () => {
	it.each([
		[true, true],
		['true', true],
		[false, false],
		['false', false],
		[undefined, false],
		[null, false],
	])('%p is read as %p', (value, flag) => {
		expect(parametersOf({ load: value }).flag(load)).toBe(flag);
	});

	it.each(['yes', 1, 0, [], {}])('%p is refused', (value) => {
		expect(() => parametersOf({ load: value }).flag(load)).toThrow('Load must be true or false');
	});
});

describe('a choice', () => {
	const choose = (value: unknown) =>
		parametersOf({ load: value }).optionalChoice(load, ['driver', 'dispatcher']);

	it('is one of its list', () => {
		expect(choose('driver')).toBe('driver');
		expect(choose('')).toBeUndefined();
	});

	it.each(['Driver', 'constructor', '__proto__', ['driver'], 0])('%p is refused', (value) => {
		expect(() => choose(value)).toThrow('Load must be one of driver, dispatcher');
	});
});

describe('a list of texts', () => {
	it.each([
		[
			['Van', 'Reefer'],
			['Van', 'Reefer'],
		],
		['Van, Reefer ,,Van', ['Van', 'Reefer']],
		[
			['Van,Reefer', ' Flatbed '],
			['Van', 'Reefer', 'Flatbed'],
		],
		[[], []],
		[[null, ''], []],
		[undefined, []],
	])('%p is read as %p', (value, texts) => {
		expect(parametersOf({ load: value }).texts(load)).toEqual(texts);
	});

	it.each([[[1]], [{ 0: 'Van' }], [[['Van']]], [true]])('%p is refused', (value) => {
		expect(() => parametersOf({ load: value }).texts(load)).toThrow('Load must be a list of texts');
	});

	it('too long for a web address is refused', () => {
		const many = Array.from({ length: 1000 }, (_, index) => `Trailer ${index}`);
		expect(() => parametersOf({ load: many }).texts(load)).toThrow('at most 1000 characters');
	});
});
