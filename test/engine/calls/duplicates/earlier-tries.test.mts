import { waitUntil } from '../../../support/wait-until.mts';
import { checkCall, drivers } from '../../support/calls/dispatch.mts';
import { itemLoop } from '../../support/calls/waiting.mts';
import type { EngineRun } from '../../support/harness/index.mts';
import { hoursRule, useDispatch } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();

/**
 * An execution that placed its first call and failed at the second. Its rules are changed
 * afterwards.
 */
async function failedAtSecond(rules: object) {
	dispatch.sandbox.faults.add({
		...{ endpoint: 'triggerCheckCall', skip: 1, times: 1 },
		fault: { kind: 'status', status: 422 },
	});
	const failed = await dispatch.run({}, { items: drivers(2) });
	const [first] = dispatch.sandbox.ledger.dialed();
	if (!first) throw new Error('Nothing was placed');
	change(failed, { rules: { ...rules } });
	return { failed, first };
}

/** Somebody edits the workflow before the execution is retried. */
function change({ workflow }: EngineRun, parameters: object) {
	const node = workflow.getNode('Call');
	if (node) node.parameters = { ...checkCall, ...parameters };
}

/** Days that are neither today nor adjacent to it, in any time zone. */
function closedToday() {
	const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
	const near = [6, 7, 8].map((ahead) => (new Date().getUTCDay() + ahead) % 7);
	const hours = { from: '06:00', to: '20:00' };
	return { ...hours, days: days.filter((_day, index) => !near.includes(index)) };
}

describe('a call that an earlier try placed', () => {
	it("remains its item's call after the calling hours close", async () => {
		const { failed, first } = await failedAtSecond(
			hoursRule({ ...closedToday(), outside: 'skip' }),
		);
		const { items } = await dispatch.engine.retry(failed);
		expect(items).toMatchObject([
			{ placement: 'placed', callId: first.callId },
			{ placement: 'outsideHours' },
		]);
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it("remains its item's call after the number is added to the do-not-call list", async () => {
		const { failed, first } = await failedAtSecond({ doNotCall: '={{ $json.e164 }}' });
		const { items } = await dispatch.engine.retry(failed);
		expect(items).toMatchObject([
			{ placement: 'placed', callId: first.callId },
			{ placement: 'doNotCall' },
		]);
	});

	it('is named in the error of a later try that places no call', async () => {
		const { failed, first } = await failedAtSecond(hoursRule(closedToday()));
		const { error } = await dispatch.engine.retry(failed);
		expect(error?.message).toMatch(
			/^The call was placed\. 1 call was placed before this failed: .* outside the calling hours/,
		);
		expect(error?.description).toMatch(
			`Placed before the node stopped: 1 (call IDs ${first.callId})`,
		);
	});
});

describe('a try that fails before it reads the items', () => {
	const before: Array<[string, object]> = [
		['Max Calls per Run was lowered', { rules: { maxCalls: 1 } }],
		['it is to wait for an event, which works for one item only', { waitForOutcome: 'webhook' }],
		['a field for all items is invalid', { options: { callsInParallel: 500 } }],
		['the fields of all items are invalid', { toPhone: 'nobody' }],
	];

	it.each(before)('names the call of the earlier try when %s', async (_case, changed) => {
		const { failed, first } = await failedAtSecond({});
		change(failed, changed);
		const { error } = await dispatch.engine.retry(failed);
		expect(error?.message).toMatch(/^The call was placed\. 1 call was placed before this failed: /);
		expect(error?.description).toContain(`(call IDs ${first.callId})`);
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it.each(before)(
		'names it for each item with Continue on Fail when %s',
		async (_case, changed) => {
			const { failed, first } = await failedAtSecond({});
			change(failed, changed);
			const node = failed.workflow.getNode('Call');
			if (node) node.onError = 'continueRegularOutput';
			const { items } = await dispatch.engine.retry(failed);
			expect(items).toHaveLength(2);
			for (const { error, message } of items) {
				expect(error).toMatch(/^The call was placed\. 1 call was placed before this failed: /);
				expect(message).toContain(`(call IDs ${first.callId})`);
			}
		},
	);

	it('names a call whose outcome is unknown', async () => {
		const [one] = drivers(1);
		if (!one) throw new Error('no driver');
		dispatch.fail({ kind: 'reset', when: 'before' });
		const failed = await dispatch.run({}, { items: [one] });
		change(failed, { toPhone: 'nobody' });
		const { error } = await dispatch.engine.retry(failed);
		expect(error?.message).toMatch(
			/^The phone may have rung\. 1 call may have been placed before this failed: To Phone/,
		);
		expect(error?.description).toContain(`check call to ${one.phone} (load ${one.load})`);
	});

	it('names no calls of another node or another iteration of a loop', async () => {
		const json = itemLoop({
			waitForOutcome: 'no',
			toPhone: '={{ $runIndex ? "nobody" : $json.phone }}',
		});
		const execution = await dispatch.execution({}, { items: drivers(2) }, json);
		const { error } = await execution.start();
		expect(error?.message).toMatch(/^No phone rang\. To Phone/);
		expect(dispatch.dialed()).toHaveLength(1);
	});
});

describe('Stop while the node polls for outcomes', () => {
	const stopped = async (node: object) => {
		const stop = new AbortController();
		const running = dispatch.run(
			{ waitForOutcome: 'polling', pollInterval: 60 },
			{ items: drivers(2), signal: stop.signal, node },
		);
		const { ledger } = dispatch.sandbox;
		await waitUntil('the first look', () => ledger.requests('listCalls').length > 0);
		stop.abort();
		return await running;
	};

	it('says which calls were placed', async () => {
		const { error } = await stopped({});
		expect(error?.message).toBe('The call was placed. The execution was canceled');
		const ids = dispatch.sandbox.ledger.dialed().map(({ callId }) => callId);
		expect(error?.description).toMatch(
			`Placed before the node stopped: 2 (call IDs ${ids.join(', ')})`,
		);
	});

	it('gives each item the error that its call was placed, with Continue on Fail', async () => {
		const { items } = await stopped({ onError: 'continueRegularOutput' });
		expect(items).toMatchObject(
			Array(2).fill({ error: 'The call was placed. The execution was canceled' }),
		);
	});
});
