import { outputFields, readOutput } from '../../../nodes/shared/fields/output.ts';
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
	readOutput(parametersOf(values), fields, { forAgent });

it('simplified, the default, puts out what is needed most', () => {
	expect(shape({})(row)).toEqual({ id: 1, mcNumber: '123456' });
	expect(shape({ output: 'simplified' })({ id: 2 })).toEqual({ id: 2 });
});

it('all puts out what this package does not know, too', () => {
	expect(shape({ output: 'all' })(row)).toEqual(row);
});

it('selected puts out the chosen fields, of a list or of a text with commas', () => {
	const chosen = { id: 1, unknownField: { kept: true } };
	expect(shape({ output: 'selected', selectedFields: ['id', 'unknownField'] })(row)).toEqual(
		chosen,
	);
	expect(shape({ output: 'selected', selectedFields: 'id, unknownField' })(row)).toEqual(chosen);
});

it('selected without fields is refused', () => {
	expect(() => shape({ output: 'selected', selectedFields: [] })).toThrow(
		'Fields needs at least one field',
	);
});

it('an agent gets no transcript unless it was chosen', () => {
	const { transcript, ...rest } = row;
	expect(shape({ output: 'all' }, true)(row)).toEqual(rest);
	const longWinded = { simplified: ['id', 'transcript'], more: [] };
	const simplified = readOutput(parametersOf({}), longWinded, { forAgent: true });
	expect(simplified(row)).toEqual({ id: 1 });
	expect(shape({ output: 'selected', selectedFields: ['transcript'] }, true)(row)).toEqual({
		transcript,
	});
});

it.each([{ output: 'all' }, { output: 'selected', selectedFields: ['error', 'serviceError'] }])(
	'a field called error goes out under another name: %p',
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

it.each(wrongTypes)('%s is no output', (_name, output) => {
	expect(() => shape({ output })).toThrow('Output must be one of simplified, all, selected');
});

it('the fields to choose from have names that people read', () => {
	const [, selected] = outputFields({
		simplified: ['loadIds', 'mcNumber', 'fleetsize', 'avgRate'],
		more: ['carrierHwRulesAssessment', 'recordingUrl', 'callerExt'],
	});
	expect(selected?.options?.map(({ name }) => name)).toEqual([
		'Load IDs',
		'MC Number',
		'Fleet Size',
		'Average Rate',
		'Carrier HW Rules Assessment',
		'Recording URL',
		'Caller Extension',
	]);
});
