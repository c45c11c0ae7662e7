import { place } from '../../../nodes/CarrierLoadCommunications/fields/place.ts';
import { parametersOf, wrongTypes } from '../support/fields/parameters-of.mts';

const read = (origin: unknown) =>
	place({ label: 'Origin', example: '', about: '' }).read(parametersOf({ origin }), 'origin');

it.each([
	['Chicago, IL', 'Chicago, IL'],
	['chicago,il', 'Chicago, IL'],
	[' CHICAGO ,  il ', 'Chicago, IL'],
	['Chicago IL', 'Chicago, IL'],
	['st. louis, mo', 'St. Louis, MO'],
	['winston-salem nc', 'Winston-Salem, NC'],
	['McAllen, tx', 'McAllen, TX'],
	['Salt\tLake  City, UT', 'Salt Lake City, UT'],
	['Montréal, QC', 'Montréal, QC'],
	['washington, dc', 'Washington, DC'],
	["coeur d'alene, id", "Coeur D'alene, ID"],
])('%p is sent as %p', (typed, sent) => {
	expect(read(typed)).toBe(sent);
});

it.each([
	'Chicago',
	'IL',
	', IL',
	'Chicago, Illinois',
	'Chicago, XX',
	'Chicago, IL 60601',
	'Chicago, Cook, IL',
	'123, IL',
	60601,
])('%p is refused: it needs City, ST', (typed) => {
	expect(() => read(typed)).toThrow('Origin needs City, ST');
});

it.each(wrongTypes)('%s is refused', (_name, value) => {
	expect(() => read(value)).toThrow('Origin');
});

it('a huge text is refused at once', () => {
	const started = performance.now();
	expect(() => read(`${'a, '.repeat(1_000_000)}IL`)).toThrow(
		'Origin must be at most 100 characters',
	);
	expect(() => read('a '.repeat(49))).toThrow('needs City, ST');
	expect(performance.now() - started).toBeLessThan(1000);
});
