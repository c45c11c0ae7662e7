import { setTimeout as wait } from 'node:timers/promises';
import { waitUntil } from '../../support/wait-until.mts';
import { driver, drivers } from '../support/calls/dispatch.mts';
import { useDispatch } from '../support/calls/use-dispatch.mts';

const dispatch = useDispatch();

const requests = () => dispatch.sandbox.ledger.requests();
const bodies = () => dispatch.sandbox.ledger.dialed().map(({ body }) => body);

describe('a check call', () => {
	it('is placed once for each item, in order, and is paired with its item', async () => {
		const three = drivers(3);
		const { items, output } = await dispatch.run({}, { items: three });
		expect(dispatch.dialed()).toEqual(three.map(({ e164 }) => e164));
		expect(items[1]).toEqual({
			...three[1],
			result: 'Called',
			localTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d \S+$/),
			callId: expect.any(Number),
			conversationId: expect.any(Number),
			status: 'IN_PROGRESS',
			placement: 'placed',
			toPhone: three[1]?.e164,
			fromPhone: expect.any(String),
			loadNumber: three[1]?.load,
			createdAt: expect.any(String),
			updatedAt: expect.any(String),
		});
		expect(output().map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
	});

	it('has the values of its own item, and fails alone if its expression fails', async () => {
		// More than are evaluated together; some need an expression that the first item doesn't.
		const many = drivers(50);
		const withBad = many.with(30, { ...driver(), phone: '' });
		const { items } = await dispatch.run(
			{
				toPhone: '={{ $json.phone || $("No such node").item.json.phone }}',
				metadataFrom: "={{ $itemIndex % 2 ? 'json' : 'entries' }}",
				metadataJson: '={{ { load: $json.load } }}',
				options: { callsInParallel: 8, addReference: false },
			},
			{ items: withBad, node: { onError: 'continueRegularOutput' } },
		);
		const called = many.toSpliced(30, 1);
		expect(items.filter(({ error }) => error !== undefined)).toEqual([items[30]]);
		expect(dispatch.dialed().toSorted()).toEqual(called.map(({ e164 }) => e164).toSorted());
		for (const body of bodies()) {
			const index = many.findIndex(({ e164 }) => e164 === body?.['toPhone']);
			const load = many[index]?.load;
			expect(body?.['loadNumber']).toBe(load);
			expect(body?.['metadata']).toEqual(index % 2 ? { load } : undefined);
		}
	});

	it('sends every field of the contract that is not empty', async () => {
		const { phone, load, e164 } = driver();
		await dispatch.run({
			toPhone: '312.555.0188 ext 204',
			loadNumber: 'L0',
			nextStopIndex: 0,
			driverName: 'Luis Ortega',
			additionalFields: {
				contactType: 'dispatcher',
				contactName: 'Dana Whitfield',
				waitingAtFacility: true,
				askForTrackingApp: 'macropoint',
			},
			metadata: { entry: [{ key: 'shipment', value: 'SH-1' }] },
			options: { addReference: false },
		});
		await dispatch.run({ options: { addReference: false } }, { items: [{ phone, load }] });
		expect(bodies()).toEqual([
			{
				toPhone: '+13125550188;ext=204',
				loadNumber: 'L0',
				nextStopIndex: 0,
				driverName: 'Luis Ortega',
				contactName: 'Dana Whitfield',
				contactType: 'dispatcher',
				waitingAtFacility: true,
				askForTrackingApp: 'macropoint',
				metadata: { shipment: 'SH-1' },
			},
			{ toPhone: e164, loadNumber: load, nextStopIndex: 1 },
		]);
	});

	it('returns the raw response with All Fields', async () => {
		const { items } = await dispatch.run({ output: 'all' });
		expect(items[0]).toMatchObject({
			placement: 'placed',
			nextStopIndex: 1,
			answer: { success: true, call: { id: items[0]?.callId } },
		});
	});

	it('returns only the chosen fields', async () => {
		const { items } = await dispatch.run({
			output: 'selected',
			selectedFields: ['callId', 'placement'],
			includeInputFields: false,
		});
		expect(items).toEqual([{ callId: expect.any(Number), placement: 'placed' }]);
	});

	it('keeps metadata keys harmless that JavaScript objects already have', async () => {
		await dispatch.run({
			metadataFrom: 'json',
			metadataJson: '{"toString":"a","hasOwnProperty":1,"constructor":"b","prototype":"c"}',
			options: { addReference: false },
		});
		expect(JSON.stringify(bodies()[0]?.metadata)).toBe(
			'{"toString":"a","hasOwnProperty":1,"constructor":"b","prototype":"c"}',
		);
	});

	it('carries its load and the n8n reference in its metadata, under keys that the user can override', async () => {
		const two = drivers(2);
		await dispatch.run({}, { items: two, executionId: '77' });
		const entry = [
			{ key: 'n8nNode', value: 'mine' },
			{ key: 'loadNumber', value: 'SH-20931' },
		];
		await dispatch.run({ metadata: { entry } });
		expect(bodies()[1]?.metadata).toEqual({
			loadNumber: two[1]?.load,
			n8nWorkflowId: expect.stringMatching(/^savedWorkflow/),
			n8nExecutionId: '77',
			n8nNode: 'Call',
			n8nItem: 1,
		});
		expect(bodies()[2]?.metadata).toMatchObject({
			n8nNode: 'mine',
			n8nItem: 0,
			loadNumber: 'SH-20931',
		});
	});

	it('sends all fields of the input item as metadata, keeping their types', async () => {
		const items = [{ phone: '3125550188', load: 'L1', miles: 412 }];
		await dispatch.run({ metadataFrom: 'itemFields', options: { addReference: false } }, { items });
		expect(bodies()[0]?.metadata).toEqual({ phone: '3125550188', load: 'L1', miles: 412 });
	});
});

describe('a carrier sales call', () => {
	it('is placed with its carrier, its load and the contact name', async () => {
		const { items } = await dispatch.run({
			operation: 'triggerCarrierSalesCall',
			loadId: '48213',
			dotNumber: '={{ 1234567 }}',
			toPhone: '+52 55 1234 5678',
			additionalFields: { contactName: 'Ana' },
			options: { addReference: false },
		});
		expect(bodies()).toEqual([
			{ dotNumber: 1234567, toPhone: '+525512345678', loadId: '48213', contactName: 'Ana' },
		]);
		expect(items[0]).toMatchObject({
			placement: 'placed',
			loadNumber: '48213',
			dotNumber: 1234567,
		});
	});

	it.each(['USDOT 1234567', 'US DOT# 1234567', 'dot-1234567', ' DOT No. 1234567 ', '1234567'])(
		'accepts the DOT number %p',
		async (dot) => {
			const items = [{ phone: '3125550188', dot, load: `of ${dot}` }];
			const fields = { loadId: '={{ $json.load }}', dotNumber: '={{ $json.dot }}' };
			await dispatch.run({ operation: 'triggerCarrierSalesCall', ...fields }, { items });
			const metadata = { loadId: `of ${dot}`.trim(), dotNumber: 1234567 };
			expect(bodies()).toMatchObject([{ dotNumber: 1234567, metadata }]);
		},
	);

	it.each(['MC 738202', 'USDOT', 'DOT 12a'])('is refused with the DOT number %p', async (dot) => {
		const fields = { loadId: 'L1', dotNumber: `={{ '${dot}' }}` };
		const { error } = await dispatch.run({ operation: 'triggerCarrierSalesCall', ...fields });
		expect(error?.message).toContain('DOT Number must be a number');
		expect(bodies()).toEqual([]);
	});
});

describe('an agent call', () => {
	const agentCall = { operation: 'createAgentCall', agentId: 'lane/desk ä?#%2F..' };

	it('has its agent in the path and its variables in the body', async () => {
		const { items, error } = await dispatch.run({
			...agentCall,
			dynamicVariablesFrom: 'json',
			dynamicVariablesJson: '{"stops":[{"city":"Gary"}],"hot":true,"note":null}',
		});
		expect(error).toBeUndefined();
		expect(dispatch.sandbox.ledger.dialed()).toMatchObject([{ agentId: agentCall.agentId }]);
		expect(bodies()).toEqual([
			{
				toPhone: expect.any(String),
				dynamicVariables: { stops: [{ city: 'Gary' }], hot: true, note: null },
			},
		]);
		expect(items[0]).toMatchObject({ placement: 'placed', agentId: agentCall.agentId });
	});

	it('rejects an agent ID that would lead to another path', async () => {
		for (const agentId of ['..', '.']) {
			const { error } = await dispatch.run({ ...agentCall, agentId });
			expect(error?.message).toContain('Agent ID');
		}
		expect(requests()).toEqual([]);
	});
});

describe('the pace', () => {
	it('respects the calls per minute', async () => {
		const begun = Date.now();
		await dispatch.run(
			{ options: { callsPerMinute: 1200, callsInParallel: 4 } },
			{ items: drivers(21) },
		);
		// They are sent within 1 s at least, and not before the run has begun.
		const last = Math.max(...dispatch.sandbox.ledger.dialed().map(({ at }) => Date.parse(at)));
		expect(last - begun).toBeGreaterThanOrEqual(950);
	});

	it("does not stand still when n8n's clock has been ahead", async () => {
		const { now } = Date;
		const ahead = jest.spyOn(Date, 'now').mockImplementation(() => now() + 86_400_000);
		const parameters = { options: { callsPerMinute: 600 } };
		await dispatch.run(parameters);
		ahead.mockRestore();
		const signal = AbortSignal.timeout(60_000);
		const { items } = await dispatch.run(parameters, { signal });
		expect(items).toMatchObject([{ placement: 'placed' }]);
	});

	it.each([
		['one call at a time', 1, {}],
		['as many calls in parallel as allowed', 4, { callsInParallel: 4 }],
	])('is %s', async (_what, parallel, options) => {
		const stop = new AbortController();
		dispatch.sandbox.faults.add({
			endpoint: 'triggerCheckCall',
			fault: { kind: 'latency', ms: 600_000 },
			times: 'always',
		});
		const running = dispatch.run(
			{ options: { ...options, timeout: 600 } },
			{ items: drivers(9), signal: stop.signal },
		);
		await waitUntil(`${parallel} requests`, () => requests().length >= parallel);
		await wait(200);
		expect(requests()).toHaveLength(parallel);
		stop.abort();
		await running;
	});

	it('returns calls in the order of the items, whichever response comes first', async () => {
		const slow = { kind: 'latency', ms: 150 } as const;
		dispatch.sandbox.faults.add({ endpoint: 'triggerCheckCall', fault: slow, times: 2 });
		const four = drivers(4);
		const { items } = await dispatch.run({ options: { callsInParallel: 4 } }, { items: four });
		expect(items.map(({ loadNumber }) => loadNumber)).toEqual(four.map(({ load }) => load));
	});

	it('places no further call after Stop', async () => {
		const stop = new AbortController();
		dispatch.sandbox.faults.add({
			endpoint: 'triggerCheckCall',
			fault: { kind: 'latency', ms: 30 },
			times: 'always',
		});
		const running = dispatch.run(
			{ options: { callsPerMinute: 1200 } },
			{ items: drivers(20), signal: stop.signal },
		);
		while (dispatch.dialed().length < 2) await new Promise((resolve) => setImmediate(resolve));
		stop.abort();
		const { status } = await running;
		const placed = dispatch.dialed().length;
		expect(status).toBe('canceled');
		expect(placed).toBeLessThan(5);
		await wait(500);
		expect(dispatch.dialed()).toHaveLength(placed);
	});
});
