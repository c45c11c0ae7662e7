import { collection } from '../fields/collection';
import type { Field } from '../fields/field';
import { type Choice, texts } from '../fields/simpleFields';
import type { MoreNames } from './outcomeRecord';

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
