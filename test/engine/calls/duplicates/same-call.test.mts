import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { driver, type Driver } from '../../support/calls/dispatch.mts';
import { openListService } from '../../support/calls/list-service.mts';
import { useDispatch } from '../../support/calls/use-dispatch.mts';
import { redialLoop } from '../../support/calls/waiting.mts';

// What makes two calls the same, and what the row of an earlier call may say.

const dispatch = useDispatch();

const guarded: INodeParameters = {
	rules: { skipIfCalledWithin: 10 },
	options: { lookForLostAnswers: 0 },
};
const call = async (one: IDataObject, parameters: INodeParameters = {}, options = {}) =>
	await dispatch.run({ ...guarded, ...parameters }, { items: [one], ...options });
const salesCall = (dotNumber: number): INodeParameters => ({
	...{ operation: 'triggerCarrierSalesCall', loadId: '={{ $json.load }}', dotNumber },
});
const hideList = () =>
	dispatch.sandbox.faults.add({
		...{ endpoint: 'listCalls', times: 'always' },
		fault: { kind: 'body', body: { calls: [], pagination: { total: 0, limit: 500, offset: 0 } } },
	});
const list = ({ e164, load }: Driver, more: object = {}) =>
	dispatch.sandbox.insert({ toPhone: e164, loadId: load, ...more })[0];

/** Runs the node against a service that lists this call, and never the one that is requested. */
async function beside(
	listed: object,
	{ e164, load, ...one }: Driver,
	parameters: INodeParameters,
	loses?: 'call',
) {
	const service = await openListService(({ toPhone }) => {
		return { id: 1, toPhone, createdAt: '2020-01-01T00:00:00Z' };
	});
	service.loses = loses;
	const createdAt = new Date().toISOString();
	service.calls.push({ id: 77, toPhone: e164, loadIds: [load], createdAt, ...listed });
	const { credentials } = service;
	const run = await call({ ...one, e164, load }, parameters, { credentials });
	await service.close();
	return { ...run, requested: service.requested };
}

describe('the duplicate guard tells apart', () => {
	it('a sales call and a check call to one phone about one load', async () => {
		const one = driver();
		await call(one, salesCall(77));
		const { items } = await call(one);
		expect(items).toMatchObject([{ placement: 'placed' }]);
	});

	it.each([
		['', () => {}],
		[', also after a restart of n8n', () => dispatch.restartProcess()],
	])('two carriers behind one phone%s', async (_, meanwhile) => {
		const one = driver();
		await call(one, salesCall(77));
		meanwhile();
		const second = await call(one, salesCall(88));
		expect(second.items).toMatchObject([{ placement: 'placed', dotNumber: 88 }]);
		meanwhile();
		const again = await call(one, salesCall(77));
		expect(again.items).toMatchObject([{ placement: 'skippedDuplicate', dotNumber: 77 }]);
		expect(dispatch.dialed()).toHaveLength(2);
	});

	it('the call of a request that got no response from a call about another carrier at that moment', async () => {
		const one = driver();
		const parameters = { ...salesCall(77), rules: { skipIfCalledWithin: 0 } };
		const { error } = await beside({ dotNumber: 88 }, one, parameters, 'call');
		expect(error?.description).toMatch('The call list shows no such call since');
	});
});

describe('the row of an earlier call', () => {
	const toStop = (nextStopIndex: number): INodeParameters => ({
		...{ nextStopIndex, output: 'all' },
		metadata: { entry: [{ key: 'stop', value: String(nextStopIndex) }] },
	});

	it('has the stop and the metadata of that call, and its reason names the stop', async () => {
		const one = driver();
		await call(one, toStop(0));
		const { items } = await call(one, toStop(1));
		expect(items).toMatchObject([
			{
				...{ placement: 'skippedDuplicate', nextStopIndex: 0, metadata: { stop: '0' } },
				placementReason: expect.stringMatching(/It was about stop 0\.$/),
			},
		]);
	});

	it('has no stop and no metadata if only the list knows it, and its reason says that the stop is unknown', async () => {
		const one = driver();
		await call(one, toStop(0));
		dispatch.restartProcess();
		const { items } = await call(one, toStop(1));
		expect(items).toMatchObject([
			{
				placement: 'skippedDuplicate',
				placementReason: expect.stringMatching(
					/The list does not say about which stop, or whether it was a check call\.$/,
				),
			},
		]);
		expect(items[0]).not.toHaveProperty('nextStopIndex');
		expect(items[0]).not.toHaveProperty('metadata');
	});

	it('says that the list does not name the carrier of a sales call', async () => {
		const one = driver();
		const { items } = await beside({ dotNumber: null }, one, salesCall(77));
		expect(items[0]?.placementReason).toMatch(/The list does not say about which carrier\.$/);
		expect(items[0]).not.toHaveProperty('dotNumber');
	});

	it('says that the earlier call reached no one', async () => {
		const one = driver();
		const { items } = await beside({ contentTags: 'driver, no_answer' }, one, {});
		expect(items[0]?.placementReason).toMatch(/The earlier call ended: no_answer\.$/);
	});

	it('names its end if this n8n placed the earlier call and the item waits for outcomes', async () => {
		const one = driver();
		const service = await openListService(({ toPhone, loadNumber }) => ({
			...{ id: 78, toPhone, createdAt: new Date().toISOString() },
			...{ loadIds: [loadNumber], contentTags: 'voicemail' },
		}));
		const { credentials } = service;
		await call(one, {}, { credentials });
		const waits = { waitForOutcome: 'polling', waitLimit: 1 };
		const { items } = await call(one, waits, { credentials });
		await service.close();
		expect(items[0]).toMatchObject({ placement: 'skippedDuplicate', timedOut: false });
		expect(items[0]?.placementReason).toMatch(/The earlier call ended: voicemail\.$/);
	});
});

describe('a load that the list writes differently', () => {
	const spelled = { phone: '', load: 'LD-48213' };
	const other = ['48214', 'PO-48213', '48213-2', '148213', 'LD'];

	it('is named in the error, and the call is not placed over it', async () => {
		const one = { ...driver(), ...spelled, phone: driver().phone };
		const { e164 } = driver();
		const id = list({ ...one, e164 }, { loadId: '48213' });
		const { error } = await call({ ...one, phone: e164 });
		expect(error?.message).toMatch(/^No phone rang\./);
		expect(error?.description).toMatch(
			`The call list shows a call to this number about load 48213 (ID ${id}), which may be load LD-48213 written differently`,
		);
		expect(dispatch.dialed()).toEqual([]);
	});

	it('is named in the error of a request that got no response', async () => {
		const one = { ...driver(), load: 'LD-48213' };
		const id = list(one, { loadId: '48213' });
		dispatch.fail({ kind: 'reset', when: 'before' });
		const { error } = await call(one, { rules: { skipIfCalledWithin: 0 } });
		expect(error?.description).toMatch(
			`a call that could be it (ID ${id}), but is about load 48213, which may be the same load written differently`,
		);
	});

	it.each(other)('is another load if the list writes %s', async (load) => {
		const one = { ...driver(), load: 'LD-48213' };
		list(one, { loadId: load });
		expect((await call(one)).items).toMatchObject([{ placement: 'placed' }]);
	});

	it.each([
		['48213', 'LD-48213'],
		['LD-48213', '48213.0'],
	])('is named, too, if this n8n called about %s: not placed about %s', async (first, second) => {
		const one = driver();
		const [placed] = (await call({ ...one, load: first })).items;
		const { error } = await call({ ...one, load: second });
		expect(error?.message).toMatch(/^No phone rang\./);
		expect(error?.description).toMatch(
			`A call to this number about load ${first} (ID ${String(placed?.callId)}) was requested less than a minute ago. That may be load ${second} written differently`,
		);
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('is named in the same run, and rings once for five spellings, with the other items called', async () => {
		const one = driver();
		const spellings = ['LD-48213', 'LD 48213', 'LD48213', '48213.0', '48213'];
		const items = [...spellings.map((load) => ({ ...one, load })), driver()];
		const run = await dispatch.run(guarded, {
			...{ items, node: { onError: 'continueRegularOutput' as const } },
		});
		expect(run.items).toMatchObject([
			...[{ placement: 'placed' }, { placement: 'skippedDuplicate' }],
			{ placement: 'skippedDuplicate' },
			...['48213.0', '48213'].map((load) => ({
				error: expect.stringMatching(/^No phone rang\./),
				message: expect.stringMatching(`may be load ${load} written differently`),
			})),
			{ placement: 'placed' },
		]);
		expect(dispatch.dialed()).toHaveLength(2);
	});

	it.each(['48214', 'PO-48213', '48213-2'])(
		'is another load if this n8n called about %s',
		async (load) => {
			const one = driver();
			await call({ ...one, load });
			const { items } = await call({ ...one, load: 'LD-48213' });
			expect(items).toMatchObject([{ placement: 'placed' }]);
		},
	);

	it('is another call if this n8n placed a sales call, or called about another carrier', async () => {
		const one = driver();
		await call({ ...one, load: '48213' }, salesCall(77));
		for (const parameters of [{}, salesCall(78)]) {
			const { items } = await call({ ...one, load: 'LD-48213' }, parameters);
			expect(items).toMatchObject([{ placement: 'placed' }]);
		}
	});
});

describe('the second click after an outage', () => {
	const many = (count: number) => Array.from({ length: count }, () => driver());
	const onError = { node: { onError: 'continueRegularOutput' as const } };
	const lose = (count: number, when: 'before' | 'after') =>
		dispatch.fail(...Array.from({ length: count }, () => ({ kind: 'reset', when }) as const));
	const lists = () => dispatch.sandbox.ledger.requests('listCalls').length;
	const slow = { rules: { skipIfCalledWithin: 10 }, options: { lookForLostAnswers: 30 } };

	it('reads the list once for twenty rows whose requests got no response, and says what happened to them', async () => {
		const items = many(20);
		lose(20, 'before');
		await dispatch.run(guarded, { items, ...onError });
		const before = lists();
		const started = Date.now();
		const { items: again } = await dispatch.run(slow, { items, ...onError });
		expect(Date.now() - started).toBeLessThan(15_000);
		expect(lists() - before).toBeLessThanOrEqual(2);
		expect(again).toHaveLength(20);
		for (const item of again) {
			expect(JSON.stringify(item)).toMatch(
				/requested less than a minute ago and may have been placed\. .* lost before .*The call list does not show it\./,
			);
		}
	});

	it('returns the calls that the list shows meanwhile, and places none of them', async () => {
		const items = many(3);
		lose(3, 'after');
		const fault = { kind: 'status', status: 501 } as const;
		dispatch.sandbox.faults.add({ endpoint: 'listCalls', fault, times: 3 });
		await dispatch.run({ ...guarded, rules: { skipIfCalledWithin: 0 } }, { items, ...onError });
		const { items: again } = await dispatch.run(guarded, { items, ...onError });
		expect(again).toMatchObject(Array(3).fill({ placement: 'skippedDuplicate' }));
		expect(dispatch.dialed()).toHaveLength(3);
	});

	it('asks a list that cannot be read once, not for each row', async () => {
		const items = many(5);
		lose(5, 'before');
		await dispatch.run(guarded, { items, ...onError });
		const fault = { kind: 'status', status: 501 } as const;
		dispatch.sandbox.faults.add({ endpoint: 'listCalls', fault, times: 'always' });
		const before = lists();
		const { items: again } = await dispatch.run(guarded, { items, ...onError });
		expect(lists() - before).toBe(1);
		expect(JSON.stringify(again[4])).toMatch('The call list could not be read');
	});

	it('does not blame another execution after a restart of n8n', async () => {
		const items = [driver()];
		await dispatch.run(guarded, { items });
		dispatch.restartProcess();
		hideList();
		const { error } = await dispatch.run(guarded, { items });
		expect(error?.description).toMatch(
			'its request got no response, n8n was restarted, or another worker is placing it right now',
		);
	});
});

describe('a skip over an earlier call of this n8n that reached no one', () => {
	it.each(['no', 'polling'])(
		'names how the earlier call ended (Wait for Outcome: %s)',
		async (waitForOutcome) => {
			const service = await openListService(({ toPhone, loadNumber }) => ({
				...{ id: 41, toPhone, loadIds: [loadNumber], status: 'no_answer' },
				createdAt: new Date().toISOString(),
			}));
			const one = driver();
			const { credentials } = service;
			await call(one, {}, { credentials });
			const { items } = await call(one, { waitForOutcome, waitLimit: 0.01 }, { credentials });
			await service.close();
			expect(items).toMatchObject([{ placement: 'skippedDuplicate', callId: 41 }]);
			expect(items[0]?.placementReason).toMatch('The earlier call ended: no_answer.');
			expect(service.requested).toBe(1);
		},
	);

	it('is skipped all the same if the list cannot be read, soon and without a word about it', async () => {
		const one = driver();
		await call(one);
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'status', status: 503 },
		});
		const { items } = await call(one);
		expect(items).toMatchObject([{ placement: 'skippedDuplicate' }]);
		expect(items[0]).not.toHaveProperty('timedOut');
	});
});

describe('an agent call', () => {
	const agent = (ask: string): INodeParameters => ({
		...{ operation: 'createAgentCall', agentId: 'desk' },
		dynamicVariables: { entry: [{ key: 'ask', value: ask }] },
	});

	it('rings once for three clicks, though a variable has the time of each', async () => {
		const one = driver();
		const placements = [];
		for (let click = 0; click < 3; click++) {
			const clicked = await call(one, agent('={{ $now.toMillis() }}'), { mode: 'manual' });
			placements.push(clicked.items[0]?.placement);
		}
		expect(placements).toEqual(['placed', 'skippedDuplicate', 'skippedDuplicate']);
		expect(dispatch.dialed()).toHaveLength(1);
	});

	const orders = [
		['first', ' x204', ''],
		['second', '', ' x204'],
	] as const;

	it.each(orders)('is the same if only the %s has an extension', async (_, first, second) => {
		const one = driver();
		const to = async (extension: string) =>
			await call({ ...one, phone: one.phone + extension }, agent('the ETA'));
		await to(first);
		expect((await to(second)).items).toMatchObject([{ placement: 'skippedDuplicate' }]);
		dispatch.restartProcess();
		const { error } = await to(second);
		expect(error?.description).toMatch('requested within the last 10 minutes');
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('is another one if both have an extension and they differ', async () => {
		const one = driver();
		for (const extension of [' x204', ' x205']) {
			const { items } = await call({ ...one, phone: one.phone + extension }, agent('the ETA'));
			expect(items).toMatchObject([{ placement: 'placed' }]);
		}
	});
});

describe('a loop that redials before Skip If Called Within is over', () => {
	it('ends with timedOut and says which two settings are at odds', async () => {
		const json = redialLoop(2);
		const node = json.nodes.find(({ name }) => name === 'Call');
		Object.assign(node?.parameters ?? {}, {
			...guarded,
			waitForOutcome: 'polling',
			waitLimit: 0.002,
		});
		const { credentials } = dispatch;
		const { items } = await dispatch.engine.runWorkflow(json, {
			...{ credentials, items: [driver()], subject: 'End' },
		});
		expect(items).toMatchObject([{ placement: 'skippedDuplicate', timedOut: true }]);
		expect(items[0]?.placementReason).toMatch(
			'To call again, raise Wait at Most or lower Skip If Called Within.',
		);
		expect(dispatch.dialed()).toHaveLength(1);
	});
});
