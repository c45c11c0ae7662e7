import {
	MAYBE,
	NO,
	OPERATION_NAMES,
	OPERATIONS,
	placingFailures,
	type Failure,
	type OperationName,
} from '../support/calls/placing-failures.mts';
import { useDispatch } from '../support/calls/use-dispatch.mts';

// A dispatcher reads the first words of an error, and decides by them whether to call again.

const dispatch = useDispatch();

const ON_ERROR = ['stopWorkflow', 'continueRegularOutput'] as const;

/** The errors that a failed run shows, the one that it shows first in front. */
async function errorsOf(
	operation: OperationName,
	onError: (typeof ON_ERROR)[number],
	{ parameters, options }: Failure,
): Promise<string[]> {
	const own = { operation, ...OPERATIONS[operation](), options: { lookForLostAnswers: 0 } };
	const { items, error } = await dispatch.run(
		{ ...own, ...parameters },
		{ node: { onError }, ...options?.(dispatch) },
	);
	const shown = items.map((item) => String(item.error));
	return onError === 'stopWorkflow' ? [String(error?.message), ...shown] : shown;
}

describe.each(ON_ERROR)('on error %s', (onError) => {
	it.each(Object.entries(placingFailures))(
		'%s: the errors of every kind of call begin with whether a phone rang',
		async (_name, failure) => {
			const { says, of = OPERATION_NAMES } = failure;
			failure.setUp?.(dispatch);
			// The faults of the sandbox are for each operation, so the runs don't disturb each other.
			const shown = await Promise.all(of.map((each) => errorsOf(each, onError, failure)));
			const requests = (each: OperationName) => dispatch.sandbox.ledger.requests(each).length;
			const begin = /^(No phone rang|The phone may have rung|The call was placed)\. /;
			expect(
				shown.map(([first = '', ...more]) => ({
					says: first.slice(0, says.length),
					isClear: !/rang\..* rang\.|undefined|\[object/.test(first),
					unclear: more.filter((each) => !begin.test(each)),
				})),
			).toEqual(of.map(() => ({ says, isClear: true, unclear: [] })));
			if (says === NO) expect(dispatch.dialed()).toEqual([]);
			if (says === MAYBE) expect(of.map(requests)).toEqual(of.map(() => 1));
		},
	);
});

// n8n-core 2.41 (checkForWorkflowIssues) looks for these before the workflow starts.
it.each([
	['To Phone', { toPhone: '' }],
	['Load Number', { loadNumber: '' }],
	['Next Stop', { nextStopIndex: '' }],
	['Fields', { output: 'selected', selectedFields: [] }],
	['Load ID', { operation: 'triggerCarrierSalesCall', loadId: '', dotNumber: 7 }],
	['Agent ID', { operation: 'createAgentCall', agentId: '' }],
])('n8n itself does not start a workflow in which %s is empty', async (label, parameters) => {
	await expect(dispatch.run(parameters)).rejects.toThrow(`"${label}" is required`);
	expect(dispatch.sandbox.ledger.requests()).toEqual([]);
});
