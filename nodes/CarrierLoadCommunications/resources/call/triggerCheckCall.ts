import { callOperation } from '../../operations/callOperation';
import { readTriggerAnswer } from '../../calls/dial/callAnswer';
import type { PhoneRequest } from '../../calls/plan/planCall';
import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import type { Parameters } from '../../../shared/fields/parameters';
import { CONTACT_TYPES, type CheckCallRequest } from '../../../shared/service/contract/checkCall';

type CheckCallFields = Omit<CheckCallRequest, keyof PhoneRequest>;

export const triggerCheckCall = callOperation<CheckCallFields>({
	name: 'Place Check Call',
	value: 'triggerCheckCall',
	action: 'Place a check call to a driver or dispatcher (dials a real phone)',
	description: 'A voice agent phones a driver or dispatcher about the next stop of a load',
	kind: 'checkCall',
	takesMetadata: true,
	fields: [
		{
			displayName: 'Load Number',
			name: 'loadNumber',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 48213',
			description: 'Your reference of the load; the agent uses it on the call',
		},
		{
			displayName: 'Next Stop Index',
			name: 'nextStopIndex',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 0 },
			default: 0,
			required: true,
			description: 'Next stop in the stop sequence of the load, counted from 0 (the pickup)',
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Ask for Tracking App',
					name: 'askForTrackingApp',
					type: 'string',
					default: '',
					placeholder: 'e.g. {{ $json.trackingApp }}',
					description:
						'Name of the tracking app, one word in lowercase, that the agent asks the driver to enable',
				},
				{
					displayName: 'Contact Name',
					name: 'contactName',
					type: 'string',
					default: '',
					placeholder: 'e.g. Dana Whitfield',
					description: 'Name of the person who is called',
				},
				{
					displayName: 'Contact Type',
					name: 'contactType',
					type: 'options',
					options: [
						{ name: 'Dispatcher', value: 'dispatcher' },
						{ name: 'Driver', value: 'driver' },
					],
					default: 'driver',
					description: 'Who is called',
				},
				{
					displayName: 'Driver Name',
					name: 'driverName',
					type: 'string',
					default: '',
					placeholder: 'e.g. Luis Ortega',
					description: 'Name of the driver; makes the call personal',
				},
				{
					displayName: 'Waiting at Facility',
					name: 'waitingAtFacility',
					type: 'boolean',
					default: false,
					description:
						'Whether the driver is already at the facility; the agent then skips ETA questions',
				},
			],
		},
	],
	readFields(parameters) {
		const text = (name: string, displayName: string) =>
			parameters.optionalText({ name: `additionalFields.${name}`, displayName });
		return {
			loadNumber: parameters.text({ name: 'loadNumber', displayName: 'Load Number' }),
			nextStopIndex: parameters.wholeNumber(
				{ name: 'nextStopIndex', displayName: 'Next Stop Index' },
				{ min: 0 },
			),
			driverName: text('driverName', 'Driver Name'),
			contactName: text('contactName', 'Contact Name'),
			contactType: parameters.optionalChoice(
				{ name: 'additionalFields.contactType', displayName: 'Contact Type' },
				CONTACT_TYPES,
			),
			waitingAtFacility: parameters.optionalFlag({
				name: 'additionalFields.waitingAtFacility',
				displayName: 'Waiting at Facility',
			}),
			askForTrackingApp: readTrackingApp(parameters),
		};
	},
	about: ({ loadNumber, nextStopIndex }) => ({ subject: { loadNumber, nextStopIndex } }),
	send: async (client, request) => await client.triggerCheckCall(request),
	readAnswer: readTriggerAnswer,
});

/** The contract (4.5) names no values, only that each is the lowercase name of an application. */
function readTrackingApp(parameters: Parameters): string | undefined {
	const field = { name: 'additionalFields.askForTrackingApp', displayName: 'Ask for Tracking App' };
	const app = parameters.optionalText(field);
	if (app === undefined || /^[a-z0-9][a-z0-9_.-]*$/.test(app)) return app;
	throw new InvalidParameter(field.displayName, 'must be one word in lowercase', app);
}
