import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import {
	dynamicVariables,
	readMetadata,
	withReference,
} from '../../../nodes/CarrierLoadCommunications/calls/metadata.ts';
import { Parameters } from '../../../nodes/shared/fields/parameters.ts';

/** The part of n8n's context that the fields read. */
function context(parameters: IDataObject, json: IDataObject = {}): IExecuteFunctions {
	return {
		getNodeParameter: (name: string, _index: number, fallback: unknown) =>
			parameters[name] ?? fallback,
		getInputData: () => [{ json }],
		getWorkflow: () => ({ id: 'w1' }),
		getExecutionId: () => '77',
		getNode: () => ({ name: 'Call driver', parameters }),
	} as unknown as IExecuteFunctions;
}

const metadata = (parameters: IDataObject, json?: IDataObject) => {
	const executing = context(parameters, json);
	return readMetadata(new Parameters(executing, 0));
};
const variables = (parameters: IDataObject, json?: IDataObject) => {
	const executing = context(parameters, json);
	return dynamicVariables.read(new Parameters(executing, 0), 'dynamicVariables');
};
const rows = (...entry: IDataObject[]) => ({ metadata: { entry } });
/** What JavaScript makes of 12345678901234567890. */
const ROUNDED = Number('12345678901234567890');
const json = (text: unknown) => ({ metadataFrom: 'json', metadataJson: text as string });

describe('metadata', () => {
	it('from rows keeps text as text and numbers as numbers', () => {
		const given = rows({ key: 'load', value: '48213' }, { key: ' miles ', value: 412 });
		expect(metadata(given)).toEqual({ load: '48213', miles: 412 });
	});

	it('from rows converts a value to the chosen type', () => {
		const given = rows(
			{ key: 'a', value: '412', valueType: 'number' },
			{ key: 'b', value: 412, valueType: 'text' },
			{ key: 'c', value: true, valueType: 'text' },
		);
		expect(metadata(given)).toEqual({ a: 412, b: '412', c: 'true' });
		expect(() => metadata(rows({ key: 'a', value: 'many', valueType: 'number' }))).toThrow(
			'Metadata "a" must be a number (it is "many")',
		);
	});

	it('from JSON keeps a number beyond 2^53 exact, as text', () => {
		expect(metadata(json('{"load":12345678901234567890}'))).toEqual({
			load: '12345678901234567890',
		});
	});

	it.each([
		['JSON', json({ load: ROUNDED })],
		['a row', rows({ key: 'load', value: ROUNDED })],
		['a row of text', rows({ key: 'load', value: ROUNDED, valueType: 'text' })],
		[
			'a row of a number',
			rows({ key: 'load', value: '12345678901234567890', valueType: 'number' }),
		],
	])('from %s is an error if a number has lost its last digits', (_from, given) => {
		expect(() => metadata(given)).toThrow(
			'Metadata "load" has too many digits for a number, so the last ones are lost: enter it as text',
		);
	});

	it('from JSON accepts an object, as text or from an expression', () => {
		expect(metadata(json('{"load":"48213","miles":412}'))).toEqual({ load: '48213', miles: 412 });
		expect(metadata(json({ load: '48213' }))).toEqual({ load: '48213' });
		for (const text of ['[1]', '7', '"a"', 'null']) {
			expect(() => metadata(json(text))).toThrow('must be an object of keys and values');
		}
		expect(() => metadata(json('{load}'))).toThrow('Metadata (JSON) is not valid JSON');
	});

	it.each([
		['a list', [1]],
		['an object', { city: 'Gary' }],
		['true or false', true],
		['empty', null],
	])('names the key of a value that is %s', (kind, value) => {
		expect(() => metadata({ metadataFrom: 'itemFields' }, { stops: value as IDataObject })).toThrow(
			`Metadata "stops" is ${kind}, but only text and numbers can be sent`,
		);
	});

	it('converts such values to text when set to', () => {
		const fields = { list: [1, 'a'], object: { city: 'Gary' }, flag: false, none: null, n: 1 };
		const given = { metadataFrom: 'itemFields', options: { otherValuesAsText: true } };
		expect(metadata(given, fields)).toEqual({
			...{ list: '[1,"a"]', object: '{"city":"Gary"}', flag: 'false', none: '', n: 1 },
		});
	});

	it('rejects numbers that JSON does not have, and keys that are empty, duplicate or unsendable', () => {
		expect(() => metadata(rows({ key: 'a', value: Number.NaN }))).toThrow('not a finite number');
		expect(() => metadata(rows({ key: ' ', value: 'x' }))).toThrow('has an entry without a key');
		expect(() => metadata(rows({ key: 'a', value: 1 }, { key: 'a ', value: 2 }))).toThrow(
			'has the key "a" more than once',
		);
		expect(() => metadata(json('{"__proto__":"x"}'))).toThrow('has the key "__proto__"');
		expect(Object.getPrototypeOf(metadata(json('{"a":1}')))).toBe(Object.prototype);
	});

	it('includes the load and the n8n reference, whose keys the user can override', () => {
		const executing = context({});
		const parameters = new Parameters(executing, 3);
		const about = { loadId: '1', dotNumber: 2 };
		expect(withReference(executing, parameters, about, { n8nItem: 'mine', loadId: 'L1' })).toEqual({
			...{ n8nWorkflowId: 'w1', n8nExecutionId: '77', n8nNode: 'Call driver', n8nItem: 'mine' },
			...{ loadId: 'L1', dotNumber: 2 },
		});
		const off = context({ options: { addReference: false } });
		expect(withReference(off, new Parameters(off, 3), about, { load: '1' })).toEqual({ load: '1' });
	});
});

describe('dynamic variables', () => {
	it('accept any JSON value, from rows, JSON or the item', () => {
		const entry = [
			{ key: 'driver', value: 'Luis' },
			{ key: 'stops', value: '[{"city":"Gary"}]', valueType: 'json' },
			{ key: 'hot', value: true },
		];
		expect(variables({ dynamicVariables: { entry } })).toEqual({
			...{ driver: 'Luis', stops: [{ city: 'Gary' }], hot: true },
		});
		const fields = { a: null, b: { c: [1] } };
		expect(variables({ dynamicVariablesFrom: 'itemFields' }, fields)).toEqual(fields);
		expect(variables({ dynamicVariablesFrom: 'json', dynamicVariablesJson: '{"a":[]}' })).toEqual({
			a: [],
		});
	});

	it('are omitted when there are none', () => {
		expect(variables({})).toBeUndefined();
	});

	it('name the key of a value that JSON cannot represent, also a nested one', () => {
		const round: IDataObject = {};
		round.self = round;
		const deep = JSON.parse('{"a":{"__proto__":1}}') as IDataObject;
		for (const value of [round, deep.a, { n: [Number.POSITIVE_INFINITY] }]) {
			const given = { dynamicVariables: { entry: [{ key: 'bad', value: value as IDataObject }] } };
			expect(() => variables(given)).toThrow('Dynamic Variables "bad" cannot be sent as JSON');
		}
	});

	it('keep numbers beyond 2^53 exact, as text, and are an error if one has lost its last digits', () => {
		const given = (value: unknown) => ({
			dynamicVariablesFrom: 'json',
			dynamicVariablesJson: value as string,
		});
		expect(variables(given('{"ids":[9007199254740993]}'))).toEqual({ ids: ['9007199254740993'] });
		expect(() => variables(given({ ids: [ROUNDED] }))).toThrow(
			'Dynamic Variables "ids" has too many digits for a number, so the last ones are lost',
		);
	});
});
