import type { IWebhookFunctions } from 'n8n-workflow';

import { choice, notice } from '../../shared/fields/choice';
import { fields } from '../../shared/fields/form';
import { recordOutput } from '../../shared/columns/recordOutput';
import { Parameters } from '../../shared/fields/parameters';
import { texts } from '../../shared/fields/text';
import { eventOptions } from './eventOptions';
import { filterFields } from './filterFields';

const SAMPLE_EVENT =
	'https://github.com/carrier-load-communications/n8n-nodes-carrier-load-communications/blob/main/docs/triggers.md#send-a-sample-event';

const TRY_OUT = `To try it out, execute this step and send a <a href="${SAMPLE_EVENT}" target="_blank">sample event</a> to the test URL. Then publish the workflow and give the production URL to the service operator, who sets it as the webhook URL for call events.`;

const form = fields({
	// While the credential is missing, n8n 2.41 disables the button and leaves the panel empty.
	setupNotice: notice(`Without a webhook credential, this step can't be executed. ${TRY_OUT}`, {
		authentication: ['webhook'],
	}),
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
		`Anyone who has the URL can trigger this workflow with fake events. Use a webhook credential, or allow only the IP addresses of the service under Options. ${TRY_OUT}`,
		{ authentication: ['none'] },
	),
	eventKinds: choice({
		label: 'Event Types',
		choices: [
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
	// The contract (6) shows no event, so nothing is left out unless the user asks for that.
	output: recordOutput(
		{ all: 'Also the event as received, with metadata and extracted data as objects' },
		'all',
	),
	eventOptions,
});

export const triggerProperties = form.properties;

/** The trigger's fields, read once per request. */
export type TriggerSettings = ReturnType<typeof readSettings>;

/** Reads the trigger's fields. @throws InvalidParameter; n8n then responds with 500 and logs it */
export function readSettings(context: IWebhookFunctions) {
	const { authentication, eventKinds, kinds, filters, output, eventOptions } = form.read(
		new Parameters(context),
	);
	const { eventListField, metadataField, ignoreRepeats, includeLiveEvents, ...options } =
		eventOptions;
	const types = [...new Set(kinds.map((type) => type.toLowerCase()))];
	return {
		...options,
		authentication,
		output,
		filters: { mode: eventKinds, types, liveEvents: includeLiveEvents, ...filters },
		paths: { list: eventListField, metadata: metadataField },
		ignoreDuplicates: ignoreRepeats,
		responseBody: options.responseBody ?? '',
	};
}
