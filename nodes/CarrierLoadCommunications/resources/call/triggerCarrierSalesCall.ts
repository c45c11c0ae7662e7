import { callOperation } from '../../operations/callOperation';
import { readTriggerAnswer } from '../../calls/dial/callAnswer';
import type { PhoneRequest } from '../../calls/plan/planCall';
import type { CarrierSalesCallRequest } from '../../../shared/service/contract/carrierSalesCall';

type CarrierSalesCallFields = Omit<CarrierSalesCallRequest, keyof PhoneRequest>;

export const triggerCarrierSalesCall = callOperation<CarrierSalesCallFields>({
	name: 'Place Carrier Sales Call',
	value: 'triggerCarrierSalesCall',
	action: 'Place a carrier sales call about a load (dials a real phone)',
	description: 'A voice agent phones a carrier to offer a load',
	kind: 'carrierSalesCall',
	takesMetadata: true,
	fields: [
		{
			displayName: 'Load ID',
			name: 'loadId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 48213',
			description: 'Your identifier of the load that the call is about',
		},
		{
			displayName: 'DOT Number',
			name: 'dotNumber',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: '',
			required: true,
			placeholder: 'e.g. 1234567',
			description:
				'DOT number of the carrier. The service uses it to prevent calling a carrier twice.',
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Contact Name',
					name: 'contactName',
					type: 'string',
					default: '',
					placeholder: 'e.g. Dana Whitfield',
					description: 'Name of the person at the carrier; makes the call personal',
				},
			],
		},
	],
	readFields: (parameters) => ({
		loadId: parameters.text({ name: 'loadId', displayName: 'Load ID' }),
		dotNumber: parameters.wholeNumber({ name: 'dotNumber', displayName: 'DOT Number' }, { min: 1 }),
		contactName: parameters.optionalText({
			name: 'additionalFields.contactName',
			displayName: 'Contact Name',
		}),
	}),
	about: ({ loadId, dotNumber }) => ({ subject: { loadId, dotNumber } }),
	send: async (client, request) => await client.triggerCarrierSalesCall(request),
	readAnswer: readTriggerAnswer,
});
