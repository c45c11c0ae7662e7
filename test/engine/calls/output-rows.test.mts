import type { INodeParameters } from 'n8n-workflow';
import { driver, drivers } from '../support/calls/dispatch.mts';
import { useDispatch } from '../support/calls/use-dispatch.mts';
import { sendEvent } from '../support/calls/waiting.mts';

const dispatch = useDispatch();

const byWebhook: INodeParameters = { waitForOutcome: 'webhook', waitLimit: 5 };
const byPolling: INodeParameters = { waitForOutcome: 'polling', waitLimit: 1, pollInterval: 0.05 };
const placed = () => dispatch.sandbox.ledger.dialed().at(-1);
const dialing = async () => {
	while (dispatch.dialed().length === 0) await new Promise((next) => setImmediate(next));
};

/** A call that is waited for by the list. */
async function polled(parameters: INodeParameters = {}, items = [driver()]) {
	const running = dispatch.run({ ...byPolling, ...parameters }, { items });
	await dialing();
	await dispatch.sandbox.finishCalls();
	return (await running).items[0] ?? {};
}

/** The same by the event, which says what the list shows. */
async function resumed(parameters: INodeParameters = {}, items = [driver()]) {
	const run = await dispatch.run({ ...byWebhook, ...parameters }, { items });
	await dispatch.sandbox.finishCalls();
	return (await sendEvent(dispatch, run, { event: 'call_ended' })).run?.items[0] ?? {};
}

describe('the row of a call', () => {
	it('begins with the load, the contact and the result in words', async () => {
		const { items } = await dispatch.run({ driverName: 'Luis Ortega' });
		expect(Object.keys(items[0] ?? {}).slice(0, 3)).toEqual(['loadNumber', 'contact', 'result']);
		expect(items[0]).toMatchObject({ contact: 'Luis Ortega', result: 'Called' });
	});

	it.each([
		['check call', { driverName: 'Luis Ortega', additionalFields: { contactName: 'Dana' } }],
		[
			'sales call',
			{
				operation: 'triggerCarrierSalesCall',
				dotNumber: 7,
				additionalFields: { contactName: 'Dana' },
			},
		],
		[
			'agent call',
			{
				...{ operation: 'createAgentCall', agentId: 'desk' },
				dynamicVariables: { entry: [{ key: 'contact_name', value: 'Dana' }] },
			},
		],
	])('names the person called by a %s', async (_kind, parameters) => {
		const { items } = await dispatch.run({ loadId: 'L0', ...parameters });
		expect(items[0]?.contact).toBe('Dana');
	});

	it('has the outcome next to the result, then where it stands, IDs, phones, times, own fields and long texts', async () => {
		const item = await polled({
			metadata: { entry: [{ key: 'team', value: 'night' }] },
			driverName: 'Luis Ortega',
		});
		const names = Object.keys(item);
		const order = [
			...['loadNumber', 'contact', 'result', 'outcome', 'summary', 'contentTags', 'timedOut'],
			...['placement', 'status', 'callId', 'conversationId', 'toPhone', 'fromPhone'],
			...['localTime', 'createdAt', 'updatedAt', 'recordingUrl', 'phone', 'load', 'e164'],
			...['metadata_team', 'transcript'],
		];
		expect(names.filter((name) => order.includes(name))).toEqual(order);
		expect(item.result).toMatch(/^Called: /);
	});

	it('has no empty columns in Simplified: called, not called, dry run or timed out', async () => {
		const items = [driver()];
		const doNotCall = { rules: { doNotCall: '={{ $json.phone }}' } };
		const rows = [
			await polled(),
			...(await dispatch.run(doNotCall, { items })).items,
			...(await dispatch.run({ callMode: 'dryRun' }, { items })).items,
			...(await dispatch.run({ ...byPolling, waitLimit: 0.003 }, { items })).items,
		];
		const values = rows.flatMap((row) => Object.values(row));
		expect(rows).toHaveLength(4);
		expect(values.filter((value) => value === null || value === '')).toEqual([]);
	});

	it.each([
		['voicemail', 'Called: voicemail'],
		['no_answer', 'Called: no answer'],
		['failed', 'Called: failed'],
		['canceled', 'Called: canceled'],
		['completed', 'Called: outcome unknown'],
	])('says how a call ended: %s', async (status, result) => {
		const run = await dispatch.run(byWebhook);
		const event = { event: 'call_ended', status };
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'status', status: 501 },
		});
		expect((await sendEvent(dispatch, run, event)).run?.items).toMatchObject([{ result }]);
	});

	it('says that a person was reached, and that a call has no outcome yet', async () => {
		const run = await dispatch.run(byWebhook);
		const data = { callId: placed()?.callId, summary: 'Driver confirmed an ETA of 3 PM.' };
		const event = { event: 'call.completed', data: { ...data, extractedData: { eta: '3 PM' } } };
		expect((await sendEvent(dispatch, run, event)).run?.items).toMatchObject([
			{ result: 'Called: reached', outcome: 'reached', eta: '3 PM' },
		]);
		const late = await dispatch.run({ ...byPolling, waitLimit: 0.003 });
		expect(late.items).toMatchObject([{ result: 'Called: no outcome yet' }]);
	});

	it('says that the test number was called', async () => {
		const { items } = await dispatch.run({
			callMode: 'testNumber',
			testNumber: '(312) 555-0199',
		});
		expect(items).toMatchObject([{ result: 'Called the test number' }]);
	});

	it.each(['simplified', 'all', 'outcome', 'selected'])(
		'has the result with Output %s',
		async (output) => {
			const { items } = await dispatch.run({ output, selectedFields: ['result'] });
			expect(items).toMatchObject([{ result: 'Called' }]);
		},
	);

	it('has the same columns and status after a wait by list and by webhook', async () => {
		const [list, event] = [await polled(), await resumed()];
		expect(Object.keys(event)).toEqual(Object.keys(list));
		expect(list.status).toBe('COMPLETED');
		expect(list).toHaveProperty('summary');
	});

	it('has the status of an earlier call that the list shows as ended', async () => {
		const { e164, load, phone } = driver();
		dispatch.sandbox.insert({ toPhone: e164, loadId: load, createdAt: new Date().toISOString() });
		const guarded = { rules: { skipIfCalledWithin: 10 } };
		const { items } = await dispatch.run(guarded, { items: [{ e164, load, phone }] });
		expect(items).toMatchObject([{ placement: 'skippedDuplicate', status: 'COMPLETED' }]);
	});

	it("has the time by the workflow's clock", async () => {
		const inTokyo = { items: [driver()], timezone: 'Asia/Tokyo' };
		const { items } = await dispatch.run({}, inTokyo);
		const shown = Date.parse(String(items[0]?.createdAt)) + 9 * 3_600_000;
		const time = new Date(shown).toISOString().slice(0, 16).replace('T', ' ');
		expect(items[0]?.localTime).toBe(`${time} GMT+9`);
	});
});

describe('Include Input Fields', () => {
	const sheetRow = () => ({ ...driver(), notes: 'gate 4', stops: [{ city: 'Gary' }], ok: null });

	it("keeps the item's own fields, as they are", async () => {
		const row = sheetRow();
		const { items } = await dispatch.run({}, { items: [row] });
		expect(items).toMatchObject([row]);
	});

	it("prefers the call's fields", async () => {
		const row = { ...driver(), loadNumber: 'typed', toPhone: 'typed' };
		const { items } = await dispatch.run({}, { items: [row] });
		expect(items).toMatchObject([{ loadNumber: row.load, toPhone: row.e164 }]);
	});

	it("leaves out what an earlier run wrote into the row: it would be read as this call's", async () => {
		const old = { callId: 7, status: 'COMPLETED', summary: 'Old', result: 'Called', error: 'Old' };
		const rules = { doNotCall: '={{ $json.phone }}' };
		const { items } = await dispatch.run({ rules }, { items: [{ ...driver(), ...old }] });
		expect(items).toMatchObject([{ result: 'Not called: on the do-not-call list' }]);
		for (const name of ['callId', 'status', 'summary', 'error']) {
			expect(items[0]).not.toHaveProperty(name);
		}
	});

	it('keeps the load of an agent call, which has none of its own', async () => {
		const agent = { operation: 'createAgentCall', agentId: 'desk' };
		const { items } = await dispatch.run(agent, { items: [{ ...driver(), loadNumber: '48213' }] });
		expect(items).toMatchObject([{ agentId: 'desk', loadNumber: '48213' }]);
	});

	it('can be turned off', async () => {
		const row = sheetRow();
		const { items } = await dispatch.run({ includeInputFields: false }, { items: [row] });
		expect(Object.keys(items[0] ?? {}).filter((name) => name in row)).toEqual([]);
	});

	it.each(['simplified', 'all', 'outcome'])('survives a wait with Output %s', async (output) => {
		const item = await resumed({ output }, [sheetRow()]);
		expect(item).toMatchObject({ notes: 'gate 4', stops: [{ city: 'Gary' }], timedOut: false });
		const run = await dispatch.run({ ...byWebhook, output }, { items: [sheetRow()] });
		const late = await dispatch.engine.resumeAfterWait(run);
		expect(late.items).toMatchObject([{ notes: 'gate 4', timedOut: true }]);
	});

	it('adds nothing to a failed item', async () => {
		const bad = { ...sheetRow(), phone: '' };
		const node = { onError: 'continueRegularOutput' as const };
		const { items } = await dispatch.run({}, { items: [bad], node });
		expect(Object.keys(items[0] ?? {})).toEqual(['error', 'message']);
	});
});

describe('the summary above the output', () => {
	it('counts the rows by result, with the first reason', async () => {
		const items = drivers(5).map((each, index) => (index === 3 ? { ...each, phone: '12' } : each));
		const { hints } = await dispatch.run(
			{ rules: { doNotCall: items[4]?.phone ?? '' } },
			{ items, node: { onError: 'continueErrorOutput' } },
		);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(
				/^5 rows: 3 called, 1 skipped, 1 failed, 0 waiting\. Row 4: No phone rang\. To Phone /,
			),
		]);
	});

	it('counts the rows that a limit refuses before the first call', async () => {
		const { hints } = await dispatch.run(
			{ rules: { maxCalls: 2 } },
			{ items: drivers(3), node: { onError: 'continueErrorOutput' } },
		);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(
				/^3 rows: 0 called, 0 skipped, 3 failed, 0 waiting\. Row 1: No phone rang\. .*Max Calls per Run/,
			),
		]);
	});

	it('gives the reason of a failed row rather than that of a skipped one before it', async () => {
		const items = drivers(3).map((each, index) => (index === 2 ? { ...each, phone: '12' } : each));
		const { hints } = await dispatch.run(
			{ rules: { doNotCall: items[0]?.phone ?? '' } },
			{ items, node: { onError: 'continueErrorOutput' } },
		);
		expect(hints[0]?.message).toMatch(
			/^3 rows: 1 called, 1 skipped, 1 failed, 0 waiting\. Row 3: /,
		);
	});

	it('counts calls without an outcome as waiting', async () => {
		const waiting = { ...byPolling, waitLimit: 0.003 };
		const { hints } = await dispatch.run(waiting, { items: drivers(2) });
		const messages = hints.map(({ message }) => message);
		expect(messages).toContain('2 rows: 0 called, 0 skipped, 0 failed, 2 waiting.');
	});

	it('says how many calls a dry run would place', async () => {
		const items = drivers(2);
		const rules = { doNotCall: items[1]?.phone ?? '' };
		const { hints } = await dispatch.run({ callMode: 'dryRun', rules }, { items });
		expect(hints[0]?.message).toMatch(
			/^2 rows: 1 would be called, 1 would be skipped\. Row 2: .* do-not-call list/,
		);
	});

	it('says of a single item only why it was not called', async () => {
		expect((await dispatch.run()).hints).toEqual([]);
		const rules = { doNotCall: '={{ $json.phone }}' };
		const { hints } = await dispatch.run({ rules });
		expect(hints[0]?.message).toMatch(/^No call was placed\. .* is on the do-not-call list\./);
	});
});

describe('Stop during a wait', () => {
	it.each([1, 2])(
		'says that %s calls may still be in progress, and where to look',
		async (count) => {
			const stop = new AbortController();
			const running = dispatch.run(byPolling, { signal: stop.signal, items: drivers(count) });
			const { requests } = dispatch.sandbox.ledger;
			while (requests('listCalls').at(-1)?.status !== 200) {
				await new Promise((next) => setImmediate(next));
			}
			stop.abort();
			const { error, status } = await running;
			expect(status).toBe('canceled');
			expect(error?.message).toMatch(/^The call was placed\./);
			expect(error?.description).toMatch(/may still be in progress.*Look in Call > Get Many/);
			expect(error?.description).toContain(`Placed before the node stopped: ${count}`);
		},
	);
});
