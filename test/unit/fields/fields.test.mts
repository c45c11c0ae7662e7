import {
	choice,
	choices,
	flag,
	number,
	wholeNumber,
	text,
	texts,
} from '../../../nodes/shared/fields/simpleFields.ts';
import { collection, fields } from '../../../nodes/shared/fields/collection.ts';
import { optional } from '../../../nodes/shared/fields/field.ts';
import type { Field } from '../../../nodes/shared/fields/fieldTypes.ts';
import { InvalidParameter } from '../../../nodes/shared/fields/invalidParameter.ts';
import { parametersOf, wrongTypes } from '../support/fields/parameters-of.mts';

const label = 'Load';
const read = <Value,>(field: Field<Value>, value: unknown) =>
	field.read(parametersOf({ load: value }), 'load');

describe('a text', () => {
	it('is trimmed', () => {
		expect(read(text({ label, required: true }), '  48213\n')).toBe('48213');
	});

	it('can be given as a number', () => {
		expect(read(text({ label }), 48213)).toBe('48213');
	});

	it('is rejected as a number whose last digits are lost, which may be those of another load', () => {
		expect(() => read(text({ label }), 2 ** 53 + 2)).toThrow(
			'Load has too many digits for a number, so the last ones are lost: enter it as text (it is 9007199254740994)',
		);
	});

	it('loses the invisible characters that are copied along with it', () => {
		expect(read(text({ label }), '\u200b 48213\u2060\u200e\u202c ')).toBe('48213');
		expect(read(text({ label }), '\u00a0\u200b')).toBeUndefined();
	});

	it.each([undefined, null, '', '   '])('is missing when it is %p', (value) => {
		expect(read(text({ label }), value)).toBeUndefined();
		expect(() => read(text({ label, required: true }), value)).toThrow(
			'Load is required (it is empty)',
		);
	});

	it.each(wrongTypes)('is rejected when it is %s', (_name, value) => {
		expect(() => read(text({ label }), value)).toThrow(InvalidParameter);
	});

	it('of ten million characters is rejected, and shown shortened', () => {
		const readLong = () => read(text({ label }), 'x'.repeat(10_000_000));
		expect(readLong).toThrow('Load must be at most 1000 characters long, it has 10000000');
		expect(readLong).toThrow(/^.{0,200}$/);
	});
});

describe('a field in a collection', () => {
	const inCollection = collection('Filters', 'Add Filter', { load: text({ label }) });
	const readInner = (filters: unknown) =>
		inCollection.read(parametersOf({ filters }), 'filters').load;

	it.each([undefined, null, '', {}, { load: '' }, { load: null }])(
		'is missing when the collection is %p',
		(filters) => {
			expect(readInner(filters)).toBeUndefined();
		},
	);

	it.each([[['48213']], ['48213'], [7], [true]])(
		'is rejected when the collection is %p',
		(filters) => {
			expect(() => readInner(filters)).toThrow('filters must be an object');
		},
	);

	it('is not read from a prototype', () => {
		const filters = Object.create({ load: 'of the prototype' });
		expect(readInner(filters)).toBeUndefined();
	});
});

describe('a number', () => {
	const bounds = { min: 1, max: 500 };

	it.each([
		[1, 1],
		[500, 500],
		['42', 42],
		[' 42 ', 42],
	])('%p is read as %p', (value, expected) => {
		expect(read(wholeNumber({ label, ...bounds }), value)).toBe(expected);
	});

	it.each([undefined, null, '', '  '])('is missing when it is %p', (value) => {
		expect(read(number({ label, ...bounds }), value)).toBeUndefined();
	});

	it.each([
		[0, 'Load must be 1 or more (it is 0)'],
		[501, 'Load must be 500 or less (it is 501)'],
		[1.5, 'Load must be a whole number (it is 1.5)'],
		['ten', 'Load must be a number (it is "ten")'],
		[-0.1, 'Load must be 1 or more (it is -0.1)'],
		['NaN', 'Load must be a number (it is "NaN")'],
	])('%p is rejected', (value, message) => {
		expect(() => read(wholeNumber({ label, ...bounds }), value)).toThrow(message);
	});

	it.each(wrongTypes)('is rejected when it is %s', (_name, value) => {
		expect(() => read(number({ label, ...bounds }), value)).toThrow('Load must be a number');
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
	])('%p is read as %p', (value, expected) => {
		expect(read(flag({ label, default: false }), value)).toBe(expected);
	});

	it.each(['yes', 1, 0, [], {}])('%p is rejected', (value) => {
		expect(() => read(flag({ label }), value)).toThrow('Load must be true or false');
	});
});

describe('a choice', () => {
	const people = [
		{ name: 'Driver', value: 'driver' },
		{ name: 'Dispatcher', value: 'dispatcher' },
	] as const;
	const choose = (value: unknown) => read(choice({ label, choices: people }), value);

	it('is one of its options', () => {
		expect(choose('driver')).toBe('driver');
		expect(choose('')).toBeUndefined();
	});

	it.each(['Driver', 'constructor', '__proto__', ['driver'], 0])('%p is rejected', (value) => {
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
	])('%p is read as %p', (value, expected) => {
		expect(read(texts({ label }), value)).toEqual(expected);
		expect(read(choices({ label, choices: [] }), value)).toEqual(expected);
	});

	it.each([[[1]], [{ 0: 'Van' }], [[['Van']]], [true]])('%p is rejected', (value) => {
		expect(() => read(texts({ label }), value)).toThrow('Load must be a list of text values');
	});

	it('that is too long for a URL is rejected', () => {
		const many = Array.from({ length: 1000 }, (_, index) => `Trailer ${index}`);
		expect(() => read(texts({ label }), many)).toThrow('at most 1000 characters');
	});
});

describe('a form', () => {
	const form = fields({
		loadNumber: text({ label: 'Load Number', required: true, example: '48213' }),
		stop: wholeNumber({ label: 'Stop', min: 0, prefill: 0 }),
		driverName: optional(text({ label: 'Driver Name' })),
		contactName: optional(text({ label: 'Contact Name' })),
		limit: number({ label: 'Limit', min: 1, default: 50 }),
	});

	it('collects its optional fields in one collection, where the first is, sorted by label', () => {
		const shown = form.properties.filter(({ type }) => type !== 'hidden');
		expect(shown.map(({ name }) => name)).toEqual([
			'loadNumber',
			'stop',
			'additionalFields',
			'limit',
		]);
		const gathered = shown.at(-2)?.options ?? [];
		expect(gathered.map(({ name }) => name)).toEqual(['contactName', 'driverName']);
	});

	it('reads each field where the form put it', () => {
		const values = { loadNumber: '48213', additionalFields: { driverName: 'Luis' } };
		expect(form.read(parametersOf(values))).toEqual({
			loadNumber: '48213',
			stop: undefined,
			driverName: 'Luis',
			contactName: undefined,
			limit: 50,
		});
	});

	it('shows a prefilled value that applies only once the field is added', () => {
		expect(form.properties.find(({ name }) => name === 'stop')?.default).toBe(0);
		expect(form.read(parametersOf({ loadNumber: '1', stop: '' })).stop).toBeUndefined();
	});
});
