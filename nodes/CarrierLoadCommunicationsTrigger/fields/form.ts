import type { IWebhookFunctions } from 'n8n-workflow';

import { choice, notice } from '../../shared/fields/choice';
import { fields } from '../../shared/fields/field';
import { Parameters } from '../../shared/fields/parameters';
import { texts } from '../../shared/fields/text';
import type { IdentitySettings } from '../deliver/eventIdentity';
import type { EventFilters } from '../deliver/filters';
import type { EventPaths } from '../parse/readEvents';
import { eventOptions } from './eventOptions';
import { filterFields } from './filterFields';

const form = fields({
	setupNotice: notice(
		'Give the production URL above to the service operator, who sets it as the webhook URL for call events. To try it out, execute this step and ask for a sample event to the test URL.',
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
		'Anyone who has the URL can trigger this workflow with fake events. Use a webhook credential, or allow only the IP addresses of the service under Options.',
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
	...{ filters: filterFields, eventOptions },
});

/** The trigger's form. */
export const triggerProperties = form.properties;

/** The trigger's fields, read once per request. */
export interface TriggerSettings extends IdentitySettings {
	authentication: 'none' | 'webhook';
	filters: EventFilters;
	allowedAddresses: string;
	paths: EventPaths;
	healthCheck: boolean;
	ignoreDuplicates: boolean;
	includeHeaders: boolean;
	resume: 'resumeOnly' | 'resumeAndStart' | 'off';
	/** JSON text for the response; empty for the trigger's own. */
	responseBody: string;
}

/** Reads the trigger's fields. @throws InvalidParameter; n8n then responds with 500 and logs it */
export function readSettings(context: IWebhookFunctions): TriggerSettings {
	const { authentication, eventKinds, kinds, filters, eventOptions } = form.read(
		new Parameters(context),
	);
	const { eventListField, metadataField, ignoreRepeats, includeLiveEvents, ...options } =
		eventOptions;
	const types = [...new Set(kinds.map((type) => type.toLowerCase()))];
	return {
		...options,
		authentication,
		filters: { mode: eventKinds, types, liveEvents: includeLiveEvents, ...filters },
		paths: { list: eventListField, metadata: metadataField },
		ignoreDuplicates: ignoreRepeats,
		responseBody: options.responseBody ?? '',
	};
}
