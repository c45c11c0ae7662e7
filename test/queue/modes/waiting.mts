import { waitUntil } from '../../support/wait-until.mts';
import { SAVED, type Waits } from './waits.mts';

/** What has begun to wait before. */
export function testWaiting(waits: Waits): void {
	const dialed = () => waits.sandbox.ledger.dialed();

	it('continues with timedOut when the time is up, whichever executions n8n saves', async () => {
		const called = waits.timedOut;
		expect(called).toHaveLength(2 * SAVED.length);
		const haveReported = () => called.every((one) => waits.reported(one).length > 0);
		await waitUntil('four reports', haveReported);
		for (const one of called) {
			expect(waits.callsTo(one)).toHaveLength(1);
			const [{ callId } = {}] = waits.callsTo(one);
			expect(waits.reported(one)).toEqual([expect.objectContaining({ timedOut: true, callId })]);
		}
	});

	it('calls and waits again in a workflow that does so when the time is up', async () => {
		const one = waits.calledAgain;
		await waitUntil('the second call', () => waits.callsTo(one).length === 2);
		await waitUntil('its wait', async () => await waits.waitsAgain());
		const [first, second] = waits.callsTo(one);
		// The late event of the first call must not end the wait for the second.
		await waits.sandbox.finishCalls();
		await waitUntil('the report', () => waits.reported(one).length > 0);
		expect(waits.reported(one)).toEqual([
			expect.objectContaining({ timedOut: false, callId: second?.callId }),
		]);
		expect(first?.callId).not.toBe(second?.callId);
		expect(waits.callsTo(one)).toHaveLength(2);
	});

	it('continues with event and outcome, whichever executions n8n saves', async () => {
		const before = dialed().length;
		const five = SAVED.map(async (saved) => await waits.post(5, saved, 30));
		const called = (await Promise.all(five)).flat();
		// n8n deletes a successful execution only once its process learns of the success.
		await new Promise((resolve) => setTimeout(resolve, 3000));
		await waits.sandbox.finishCalls();
		const haveReported = () => called.every((one) => waits.reported(one).length > 0);
		await waitUntil('ten outcomes', haveReported);
		for (const one of called) {
			expect(waits.reported(one)).toEqual([
				expect.objectContaining({ timedOut: false, summary: expect.any(String) }),
			]);
		}
		expect(dialed()).toHaveLength(before + 10);
	});

	it('calls no one else, and reports no one twice', () => {
		const { timedOut, reports } = waits;
		const withOneCall = timedOut.length + 5 * SAVED.length;
		expect(dialed()).toHaveLength(withOneCall + 2);
		expect(reports.items).toHaveLength(withOneCall + 1);
	});
}
