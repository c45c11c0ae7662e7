import type { INodeParameters } from 'n8n-workflow';
import { driver } from '../../support/calls/dispatch.mts';
import { useDispatch } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();

const byWebhook: INodeParameters = { waitForOutcome: 'webhook', waitLimit: 60 };
const list = (fault: object) =>
	dispatch.sandbox.faults.add({ endpoint: 'listCalls', times: 'always', fault: fault as never });

describe("the editor's Retry of an execution whose call was placed", () => {
	// The event goes to the execution that placed the call, which has ended.
	it.each([
		['', {}],
		[', also without the workflow in its metadata', { addReference: false }],
	])('does not wait for the event of a call it remembers%s', async (_how, options) => {
		const items = [driver()];
		const stop = new AbortController();
		list({ kind: 'latency', ms: 500 });
		const running = dispatch.run({ ...byWebhook, options }, { items, signal: stop.signal });
		while (dispatch.dialed().length === 0) await new Promise((next) => setImmediate(next));
		while (dispatch.sandbox.ledger.requests('listCalls').length === 0) {
			await new Promise((next) => setImmediate(next));
		}
		stop.abort();
		const stopped = await running;
		expect(stopped.status).toBe('canceled');
		dispatch.sandbox.faults.clear();
		const retried = await dispatch.engine.retry(stopped);
		expect(retried.status).toBe('success');
		expect(retried.items).toEqual([expect.objectContaining({ timedOut: true })]);
		expect(retried.items[0]?.placementReason).toMatch('did not wait');
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('does not wait for the event of a call it finds in the list', async () => {
		const items = [driver()];
		list({ kind: 'status', status: 501 });
		dispatch.fail({ kind: 'truncated' });
		const failed = await dispatch.run(byWebhook, { items });
		expect(failed.status).toBe('error');
		dispatch.sandbox.faults.clear();
		const retried = await dispatch.engine.retry(failed);
		expect(retried.status).toBe('success');
		expect(retried.items).toEqual([expect.objectContaining({ timedOut: true })]);
		expect(retried.items[0]?.placementReason).toMatch('did not wait');
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('waits for the event of a call it places itself', async () => {
		dispatch.fail({ kind: 'callNull' });
		const failed = await dispatch.run(byWebhook, { items: [driver()] });
		expect(failed.status).toBe('error');
		expect((await dispatch.engine.retry(failed)).status).toBe('waiting');
		expect(dispatch.dialed()).toHaveLength(1);
	});
});
