import { OUTCOME_COLUMNS } from '../../../nodes/shared/outcome/outcomeRecord.ts';
import { startEngine, type Engine } from '../support/harness/index.mts';
import { openPublishing } from '../support/triggers/published-trigger.mts';
import { clock, iso, MINUTE, setClock, start } from '../support/triggers/simulated-clock.mts';
import { senderTo } from '../support/triggers/webhook-sender.mts';

const { openService, publish } = openPublishing();
let engine: Engine;
beforeAll(async () => (engine = await startEngine()));
afterAll(() => engine.close());
const send = senderTo(() => engine);

/** The items of a webhook trigger with its default output. */
async function started(body: object, more: object = {}) {
	const { workflowData } = await send({ authentication: 'none', ...more }, { body });
	return workflowData?.flat().map(({ json }) => json) ?? [];
}

const ended = {
	...{ event: 'call_ended', callId: 7, createdAt: '2026-11-20T14:05:00Z' },
	formattedTranscript: 'Agent: Hi\nDriver: I am two hours out.\nAgent: ETA?\nDriver: At three.',
	extractedData: { eta: '3 PM', on_time: 'yes', seal: 'A-17' },
	inputData: { toPhone: '+13125550188', loadNumber: '48213', metadata: { team: 'north' } },
};

describe("the webhook trigger's default output", () => {
	it('is the outcome of the call, then the event type and the metadata', async () => {
		const [item] = await started(ended);
		expect(Object.keys(item ?? {})).toEqual([...OUTCOME_COLUMNS, 'eventType', 'metadata']);
		expect(item).toMatchObject({
			...{ callId: '7', loadNumber: '48213', phone: '+13125550188', outcome: 'reached' },
			...{ eta: '3 PM', delayed: false, optOut: null, endedAt: '2026-11-20T14:05:00.000Z' },
			...{ extracted: JSON.stringify(ended.extractedData), eventType: 'call_ended' },
			metadata: { team: 'north' },
		});
	});

	it("with Simplified has the time by the workflow's clock before the ISO time", async () => {
		const [item] = await started(ended, { output: 'simplified' });
		expect(Object.entries(item ?? {}).slice(0, 2)).toEqual([
			['localTime', '2026-11-20 09:05 EST'],
			['createdAt', '2026-11-20T14:05:00Z'],
		]);
	});

	it('reads the names that the user adds', async () => {
		const [item] = await started(ended, { moreNames: { delayReason: 'seal' } });
		expect(item).toMatchObject({ delayReason: 'A-17' });
	});

	it('keeps the fields of a bid, its type and its metadata', async () => {
		const bid = { event: 'bid_created', loadId: 48213, amount: 1850, metadata: { team: 'north' } };
		expect(await started(bid)).toMatchObject([
			{ loadNumber: '48213', amount: 1850, eventType: 'bid_created', metadata: bid.metadata },
		]);
	});

	it('keeps tool calls and partial transcripts, if their types are named', async () => {
		const live = { kinds: 'tool_calls, transcript' };
		const call = { event: 'tool_calls', callId: 7, function: { name: 'getLoad' } };
		expect(await started(call)).toEqual([]);
		expect(await started(call, live)).toMatchObject([{ eventType: 'tool_calls', payload: call }]);
		const transcript = { event: 'transcript', callId: 7, formattedTranscript: 'Agent: Hi' };
		expect(await started(transcript, live)).toMatchObject([
			{ eventType: 'transcript', transcript: 'Agent: Hi' },
		]);
	});
});

describe('the polling trigger with Output: Outcome', () => {
	async function polled(event: string, outcome: object) {
		const service = await openService();
		const { poller } = await publish({ event, output: 'outcome' });
		setClock(start + MINUTE);
		service.add(clock.now - 1, { id: 9, createdAt: iso(clock.now - 1), ...outcome });
		for (let minute = 0; minute < 3; minute++) {
			await poller.poll();
			setClock(clock.now + MINUTE);
		}
		expect(poller.failures).toEqual([]);
		return poller.items;
	}

	it('returns the outcome of a call', async () => {
		const said = { contentTags: 'no_answer', summary: 'Nobody answered.', loadIds: ['48213'] };
		const [item, ...others] = await polled('callOutcomeReady', said);
		expect(Object.keys(Object(item))).toEqual(OUTCOME_COLUMNS);
		expect(item).toMatchObject({ callId: '9', loadNumber: '48213', outcome: 'noAnswer' });
		expect(others).toEqual([]);
	});

	it('returns a bid as Simplified, because a bid has no outcome', async () => {
		const bid = { loadId: 48213, carrierMc: '123456', callDateTime: iso(start + MINUTE - 1) };
		const items = await polled('newBid', bid);
		expect(items).toMatchObject([{ loadNumber: '48213', mcNumber: '123456' }]);
	});
});
