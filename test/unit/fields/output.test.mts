import { output } from '../../../nodes/CarrierLoadCommunications/fields/output.ts';
import { parametersOf, wrongTypes } from '../support/fields/parameters-of.mts';

const fields = { simplified: ['id', 'mcNumber'], more: ['transcript', 'recordingUrl'] };
const row = {
	id: 1,
	mcNumber: '123456',
	transcript: 'Hello',
	recordingUrl: null,
	unknownField: { kept: true },
};

const shape = (values: Record<string, unknown>, forAgent = false) =>
	output(fields).read(parametersOf(values, { forAgent, expressions: ['selectedFields'] }), 'output')
		.shape;

it('Simplified, the default, returns the most useful fields', () => {
	expect(shape({})(row)).toEqual({ id: 1, mcNumber: '123456' });
	expect(shape({ output: 'simplified' })({ id: 2 })).toEqual({ id: 2 });
});

it('All Fields also returns fields unknown to this package', () => {
	expect(shape({ output: 'all' })(row)).toEqual(row);
});

it('Selected Fields returns the chosen fields, from a list or from text with commas', () => {
	const chosen = { id: 1, unknownField: { kept: true } };
	expect(shape({ output: 'selected', selectedFields: ['id', 'unknownField'] })(row)).toEqual(
		chosen,
	);
	expect(shape({ output: 'selected', selectedFields: 'id, unknownField' })(row)).toEqual(chosen);
});

it('Selected Fields without fields is rejected', () => {
	expect(() => shape({ output: 'selected', selectedFields: [] })).toThrow(
		'Fields needs at least one field',
	);
});

describe('fields that were chosen for another operation', () => {
	const typed = (selectedFields: string[]) =>
		output(fields).read(parametersOf({ output: 'selected', selectedFields }), 'output');

	it('are dropped', () => {
		expect(typed(['contentTags', 'mcNumber', 'emailSubject']).selected).toEqual(['mcNumber']);
	});

	it('do not count: at least one of its own must be chosen', () => {
		expect(() => typed(['contentTags', 'emailSubject'])).toThrow('Fields needs at least one field');
	});
});

it('an agent gets no transcript unless it was selected', () => {
	const { transcript, ...rest } = row;
	expect(shape({ output: 'all' }, true)(row)).toEqual(rest);
	const longWinded = { simplified: ['id', 'transcript'], more: [] };
	const simplified = output(longWinded).read(parametersOf({}, { forAgent: true }), 'output');
	expect(simplified.shape(row)).toEqual({ id: 1 });
	expect(shape({ output: 'selected', selectedFields: ['transcript'] }, true)(row)).toEqual({
		transcript,
	});
});

it.each([{ output: 'all' }, { output: 'selected', selectedFields: ['error', 'serviceError'] }])(
	'a field called error is returned under another name: %p',
	(values) => {
		expect(shape(values)({ error: 'busy', serviceError: 'own' })).toEqual({
			serviceError_: 'busy',
			serviceError: 'own',
		});
		expect(shape(values)({ error: null })).toEqual({ serviceError: null });
	},
);

it('a row cannot reach a prototype', () => {
	const evil = JSON.parse('{"__proto__":{"polluted":true},"id":1}');
	for (const values of [
		{ output: 'all' },
		{ output: 'selected', selectedFields: ['__proto__', 'constructor', 'id'] },
	]) {
		const shaped = shape(values)(evil);
		expect(Object.getPrototypeOf(shaped)).toBe(Object.prototype);
		expect(Object.keys(shaped)).toEqual(['__proto__', 'id']);
	}
	expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

it.each(wrongTypes)('%s is rejected as an output', (_name, value) => {
	expect(() => shape({ output: value })).toThrow('Output must be one of simplified, all, selected');
});

it('the selectable fields have readable names', () => {
	const [, selected] = output({
		simplified: ['loadIds', 'mcNumber', 'fleetsize', 'avgRate'],
		more: ['carrierHwRulesAssessment', 'recordingUrl', 'callerExt'],
	}).properties('output');
	expect(selected?.options?.map(({ name }) => name)).toEqual([
		'MC Number',
		'Fleet Size',
		'Average Rate',
		'Load IDs',
		'Carrier HW Rules Assessment',
		'Recording URL',
		'Caller Extension',
	]);
});

it('a selectable field that the contract does not explain has that in its description', () => {
	const [, selected] = output({
		simplified: ['averageCallDuration'],
		more: ['carrierHwConnectionStatus'],
	}).properties('output');
	expect(selected?.options).toMatchObject([
		{ name: 'Average Call Duration (Unit Not Documented)' },
		{ name: 'Carrier HW Connection Status', description: expect.stringContaining('HW') },
	]);
});
