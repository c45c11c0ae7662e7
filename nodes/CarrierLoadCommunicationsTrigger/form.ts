import type { IWebhookFunctions } from 'n8n-workflow';

import { recordOutput } from '../shared/columns/records';
import { isScalar, ownField } from '../shared/events/event';
import { fields, collection } from '../shared/fields/collection';
import { propertiesOf, type Field } from '../shared/fields/field';
import { Parameters } from '../shared/fields/parameters';
import { choice, notice, texts, flag, text } from '../shared/fields/simpleFields';
import { moreNames, OUTCOME } from '../shared/outcome/moreNames';
import { isJsonObject } from '../shared/service/json';

/**
 * The collection "Options". It is not called `options`: n8n 2.41 reads some fields of a webhook node's
 * parameter of that name itself (live-webhooks.js, `findAccessControlOptions`).
 */
const eventOptions = collection('Options', 'Add Option', {
	allowedAddresses: text({
		label: 'Allowed IP Addresses',
		default: '',
		example: '203.0.113.7, 198.51.100.0/24, 2001:db8::/32',
		about: 'IP addresses and CIDR ranges that may send events, separated by commas',
	}),
	eventIdField: text({
		label: 'Event ID Field',
		default: '',
		example: 'eventId',
		about:
			'Path to the event ID used to detect duplicates. If empty, a signed event ID is used, or else identical content within an hour.',
	}),
	eventListField: text({
		label: 'Event List Field',
		default: '',
		example: 'batch.events',
		about: 'Path to the list when one request contains several events. Leave empty to detect it.',
	}),
	healthCheck: flag({
		label: 'Health Check',
		default: false,
		about:
			'Whether to respond to GET and HEAD requests with success, for senders that test the URL',
	}),
	ignoreRepeats: flag({
		label: 'Ignore Duplicates',
		default: true,
		about:
			'Whether to ignore duplicate deliveries. They are acknowledged but do not start the workflow.',
	}),
	includeLiveEvents: flag({
		label: 'Include Live Events',
		default: false,
		about:
			'Whether events during a call (ringing, answered, tool calls, partial transcripts, status updates) start the workflow, too. Otherwise they are only acknowledged.',
	}),
	metadataField: text({
		label: 'Metadata Field',
		default: '',
		example: 'data.attributes.metadata',
		about: 'Path to the metadata of the call. Leave empty to detect it.',
	}),
	resume: choice({
		label: 'Waiting Calls',
		choices: [
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
		about: 'What to do with an event about a call that a workflow is waiting for',
	}),
});

export interface MetadataCondition {
	key: string;
	/** If undefined, the key must exist with any value. */
	equals?: string;
}

const condition = propertiesOf({
	key: text({ label: 'Key', example: 'team' }),
	test: choice({
		label: 'Test',
		choices: [
			{ name: 'Equals', value: 'equals' },
			{ name: 'Exists', value: 'exists' },
		],
		default: 'equals',
	}),
	value: text({ label: 'Value', example: 'track and trace', show: { test: ['equals'] } }),
});

const metadata: Field<MetadataCondition[]> = {
	properties: (name) => [
		{
			displayName: 'Metadata',
			name,
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			placeholder: 'Add Condition',
			description: 'Conditions on the metadata of the call. All of them must be met.',
			options: [{ displayName: 'Condition', name: 'condition', values: condition }],
		},
	],
	read: (parameters, name) => readConditions(parameters.raw(`${name}.condition`)),
};

const filterFields = collection(
	'Filters',
	'Add Filter',
	{
		loadNumber: text({
			label: 'Load Number',
			default: '',
			narrows: true,
			example: '48213',
			about: 'Only events about this load, by its number or ID in the event or its metadata',
		}),
		metadata,
	},
	{ about: "Events that don't match are acknowledged but don't start the workflow" },
);

const form = fields({
	// Always shown, since a form can't depend on whether a credential is chosen (n8n 2.41).
	setupNotice: notice(
		'Needs a Carrier Load Communications Webhook API credential: only a sender with its secret can start this workflow.',
		{ authentication: ['webhook'] },
	),
	authentication: choice({
		label: 'Authentication',
		choices: [
			{
				name: 'Webhook Credential',
				value: 'webhook',
				description: 'Accept events only from a sender that has the secret',
			},
			{ name: 'None', value: 'none', description: 'Accept events from anyone who has the URL' },
		],
		default: 'webhook',
	}),
	openNotice: notice(
		'No credential is needed: anyone who has the URL can trigger this workflow with fake events.',
		{ authentication: ['none'] },
	),
	eventKinds: choice({
		label: 'Event Types',
		choices: [
			{
				name: 'All',
				value: 'all',
				description: 'Start the workflow for every event except live call events',
			},
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
		about: 'Which event types start the workflow',
		editor: { noDataExpression: true },
	}),
	kinds: texts({
		label: 'Types',
		required: true,
		example: 'call.completed, call.failed',
		show: { eventKinds: ['only', 'split'] },
		about:
			'Event types as the service names them, separated by commas. Receive one event and check its "event" field to see the type.',
		editor: { noDataExpression: true },
	}),
	filters: filterFields,
	output: recordOutput(
		{ all: 'Also the event as received, with metadata and extracted data as objects' },
		'outcome',
		[OUTCOME],
	),
	moreNames,
	eventOptions,
});

export const triggerProperties = form.properties;

/** The trigger's fields, read once per request. */
export type TriggerSettings = ReturnType<typeof readSettings>;

/** Reads the trigger's fields. @throws InvalidParameter; n8n then responds with 500 and logs it */
export function readSettings(context: IWebhookFunctions) {
	const {
		authentication,
		eventKinds,
		kinds,
		filters,
		output,
		moreNames: names,
		eventOptions,
	} = form.read(new Parameters(context));
	const { eventListField, metadataField, includeLiveEvents, ...options } = eventOptions;
	const types = [...new Set(kinds.map((type) => type.toLowerCase()))];
	return {
		...options,
		authentication,
		output: { level: output, moreNames: names, zone: context.getTimezone() },
		filters: { mode: eventKinds, types, liveEvents: includeLiveEvents, ...filters },
		paths: { list: eventListField, metadata: metadataField },
	};
}

function readConditions(conditions: unknown): MetadataCondition[] {
	if (!Array.isArray(conditions)) return [];
	return conditions.filter(isJsonObject).flatMap((each) => {
		const key = asText(ownField(each, 'key'));
		if (key === '') return [];
		const exists = ownField(each, 'test') === 'exists';
		return [exists ? { key } : { key, equals: asText(ownField(each, 'value')) }];
	});
}

function asText(value: unknown): string {
	if (typeof value === 'boolean') return String(value);
	return isScalar(value) ? String(value).trim() : '';
}
