import type { IExecuteFunctions } from 'n8n-workflow';
import { refuseRulesFromModel } from '../../../../nodes/CarrierLoadCommunications/calls/rules/form.ts';

const refuse = (parameters: object, type = 'carrierLoadCommunicationsTool') =>
	refuseRulesFromModel({
		isToolExecution: () => false,
		getNode: () => ({ type, parameters }),
	} as unknown as IExecuteFunctions);

describe('the calling rules of an AI agent', () => {
	it.each([
		[{ rules: { dryRun: "={{ $fromAI('dryRun', '', 'boolean') }}" } }, 'Calling Rules'],
		[{ rules: { testNumber: "={{ $fromAI('number') }}" } }, 'Calling Rules'],
		[
			{ rules: { doNotCall: '={{ /*n8n-auto-generated-fromAI-override*/ $fromAI("x") }}' } },
			'Calling',
		],
		[{ rules: { allowedCountries: ['={{ $fromai("country") }}'] } }, 'Calling Rules'],
		[{ rules: "={{ $fromAI('rules', '', 'json') }}" }, 'Calling Rules'],
		[{ rules: { hoursZone: '={{ $json.zone }}' } }, 'Calling Rules'],
		[{ rules: { hoursZone: '={{ $tool.parameters.zone }}' } }, 'Calling Rules'],
		[{ rules: { hoursZone: '={{ $items()[0].json.zone }}' } }, 'Calling Rules'],
		[{ options: { defaultCountry: "={{ $fromAI('country') }}" } }, 'Options'],
		[{ options: { sendPhoneAsIs: "={{ $fromAI('asIs') }}" } }, 'Options'],
		[{ skipIfCalledWithin: "={{ $fromAI('minutes') }}" }, 'Skip If Called Within'],
	])('cannot be filled in by its model: %j', (parameters, label) => {
		expect(() => refuse(parameters)).toThrow(`${label}`);
		expect(() => refuse(parameters)).toThrow('must not be filled in by the AI model');
	});

	it.each([
		{ toPhone: "={{ $fromAI('phone') }}", loadNumber: "={{ $fromAI('load') }}" },
		{
			rules: {
				dryRun: true,
				doNotCall: "={{ $('Do Not Call').all().map((row) => row.json.phone) }}",
			},
		},
		{ rules: { testNumber: '$fromAI' } },
		{},
	])('can have values, and expressions that use other nodes: %j', (parameters) => {
		expect(() => refuse(parameters)).not.toThrow();
	});

	it('can use the item in a workflow without a model', () => {
		const parameters = { rules: { hoursZone: '={{ $json.zone }}' } };
		expect(() => refuse(parameters, 'carrierLoadCommunications')).not.toThrow();
	});
});
