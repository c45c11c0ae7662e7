import { collection } from '../fields/collection';
import type { Field, Choice } from '../fields/fieldTypes';
import { choice, texts } from '../fields/simpleFields';
import type { MoreNames } from '../outcome/outcomeRecord';

/** The fields of a record: by their column's name or, without a column, by the contract's. */
export interface RecordFields {
	/** What a dispatcher needs; returned by default. */
	simplified: readonly string[];
	/** Only with All Fields or Selected Fields. */
	more: readonly string[];
	/** The column of the record's own `id`, if it has one. */
	idName?: string;
	/** Whether Simplified has its own order instead of the usual one. */
	hasOwnOrder?: boolean;
	/** Whether Simplified also keeps unknown fields. */
	keepUnknown?: boolean;
	/** Whether they are calls, which have an outcome. */
	areCalls?: boolean;
	/** The key of the list in the service's answer, if it isn't the list's name. */
	key?: string;
}

const carrierStanding = ['carrierHwConnectionStatus', 'carrierHwRulesAssessment'];

/** The service's lists of a time range, GET /api/v1/{name} (contract 4.2), and their fields (2.2, 2.3, 2.5). */
export const RECORDS = {
	calls: {
		simplified: [
			...['localTime', 'createdAt', 'loadNumber', 'callerName', 'toPhone', 'fromPhone'],
			...['mcNumber', 'dotNumber', 'contentTags', 'summary', 'callId'],
		],
		more: ['callerExt', ...carrierStanding, 'recordingUrl', 'transcript'],
		idName: 'callId',
		areCalls: true,
	},
	conversations: {
		simplified: [
			...['localTime', 'createdAt', 'loadNumber', 'callerName', 'fromPhone', 'emailFrom'],
			...['mcNumber', 'type', 'emailSubject', 'summary', 'totalBids', 'bidAmounts'],
			'conversationId',
		],
		more: ['dotNumber', 'callerExt', 'contentTags', ...carrierStanding],
		idName: 'conversationId',
	},
	bids: {
		// Few enough to return all of them.
		simplified: [
			...['localTime', 'createdAt', 'loadNumber', 'origin', 'destination', 'callerName'],
			...['phoneNumber', 'extension', 'mcNumber', 'dotNumber', 'summary'],
		],
		more: [],
		key: 'salesBids',
	},
} as const satisfies Record<string, RecordFields>;

export type ListName = keyof typeof RECORDS;

/** "Output": how much of each record to return. @param more options besides these two */
export function recordOutput<More extends string = never>(
	{
		simplified = 'The most useful fields, flat like a spreadsheet row',
		all = 'Everything the service sends',
	}: { simplified?: string; all?: string } = {},
	initially: 'simplified' | 'all' | NoInfer<More> = 'simplified',
	more: Array<Choice<More>> = [],
): Field<'simplified' | 'all' | NoInfer<More>> {
	return choice<'simplified' | 'all' | More>({
		label: 'Output',
		choices: [
			{ name: 'Simplified', value: 'simplified', description: simplified },
			{ name: 'All Fields', value: 'all', description: all },
			...more,
		],
		default: initially,
		about:
			"How much of each record to return. localTime, where a record has a time, is in the workflow's time zone (workflow settings → Timezone).",
	});
}

export const OUTCOME: Choice<'outcome'> = {
	name: 'Outcome',
	value: 'outcome',
	description:
		'How the call ended, in the same columns everywhere: reached or not, opt-out, ETA, delay, rate, summary',
};

const names = (label: string, example: string) =>
	texts({
		...{ label, example },
		about: 'Names under which your agent extracts it, separated by commas',
	});

/** Names of columns for an agent that doesn't use the usual ones. */
export const moreNames: Field<MoreNames> = collection(
	'More Names',
	'Add Column',
	{
		arrivedAt: names('Arrived At', 'docked_at'),
		delayed: names('Delayed', 'behind_schedule'),
		delayMinutes: names('Delay Minutes', 'late_by_min'),
		delayReason: names('Delay Reason', 'why_late'),
		eta: names('ETA', 'arrival_estimate'),
		loadNumber: names('Load Number', 'pro_number'),
		offeredRate: names('Offered Rate', 'all_in_price'),
		optOut: names('Opt-Out', 'no_more_calls'),
		outcome: names('Outcome', 'call_status'),
		summary: names('Summary', 'notes'),
	},
	{
		about: 'Other names under which your agent extracts a column, besides the usual ones',
		show: { output: ['outcome'] },
	},
);
