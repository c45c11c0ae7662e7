import type { INodeParameters } from 'n8n-workflow';
import { OUTCOME_COLUMNS } from '../../../../nodes/shared/outcome/outcomeRecord.ts';
import { driver } from '../../support/calls/dispatch.mts';
import { useDispatch } from '../../support/calls/use-dispatch.mts';
import { sendEvent } from '../../support/calls/waiting.mts';

const dispatch = useDispatch();

const outcome: INodeParameters = { output: 'outcome' };
const byWebhook: INodeParameters = { ...outcome, waitForOutcome: 'webhook', waitLimit: 5 };
const byPolling: INodeParameters = {
	...{ ...outcome, waitForOutcome: 'polling', waitLimit: 1, pollInterval: 0.05 },
};

describe('Output: Outcome', () => {
	it('of a call whose event ends the wait is the same record as everywhere, then how it was placed', async () => {
		const called = driver();
		const moreNames = { eta: 'arrival_estimate, due' };
		const run = await dispatch.run({ ...byWebhook, moreNames }, { items: [called] });
		const callId = dispatch.sandbox.ledger.dialed().at(-1)?.callId;
		const { run: resumed } = await sendEvent(dispatch, run, {
			...{ event: 'call_ended', callId, createdAt: '2026-11-20T14:05:00Z' },
			extractedData: { arrivalEstimate: '3 PM', delay: '45 minutes', delay_reason: 'flat tire' },
			formattedTranscript: 'Agent: Hi\nDriver: Flat tire.\nAgent: ETA?\nDriver: Three or so.',
		});
		const [item] = resumed?.items ?? [];
		expect(item).toMatchObject({
			...{ callId: String(callId), loadNumber: called.load, phone: called.e164 },
			...{ outcome: 'reached', eta: '3 PM', delayed: true, delayMinutes: 45 },
			...{ delayReason: 'flat tire', endedAt: '2026-11-20T14:05:00.000Z' },
			...{ placement: 'placed', timedOut: false, metadata: { loadNumber: called.load } },
		});
		expect(Object.keys(item ?? {}).slice(0, OUTCOME_COLUMNS.length)).toEqual(OUTCOME_COLUMNS);
		expect(JSON.stringify(item)).not.toContain('webhook-waiting');
	});

	it.each([
		['check call', {}],
		['carrier sales call', { operation: 'triggerCarrierSalesCall', loadId: 'L0', dotNumber: 7 }],
		['agent call', { operation: 'createAgentCall', agentId: 'desk' }],
	])('of one %s comes from the call list', async (_kind, parameters) => {
		const running = dispatch.run({ ...byPolling, ...parameters }, { items: [driver()] });
		while (dispatch.dialed().length === 0) await new Promise((next) => setImmediate(next));
		await dispatch.sandbox.finishCalls();
		const [item] = (await running).items;
		expect(item).toMatchObject({ outcome: 'reached', timedOut: false, placement: 'placed' });
		expect(item?.['summary']).toEqual(expect.any(String));
	});

	it('of a call that reached voicemail is voicemail, not reached', async () => {
		const run = await dispatch.run(byWebhook);
		const { run: resumed } = await sendEvent(dispatch, run, {
			...{ event: 'call.completed', summary: 'Left a voicemail.' },
		});
		expect(resumed?.items).toMatchObject([{ outcome: 'voicemail', summary: 'Left a voicemail.' }]);
	});

	it('of a call that is not waited for, has not ended in time, or was not placed is unknown', async () => {
		const without = await dispatch.run(outcome);
		const late = await dispatch.run({ ...byPolling, waitLimit: 0.005 });
		const dry = await dispatch.run({ ...byPolling, callMode: 'dryRun' });
		const ended = { outcome: 'unknown', endedAt: null };
		expect(without.items).toMatchObject([{ ...ended, placement: 'placed' }]);
		expect(late.items).toMatchObject([{ ...ended, timedOut: true }]);
		expect(dry.items).toMatchObject([{ outcome: 'unknown', callId: null, placement: 'dryRun' }]);
		expect(without.items).toMatchObject([{ result: 'Called' }]);
		expect(late.items).toMatchObject([{ result: 'Called: no outcome yet' }]);
	});
});
