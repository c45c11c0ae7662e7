import { flag } from '../../shared/fields/simpleFields';
import { output } from '../fields/output';

export const OUTCOME_COLUMNS =
	'outcome optOut eta arrivedAt delayed delayMinutes delayReason offeredRate summary'.split(' ');

/** The first columns: what a person reads. The item's own input fields come next. */
export const FIRST =
	`loadNumber contact result outcome summary optOut eta arrivedAt delayed delayMinutes
	delayReason offeredRate contentTags timedOut placement placementReason nextAllowedAt status callId
	conversationId toPhone fromPhone testCallFor dotNumber agentId localTime createdAt updatedAt
	recordingUrl`.split(/\s+/);

export const CALL_FIELDS = {
	simplified: [...FIRST, 'metadata', 'transcript', 'extracted', 'dynamicVariables', 'request'],
	more: ['loadId', 'nextStopIndex', 'answer', 'listedCall', 'event'],
	areCalls: true,
	hasOwnOrder: true,
};

/** Kept from the input if the call has none: they say what it is about, and nothing of an earlier call. */
const SUBJECT_FIELDS = ['loadNumber', 'contact', 'dotNumber', 'agentId', 'loadId', 'nextStopIndex'];

/** Input fields that would be taken for this call's, such as the `callId` of a sheet's last run. */
export const NOT_KEPT = new Set(
	[...CALL_FIELDS.simplified, ...CALL_FIELDS.more, 'error'].filter(
		(name) => !SUBJECT_FIELDS.includes(name),
	),
);

export const callOutput = {
	output: output(CALL_FIELDS, {
		simplified: 'The call as one flat row, for a spreadsheet or a message',
		all: "The same, plus the service's raw response",
	}),
	includeInputFields: flag({
		label: 'Include Input Fields',
		default: true,
		about:
			"Whether to include the item's own input fields. The call's fields take precedence over input fields of the same name.",
		editor: { displayOptions: { hide: { '@tool': [true] } } },
	}),
};
