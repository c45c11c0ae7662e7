import { driver } from '../support/calls/dispatch.mts';
import { useDispatch } from '../support/calls/use-dispatch.mts';

const dispatch = useDispatch();

/** While it notes in n8n's table that a listed call is its own: the call's entry, its own, and a third. */
const NOTED_FOR_ONE_CALL = 3;

/** Loses the response of a call that was placed, and does something right after its claim was noted. */
async function claimed(onNoted: (stop: AbortController) => void) {
	const stop = new AbortController();
	const { processedData } = dispatch;
	const note = processedData.checkProcessedAndRecord.bind(processedData);
	const spied = jest.spyOn(processedData, 'checkProcessedAndRecord');
	spied.mockImplementation(async (items, ...more) => {
		const known = await note(items, ...more);
		if (items.length === NOTED_FOR_ONE_CALL) onNoted(stop);
		return known;
	});
	dispatch.fail({ kind: 'reset', when: 'after' });
	const options = { lookForLostAnswers: 2 };
	const run = await dispatch.run({ options }, { items: [driver()], signal: stop.signal });
	spied.mockRestore();
	return run;
}

describe('a lost call that was found in the list', () => {
	it('is still its own after a Stop at that moment', async () => {
		const stopped = await claimed((stop) => stop.abort());
		expect(stopped.status).toBe('canceled');
		const { items } = await dispatch.engine.retry(stopped);
		const [dialed] = dispatch.sandbox.ledger.dialed();
		expect(items).toMatchObject([{ placement: 'reconciled', callId: dialed?.callId }]);
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it("is still its own if n8n's table cannot be read anymore", async () => {
		const { items } = await claimed(() => Object.assign(dispatch.processedData, { broken: true }));
		const [dialed] = dispatch.sandbox.ledger.dialed();
		expect(items).toMatchObject([{ placement: 'reconciled', callId: dialed?.callId }]);
	});
});
