import { checkCall, drivers, openDispatch, type Dispatch } from '../../support/calls/dispatch.mts';

let dispatch: Dispatch;
beforeAll(async () => {
	dispatch = await openDispatch();
});
afterAll(() => dispatch.close());
beforeEach(() => dispatch.reset());

/** An execution that placed its first call and failed at its second; rules are changed after it. */
async function failedAtSecond(rules: object) {
	dispatch.sandbox.faults.add({
		...{ endpoint: 'triggerCheckCall', skip: 1, times: 1 },
		fault: { kind: 'status', status: 422 },
	});
	const failed = await dispatch.run({}, { items: drivers(2) });
	const [first] = dispatch.sandbox.ledger.dialed();
	const node = failed.workflow.getNode('Call');
	if (!first || !node) throw new Error('Nothing was placed');
	node.parameters = { ...checkCall, rules: { ...rules } };
	return { failed, first };
}

/** Days that are neither today nor next to it, in whatever zone. */
function closedToday() {
	const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
	const near = [6, 7, 8].map((ahead) => (new Date().getUTCDay() + ahead) % 7);
	return { hoursDays: days.filter((_day, index) => !near.includes(index)) };
}

describe('a call that an earlier try placed', () => {
	it("remains its item's call after the calling hours close", async () => {
		const { failed, first } = await failedAtSecond({ ...closedToday(), outsideHours: 'skip' });
		const { items } = await dispatch.engine.retry(failed);
		expect(items).toMatchObject([
			{ placement: 'placed', callId: first.callId },
			{ placement: 'outsideHours', callId: null },
		]);
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it("remains its item's call after the number is added to the do-not-call list", async () => {
		const { failed, first } = await failedAtSecond({ doNotCall: '={{ $json.e164 }}' });
		const { items } = await dispatch.engine.retry(failed);
		expect(items).toMatchObject([
			{ placement: 'placed', callId: first.callId },
			{ placement: 'doNotCall', callId: null },
		]);
	});

	it('is named in the error of a later try that calls nobody', async () => {
		const { failed, first } = await failedAtSecond(closedToday());
		const { error } = await dispatch.engine.retry(failed);
		expect(error?.message).toMatch(/^No phone rang for this item\. .* outside the calling hours/);
		expect(error?.description).toMatch(
			`Placed before the node stopped: 1 (call IDs ${first.callId})`,
		);
	});
});

describe('Stop while the node polls for outcomes', () => {
	const stopped = async (node: object) => {
		const stop = new AbortController();
		const running = dispatch.run(
			{ waitForOutcome: 'polling', pollInterval: 60 },
			{ items: drivers(2), signal: stop.signal, node },
		);
		while (dispatch.sandbox.ledger.requests('listCalls').length === 0) {
			await new Promise((resolve) => setImmediate(resolve));
		}
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

	it('says so for each item with Continue on Fail', async () => {
		const { items } = await stopped({ onError: 'continueRegularOutput' });
		expect(items).toMatchObject(
			Array(2).fill({ error: 'The call was placed. The execution was canceled' }),
		);
	});
});
