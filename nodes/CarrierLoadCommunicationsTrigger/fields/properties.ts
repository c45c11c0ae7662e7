import type { INodeProperties } from 'n8n-workflow';

import { eventOptions } from './eventOptions';

const setupNotice: INodeProperties = {
	displayName:
		'Give the production URL above to the service operator, who sets it as the webhook URL for call events. To try it out, execute this step and ask for a sample event to the test URL.',
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
				description: 'Accept events only from a sender that has the secret',
			},
			{
				name: 'None',
				value: 'none',
				description: 'Accept events from anyone who has the URL',
			},
		],
		default: 'webhook',
	},
	{
		displayName:
			'Anyone who has the URL can trigger this workflow with fake events. Use a webhook credential, or allow only the IP addresses of the service under Options.',
		name: 'openNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { authentication: ['none'] } },
	},
];

const eventTypes: INodeProperties[] = [
	{
		displayName: 'Event Types',
		name: 'eventKinds',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'All', value: 'all', description: 'Start the workflow for every event after a call' },
			{
				name: 'One Output per Type',
				value: 'split',
				description:
					'Route each event type to its own output; anything else goes to the last output',
			},
			{
				name: 'Only These',
				value: 'only',
				description: 'Start the workflow for some event types only',
			},
		],
		default: 'all',
		description: 'Which event types start the workflow',
	},
	{
		displayName: 'Types',
		name: 'kinds',
		type: 'string',
		noDataExpression: true,
		default: '',
		required: true,
		placeholder: 'e.g. call.completed, call.failed',
		displayOptions: { show: { eventKinds: ['only', 'split'] } },
		description:
			'Event types as the service names them, separated by commas. Receive one event and check its "event" field to see the type.',
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
	description: "Events that don't match are acknowledged but don't start the workflow",
	options: [
		{
			displayName: 'Load Number',
			name: 'loadNumber',
			type: 'string',
			default: '',
			placeholder: 'e.g. 48213',
			description: 'Only events about this load, by its number or ID in the event or its metadata',
		},
		{
			displayName: 'Metadata',
			name: 'metadata',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			placeholder: 'Add Condition',
			description: 'Conditions on the metadata of the call. All of them must be met.',
			options: [{ displayName: 'Condition', name: 'condition', values: condition }],
		},
	],
};

/** Not for the user to fill in. */
const rawBody: INodeProperties = {
	// n8n 2.41, webhook-helpers.js: with `options.binaryData` a node of version 1 gets the body
	// unread. Otherwise n8n would answer unreadable bodies itself, even a stranger's, with 422 or 500.
	displayName: 'Options',
	name: 'options',
	type: 'hidden',
	default: { binaryData: true },
};

/** The trigger's form. */
export const triggerProperties: INodeProperties[] = [
	setupNotice,
	...authentication,
	...eventTypes,
	filters,
	eventOptions,
	rawBody,
];
