import { choice, flag } from '../../shared/fields/choice';
import { collection } from '../../shared/fields/collection';
import { simpleField } from '../../shared/fields/simpleField';
import { text } from '../../shared/fields/text';
import { isJsonObject } from '../../shared/service/http/json';

const RESPONSE_CODES = [
	{ name: '200 (OK)', value: 200 },
	{ name: '201 (Created)', value: 201 },
	{ name: '202 (Accepted)', value: 202 },
	{ name: '204 (No Content)', value: 204 },
];

const responseBody = simpleField(
	'json',
	{
		label: 'Response Body',
		prefill: '{ "message": "Received" }',
		about: 'JSON body to return when the events are accepted',
	},
	(value) => (isJsonObject(value) ? JSON.stringify(value) : String(value)),
);

/** n8n reads it from the webhook's description, see `responseCode`. */
const responseCode = simpleField(
	'options',
	{
		label: 'Response Code',
		prefill: 200,
		about: 'HTTP status code to return when the events are accepted',
	},
	Number,
	{ options: RESPONSE_CODES },
);

/**
 * The collection "Options". It is not called `options`: n8n 2.41 reads some fields of a webhook node's
 * parameter of that name itself (live-webhooks.js, `findAccessControlOptions`).
 */
export const eventOptions = collection('Options', 'Add Option', {
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
			'Path to the event ID used to detect duplicates. If empty, events with identical content within an hour count as duplicates.',
	}),
	eventIdHeader: text({
		label: 'Event ID Header',
		default: '',
		example: 'X-Event-ID',
		about: 'Header with the event ID, if the ID is not in the event itself',
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
	includeHeaders: flag({
		label: 'Include Headers',
		default: false,
		about:
			'Whether to include the request headers in the output. Headers that carry a secret are always left out.',
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
	...{ responseBody, responseCode },
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
