import type { IExecuteFunctions } from 'n8n-workflow';
import { refuseRulesFromModel } from '../../../../nodes/CarrierLoadCommunications/calls/rules/readRules.ts';

const refuse = (parameters: object, type = 'carrierLoadCommunicationsTool') =>
	refuseRulesFromModel({
		isToolExecution: () => false,
		getNode: () => ({ type, parameters }),
	} as unknown as IExecuteFunctions);

describe('the calling rules of an AI agent', () => {
	it.each([
		[{ callMode: "={{ $fromAI('mode') }}" }, 'Mode'],
		[{ callMode: 'testNumber', testNumber: "={{ $fromAI('number') }}" }, 'Test Number'],
		[
			{ rules: { doNotCall: '={{ /*n8n-auto-generated-fromAI-override*/ $fromAI("x") }}' } },
			'Safety',
		],
		[{ rules: { allowedCountries: ['={{ $fromai("country") }}'] } }, 'Safety'],
		[{ rules: "={{ $fromAI('rules', '', 'json') }}" }, 'Safety'],
		[{ rules: { hours: { range: { zone: '={{ $json.zone }}' } } } }, 'Safety'],
		[{ rules: { hours: { range: { zone: '={{ $tool.parameters.zone }}' } } } }, 'Safety'],
		[{ rules: { hours: { range: { zone: '={{ $items()[0].json.zone }}' } } } }, 'Safety'],
		[{ options: { defaultCountry: "={{ $fromAI('country') }}" } }, 'Options'],
		[{ options: { sendPhoneAsIs: "={{ $fromAI('asIs') }}" } }, 'Options'],
		[{ rules: { skipIfCalledWithin: "={{ $fromAI('minutes') }}" } }, 'Safety'],
	])('cannot be filled in by its model: %j', (parameters, label) => {
		expect(() => refuse(parameters)).toThrow(`${label}`);
		expect(() => refuse(parameters)).toThrow('must not be filled in by the AI model');
	});

	it.each([
		{ toPhone: "={{ $fromAI('phone') }}", loadNumber: "={{ $fromAI('load') }}" },
		{
			callMode: 'dryRun',
			rules: {
				doNotCall: "={{ $('Do Not Call').all().map((row) => row.json.phone) }}",
			},
		},
		{ callMode: 'testNumber', testNumber: '$fromAI' },
		{},
	])('can have values, and expressions that use other nodes: %j', (parameters) => {
		expect(() => refuse(parameters)).not.toThrow();
	});

	it('can use the item in a workflow without a model', () => {
		const parameters = { rules: { hours: { range: { zone: '={{ $json.zone }}' } } } };
		expect(() => refuse(parameters, 'carrierLoadCommunications')).not.toThrow();
	});
});
