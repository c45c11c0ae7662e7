import type { INodeProperties } from 'n8n-workflow';

import { eventOptions } from './eventOptions';

const setupNotice: INodeProperties = {
	displayName:
		'Give the production URL above to the service operator, who enters it as the place where call events are sent. To try it out, execute this step and have a sample event sent to the test URL.',
	name: 'setupNotice',
	type: 'notice',
	default: '',
};

const authentication: INodeProperties[] = [
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		options: [
			{
				name: 'Webhook Credential',
				value: 'webhook',
				description: 'Take events only from a sender who knows the secret',
			},
			{
				name: 'None',
				value: 'none',
				description: 'Take events from everybody who knows the address',
			},
		],
		default: 'webhook',
	},
	{
		displayName:
			'Everybody who learns the address can start this workflow with made-up events. Choose the webhook credential, or allow only the IP addresses of the service under Options.',
		name: 'openNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { authentication: ['none'] } },
	},
];

const kinds: INodeProperties[] = [
	{
		displayName: 'Event Kinds',
		name: 'eventKinds',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'All', value: 'all', description: 'Start the workflow for every event' },
			{
				name: 'One Output per Kind',
				value: 'split',
				description: 'Send each kind out of its own output, and all others out of the last one',
			},
			{ name: 'Only These', value: 'only', description: 'Start the workflow for some kinds only' },
		],
		default: 'all',
		description: 'Which kinds of event start the workflow',
	},
	{
		displayName: 'Kinds',
		name: 'kinds',
		type: 'string',
		noDataExpression: true,
		default: '',
		required: true,
		placeholder: 'e.g. call.completed, call.failed',
		displayOptions: { show: { eventKinds: ['only', 'split'] } },
		description:
			'As the service names them in its events, separated by commas. Let one event in to see its kind in the field "event".',
	},
];

const condition: INodeProperties[] = [
	{
		displayName: 'Key',
		name: 'key',
		type: 'string',
		default: '',
		placeholder: 'e.g. team',
	},
	{
		displayName: 'Test',
		name: 'test',
		type: 'options',
		options: [
			{ name: 'Equals', value: 'equals' },
			{ name: 'Exists', value: 'exists' },
		],
		default: 'equals',
	},
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: '',
		placeholder: 'e.g. track and trace',
		displayOptions: { show: { test: ['equals'] } },
	},
];

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description: 'An event that does not pass is answered with success and starts nothing',
	options: [
		{
			displayName: 'Load Number',
			name: 'loadNumber',
			type: 'string',
			default: '',
			placeholder: 'e.g. 48213',
			description: 'Only events about this load; load ID and metadata are looked at, too',
		},
		{
			displayName: 'Metadata',
			name: 'metadata',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			placeholder: 'Add Condition',
			description: 'Conditions on what was given with the call; all of them have to hold',
			options: [{ displayName: 'Condition', name: 'condition', values: condition }],
		},
	],
};

/** Values that the trigger needs and nobody has to fill in. */
const hidden: INodeProperties[] = [
	{
		// n8n 2.41, webhook-helpers.js: with `options.binaryData` a node of version 1 gets the body
		// unread. Else n8n would answer unreadable bodies itself, strangers' too, with 422 and 500.
		displayName: 'Options',
		name: 'options',
		type: 'hidden',
		default: { binaryData: true },
	},
	{
		// The only way for a webhook to learn the address of its n8n's waiting webhooks.
		displayName: 'Own Waiting Address',
		name: 'ownWaitingAddress',
		type: 'hidden',
		default: '={{ $execution.resumeUrl }}',
	},
];

/** The trigger's form. */
export const triggerProperties: INodeProperties[] = [
	setupNotice,
	...authentication,
	...kinds,
	filters,
	eventOptions,
	...hidden,
];
