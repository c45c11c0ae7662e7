import type { INodeProperties } from 'n8n-workflow';

/** The collection "Options". It is not called `options`: see the hidden field of that name. */
export const eventOptions: INodeProperties = {
	displayName: 'Options',
	name: 'eventOptions',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Allowed IP Addresses',
			name: 'allowedAddresses',
			type: 'string',
			default: '',
			placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24, 2001:db8::/32',
			description: 'Only these addresses and CIDR ranges may send events, separated by commas',
		},
		{
			displayName: 'Event ID Field',
			name: 'eventIdField',
			type: 'string',
			default: '',
			placeholder: 'e.g. eventId',
			description:
				'Where an event has its ID, by which repeats are known. Without it, events with the same content are repeats.',
		},
		{
			displayName: 'Event ID Header',
			name: 'eventIdHeader',
			type: 'string',
			default: '',
			placeholder: 'e.g. X-Event-ID',
			description: 'Header with the ID of the event, if it is not in the event itself',
		},
		{
			displayName: 'Event List Field',
			name: 'eventListField',
			type: 'string',
			default: '',
			placeholder: 'e.g. batch.events',
			description:
				'Where the list lies when several events come in one. Common places are found without it.',
		},
		{
			displayName: 'Health Check',
			name: 'healthCheck',
			type: 'boolean',
			default: false,
			description:
				'Whether to answer GET and HEAD requests with success, for a sender who tests the address',
		},
		{
			displayName: 'Ignore Repeats',
			name: 'ignoreRepeats',
			type: 'boolean',
			default: true,
			description: 'Whether an event that is delivered again is answered but starts nothing',
		},
		{
			displayName: 'Include Headers',
			name: 'includeHeaders',
			type: 'boolean',
			default: false,
			description:
				'Whether to hand on the headers of the request, without those that carry a secret',
		},
		{
			displayName: 'Metadata Field',
			name: 'metadataField',
			type: 'string',
			default: '',
			placeholder: 'e.g. data.attributes.metadata',
			description: 'Where an event has its metadata. Common places are found without it.',
		},
		{
			displayName: 'Response Body',
			name: 'responseBody',
			type: 'json',
			default: '{ "message": "Received" }',
			description: 'JSON that the sender gets when its events are taken',
		},
		{
			displayName: 'Response Code',
			name: 'responseCode',
			type: 'options',
			options: [
				{ name: '200 (OK)', value: 200 },
				{ name: '201 (Created)', value: 201 },
				{ name: '202 (Accepted)', value: 202 },
				{ name: '204 (No Content)', value: 204 },
			],
			default: 200,
			description: 'Status that the sender gets when its events are taken',
		},
		{
			displayName: 'Waiting Calls',
			name: 'resume',
			type: 'options',
			options: [
				{
					name: 'Resume the Waiting Execution',
					value: 'resumeOnly',
					description: 'The event goes to the execution that waits for it, and nowhere else',
				},
				{
					name: 'Resume It and Start This Workflow',
					value: 'resumeAndStart',
					description:
						'The event goes to the execution that waits for it, and starts this workflow',
				},
				{
					name: 'Start This Workflow Only',
					value: 'off',
					description: 'Executions that wait for events of this trigger are not resumed',
				},
			],
			default: 'resumeOnly',
			description: 'What to do with an event about a call whose outcome a workflow waits for',
		},
	],
};
