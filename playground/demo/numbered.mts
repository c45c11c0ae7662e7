import type { Example } from './examples.mts';

/** The two workflows of the sample check call, by the IDs in their files in examples/. */
export const CALLING_WORKFLOW = 'tmsEventToCheckCall';
export const OUTCOME_WORKFLOW = 'callOutcomeToTable';

/** The workflow to try after the sample check call: it runs at a click and shows a call on the canvas. */
export const MANUAL_WORKFLOW = 'checkCallAndWait';

/** What a newcomer opens first. All others follow in the order of their files. */
const FIRST = [
	...[CALLING_WORKFLOW, OUTCOME_WORKFLOW, MANUAL_WORKFLOW, 'laneToCarriers', 'callBoard'],
	...['checkCallsOrByHand', 'checkCallsInHours', 'noAnswerLadder', 'detentionClock'],
	...['newBidsToTable', 'yesterdaysReport'],
];

/** The examples in the order to try them, with names that say it: "1 · Start here: …", "2 · …". */
export function numbered(examples: Example[]): Example[] {
	const rank = ({ id }: Example) => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length);
	return examples
		.toSorted((one, other) => rank(one) - rank(other))
		.map((example, index) => ({
			...example,
			name: `${index + 1} · ${index === 0 ? 'Start here: ' : ''}${example.name}`,
		}));
}
