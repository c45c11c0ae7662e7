import { place } from '../../../nodes/CarrierLoadCommunications/fields/place.ts';
import { parametersOf, wrongTypes } from '../support/fields/parameters-of.mts';

const read = (origin: unknown) =>
	place({ label: 'Origin', example: 'Chicago, IL', about: '' }).read(
		parametersOf({ origin }),
		'origin',
	);

it.each([
	['Chicago, IL', 'Chicago, IL'],
	['Chicago,il', 'Chicago, IL'],
	[' CHICAGO ,  il ', 'CHICAGO, IL'],
	['Chicago IL', 'Chicago, IL'],
	['MCALLEN, tx', 'MCALLEN, TX'],
	["O'FALLON MO", "O'FALLON, MO"],
	['Salt\tLake  City, UT', 'Salt Lake City, UT'],
	['Montréal, QC', 'Montréal, QC'],
	['washington, dc', 'washington, DC'],
	['Chicago, IL 60601', 'Chicago, IL'],
	['Chicago IL 60601-1234', 'Chicago, IL'],
	['Toronto, ON M5V 2T6', 'Toronto, ON'],
	['Chicago, Illinois', 'Chicago, IL'],
	['new york, NEW YORK 10001', 'new york, NY'],
	['Washington, D.C.', 'Washington, DC'],
	['Fargo, North  Dakota', 'Fargo, ND'],
	['Montréal, Québec H3B 1A7', 'Montréal, QC'],
	['Chicago, IL 60601, USA', 'Chicago, IL'],
	['Dallas, Texas, United States', 'Dallas, TX'],
	['Laredo, TX 78040 US', 'Laredo, TX'],
	['Laredo TX USA', 'Laredo, TX'],
	['Portland, OR', 'Portland, OR'],
	['CHICAGO - IL', 'CHICAGO, IL'],
	['New Orleans, LA', 'New Orleans, LA'],
	['Winston-Salem – NC', 'Winston-Salem, NC'],
	["Saint John's, Newfoundland and Labrador, Canada", "Saint John's, NL"],
	// Not certain to be a city and a state: sent as typed.
	['Tijuana, Baja California', 'Tijuana, Baja California'],
	['Monterrey, N.L., Mexico', 'Monterrey, N.L., Mexico'],
	['Durango, Durango, Mexico', 'Durango, Durango, Mexico'],
	['Monterrey, Nuevo León', 'Monterrey, Nuevo León'],
	['Chicago, XX', 'Chicago, XX'],
	['Chicago, Cook, IL', 'Chicago, Cook, IL'],
])('%p is sent as %p', (typed, sent) => {
	expect(read(typed)).toBe(sent);
});

it.each([
	...['Chicago', 'New York', 'Port Washington', 'Salt Lake City', 'Chicago Illinois'],
	...['Port of LA', 'Downtown LA', 'New Orleans LA'],
	...['Illinois', 'Chicago XX', 'Chicago 60601', 'Toronto Canada'],
])('%p is rejected: which state it is in is not certain', (typed) => {
	expect(() => read(typed)).toThrow(
		`Add the state: Chicago, IL, for example. Origin has none (it is "${typed}")`,
	);
});

it.each(['60601', 60601, '---'])('%p is rejected: it has no letters', (typed) => {
	expect(() => read(typed)).toThrow('Origin must be a city and state');
});

it.each(wrongTypes)('%s is rejected', (_name, value) => {
	expect(() => read(value)).toThrow('Origin');
});

it('a huge text is rejected immediately', () => {
	const started = performance.now();
	expect(() => read(`${'a, '.repeat(1_000_000)}IL`)).toThrow(
		'Origin must be at most 100 characters',
	);
	expect(() => read('a '.repeat(49))).toThrow('Add the state');
	expect(performance.now() - started).toBeLessThan(30_000);
});
