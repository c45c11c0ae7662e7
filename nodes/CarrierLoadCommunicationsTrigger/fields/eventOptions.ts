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
			description: 'IP addresses and CIDR ranges that may send events, separated by commas',
		},
		{
			displayName: 'Event ID Field',
			name: 'eventIdField',
			type: 'string',
			default: '',
			placeholder: 'e.g. eventId',
			description:
				'Path to the event ID used to detect duplicates. If empty, events with identical content within an hour count as duplicates.',
		},
		{
			displayName: 'Event ID Header',
			name: 'eventIdHeader',
			type: 'string',
			default: '',
			placeholder: 'e.g. X-Event-ID',
			description: 'Header with the event ID, if the ID is not in the event itself',
		},
		{
			displayName: 'Event List Field',
			name: 'eventListField',
			type: 'string',
			default: '',
			placeholder: 'e.g. batch.events',
			description:
				'Path to the list when one request contains several events. Leave empty to detect it.',
		},
		{
			displayName: 'Health Check',
			name: 'healthCheck',
			type: 'boolean',
			default: false,
			description:
				'Whether to respond to GET and HEAD requests with success, for senders that test the URL',
		},
		{
			displayName: 'Ignore Duplicates',
			name: 'ignoreRepeats',
			type: 'boolean',
			default: true,
			description:
				'Whether to ignore duplicate deliveries. They are acknowledged but do not start the workflow.',
		},
		{
			displayName: 'Include Headers',
			name: 'includeHeaders',
			type: 'boolean',
			default: false,
			description:
				'Whether to include the request headers in the output. Headers that carry a secret are always left out.',
		},
		{
			displayName: 'Include Live Events',
			name: 'includeLiveEvents',
			type: 'boolean',
			default: false,
			description:
				'Whether events during a call (ringing, answered, tool calls, partial transcripts, status updates) start the workflow, too. Otherwise they are only acknowledged.',
		},
		{
			displayName: 'Metadata Field',
			name: 'metadataField',
			type: 'string',
			default: '',
			placeholder: 'e.g. data.attributes.metadata',
			description: 'Path to the metadata of the call. Leave empty to detect it.',
		},
		{
			displayName: 'Response Body',
			name: 'responseBody',
			type: 'json',
			default: '{ "message": "Received" }',
			description: 'JSON body to return when the events are accepted',
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
			description: 'HTTP status code to return when the events are accepted',
		},
		{
			displayName: 'Waiting Calls',
			name: 'resume',
			type: 'options',
			options: [
				{
					name: 'Resume the Waiting Execution',
					value: 'resumeOnly',
					description: 'Pass the event only to the execution that is waiting for it',
				},
				{
					name: 'Resume It and Start This Workflow',
					value: 'resumeAndStart',
					description:
						'Pass the event to the execution that is waiting for it, and start this workflow',
				},
				{
					name: 'Start This Workflow Only',
					value: 'off',
					description: 'Do not resume the execution that is waiting for the event',
				},
			],
			default: 'resumeOnly',
			description: 'What to do with an event about a call that a workflow is waiting for',
		},
	],
};
