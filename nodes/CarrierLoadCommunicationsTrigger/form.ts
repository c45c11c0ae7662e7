import type { IWebhookFunctions } from 'n8n-workflow';

import { moreNames, OUTCOME, recordOutput } from '../shared/columns/records';
import { fields, collection } from '../shared/fields/collection';
import { Parameters } from '../shared/fields/parameters';
import { choice, notice, texts, flag, text } from '../shared/fields/simpleFields';

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
	ignoreRepeats: flag({
		label: 'Ignore Duplicates',
		default: true,
		about:
			'Whether to ignore duplicate deliveries. They are acknowledged but do not start the workflow.',
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
		],
		default: 'resumeOnly',
		about: 'What to do with an event about a call that a workflow is waiting for',
	}),
});

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
	kinds: texts({
		label: 'Event Types',
		example: 'call.completed, call.failed',
		about:
			'Event types that start the workflow, as the service names them, separated by commas. If empty, all except those during a call (ringing, tool calls, partial transcripts).',
		editor: { noDataExpression: true },
	}),
	output: recordOutput(
		{ all: 'Also the event as received, with metadata and extracted data as objects' },
		'outcome',
		[OUTCOME],
	),
	moreNames,
	eventOptions,
});

export const triggerProperties = form.properties;

export type TriggerSettings = ReturnType<typeof readSettings>;

/** Reads the trigger's fields. @throws InvalidParameter; n8n then responds with 500 and logs it */
export function readSettings(context: IWebhookFunctions) {
	const read = form.read(new Parameters(context));
	return {
		...read.eventOptions,
		authentication: read.authentication,
		types: read.kinds.map((type) => type.toLowerCase()),
		output: { level: read.output, moreNames: read.moreNames, zone: context.getTimezone() },
	};
}
