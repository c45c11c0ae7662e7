import type { INodeParameters } from 'n8n-workflow';
import { skipPauses } from '../../../support/pauses.mts';
import { driver, type Driver } from '../../support/calls/dispatch.mts';
import { useDispatch } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();
afterEach(() => jest.restoreAllMocks());

const guarded: INodeParameters = {
	rules: { skipIfCalledWithin: 10 },
	options: { lookForLostAnswers: 2 },
};
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const call = (items: Driver[], parameters = guarded) => dispatch.run(parameters, { items });

describe('Skip If Called Within', () => {
	it('is off at 0: two items with one number and load are two calls', async () => {
		const one = driver();
		await dispatch.run({ rules: { skipIfCalledWithin: 0 } }, { items: [one, one] });
		expect(dispatch.dialed()).toHaveLength(2);
	});

	it('returns the listed call, and dials nothing', async () => {
		const one = driver();
		const [id] = dispatch.sandbox.insert({
			...{ toPhone: one.e164, loadId: one.load, createdAt: minutesAgo(9) },
			summary: 'Driver is on time.',
		});
		const { items } = await call([one]);
		expect(items[0]).toMatchObject({
			...{ placement: 'skippedDuplicate', callId: id },
			loadNumber: one.load,
		});
		expect(dispatch.dialed()).toHaveLength(0);
	});

	it('says above the output how many calls were placed, and why the first one was not', async () => {
		const [one, other] = [driver(), driver()];
		const [id] = dispatch.sandbox.insert({
			...{ toPhone: one.e164, loadId: one.load, createdAt: minutesAgo(3) },
		});
		const why = `Call ${id} to this number was placed 3 minutes ago (Skip If Called Within is 10 minutes). The list does not say about which stop, or whether it was a check call.`;
		const single = await call([one]);
		expect(single.hints.map(({ message }) => message)).toEqual([`No call was placed. ${why}`]);
		const several = await call([one, other]);
		expect(several.hints.map(({ message }) => message)).toEqual([
			`2 rows: 1 called, 1 skipped, 0 failed, 0 waiting. Row 1: ${why}`,
		]);
		expect(several.items.map(({ result }) => result)).toEqual([
			'Skipped: called 3 minutes ago',
			'Called',
		]);
	});

	it('dials when the call is older, to another number, or about another load', async () => {
		const one = driver();
		const { insert } = dispatch.sandbox;
		insert({ toPhone: one.e164, loadId: one.load, createdAt: minutesAgo(11) });
		insert({ toPhone: driver().e164, loadId: one.load });
		insert({ toPhone: one.e164, loadId: 'other' });
		const { items } = await call([one]);
		expect(items[0]).toMatchObject({ placement: 'placed' });
	});

	it('uses the minutes of each item', async () => {
		const [one, other] = [driver(), driver()];
		for (const { e164, load } of [one, other]) {
			dispatch.sandbox.insert({ toPhone: e164, loadId: load, createdAt: minutesAgo(30) });
		}
		const items = [
			{ ...one, within: 60 },
			{ ...other, within: 10 },
		];
		const { items: called } = await call(items, {
			...guarded,
			rules: { skipIfCalledWithin: '={{ $json.within }}' },
		});
		expect(called.map(({ placement }) => placement)).toEqual(['skippedDuplicate', 'placed']);
	});

	it('dials nothing when the list cannot be read to its end', async () => {
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'total', value: 5000 },
		});
		const { error } = await call([driver()]);
		expect(error?.message).toMatch(/^No phone rang\..* could not be read to its end/);
		expect(dispatch.dialed()).toHaveLength(0);
	});

	it('skips an agent call only if this node made the same one: the number alone proves nothing', async () => {
		const one = driver();
		dispatch.sandbox.insert({ toPhone: one.e164, loadId: 'any' });
		const agent = (text: string) => ({
			...{ operation: 'createAgentCall', agentId: 'desk', ...guarded },
			dynamicVariables: { entry: [{ key: 'ask', value: text }] },
		});
		const placements = [];
		for (const text of ['the ETA', 'the ETA', 'the invoice', 'the ETA']) {
			const { items } = await call([one], agent(text));
			placements.push(items[0]?.placement);
		}
		expect(placements).toEqual(['placed', 'skippedDuplicate', 'placed', 'skippedDuplicate']);
	});

	it('skips an agent call whose variables come in another order', async () => {
		const one = driver();
		const placements = [];
		for (const json of [
			'{"ask":{"eta":1,"stop":2},"to":"Luis"}',
			'{"to":"Luis","ask":{"stop":2,"eta":1}}',
		]) {
			const variables = { dynamicVariablesFrom: 'json', dynamicVariablesJson: json };
			const agent = { operation: 'createAgentCall', agentId: 'desk', ...guarded, ...variables };
			placements.push((await call([one], agent)).items[0]?.placement);
		}
		expect(placements).toEqual(['placed', 'skippedDuplicate']);
	});

	it('skips the second item with the same number and load in one run', async () => {
		const one = driver();
		const { items } = await call([one, one, driver()]);
		expect(items.map(({ placement }) => placement)).toEqual([
			'placed',
			'skippedDuplicate',
			'placed',
		]);
		expect(items[1]?.callId).toBe(items[0]?.callId);
	});

	it.each(['', ';ext=7'])(
		'knows that the old and the new form of a Mexican number are one, also as typed: %s',
		async (extension) => {
			const one = driver();
			const forms = ['+525512345678', '+5215512345678'].map((phone) => ({
				...one,
				phone: phone + extension,
			}));
			const asTyped = {
				options: { sendPhoneAsIs: true },
				rules: { allowedCountries: ['MX'], skipIfCalledWithin: 10 },
			};
			const { items } = await call(forms, { ...guarded, ...asTyped });
			expect(items.map(({ placement }) => placement)).toEqual(['placed', 'skippedDuplicate']);
			expect(dispatch.dialed()).toEqual([`+525512345678${extension}`]);
		},
	);

	it('tells two extensions of one number apart', async () => {
		const one = driver();
		const items = [204, 205].map((extension) => ({ ...one, phone: `${one.phone} x${extension}` }));
		expect((await call(items)).items.map(({ placement }) => placement)).toEqual([
			'placed',
			'placed',
		]);
	});

	it('does not dial a second item while it is unknown whether the first was placed', async () => {
		const one = driver();
		dispatch.fail({ kind: 'reset', when: 'before' });
		const { items } = await dispatch.run(
			{ rules: { skipIfCalledWithin: 10 }, options: { lookForLostAnswers: 0 } },
			{ items: [one, one], node: { onError: 'continueRegularOutput' } },
		);
		expect(items[0]?.error).toMatch('may or may not have been placed');
		expect(items[1]?.error).toMatch('was not placed');
		expect(dispatch.sandbox.ledger.requests('triggerCheckCall')).toHaveLength(1);
	});

	it('dials a second item if the first was certainly not placed', async () => {
		const one = driver();
		dispatch.fail({ kind: 'callNull' });
		const node = { onError: 'continueRegularOutput' as const };
		const { items } = await dispatch.run(guarded, { items: [one, one], node });
		expect(items[0]?.error).toMatch('did not place');
		expect(items[1]).toMatchObject({ placement: 'placed' });
	});

	it('dials nothing when the list cannot be read', async () => {
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'status', status: 501 },
		});
		const { error } = await call([driver()]);
		expect(error?.message).toMatch('501');
		expect(dispatch.sandbox.ledger.requests('triggerCheckCall')).toHaveLength(0);
	});

	it('allows a call that was certainly not placed to be dialed again', async () => {
		const one = driver();
		dispatch.fail({ kind: 'callNull' });
		expect((await call([one])).error?.message).toMatch('did not place');
		expect((await call([one])).items[0]).toMatchObject({ placement: 'placed' });
	});
});

describe('two executions that race for one number and load', () => {
	const hideFromList = () =>
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 2 },
			fault: { kind: 'body', body: { calls: [], pagination: { total: 0, limit: 500, offset: 0 } } },
		});

	it('place one call, in one process', async () => {
		const one = driver();
		const runs = await Promise.all([call([one]), call([one]), call([one])]);
		const outcomes = runs.map(({ items }) => items[0]?.placement).sort();
		expect(outcomes).toEqual(['placed', 'skippedDuplicate', 'skippedDuplicate']);
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it("place one call in one process also if n8n's table cannot be used", async () => {
		dispatch.processedData.broken = true;
		const one = driver();
		const runs = await Promise.all([call([one]), call([one])]);
		const outcomes = runs.map(({ items }) => items[0]?.placement).sort();
		expect(outcomes).toEqual(['placed', 'skippedDuplicate']);
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it('place one call on two workers, although the list does not show it yet', async () => {
		const one = driver();
		await call([one]);
		dispatch.restartProcess();
		hideFromList();
		// It checks once per second; the fourth time, the list shows the call.
		skipPauses(1000);
		const patient = { ...guarded, options: { lookForLostAnswers: 10 } };
		const { items, error } = await call([one], patient);
		expect(error).toBeUndefined();
		expect(items[0]).toMatchObject({ placement: 'skippedDuplicate' });
		expect(dispatch.dialed()).toHaveLength(1);
	});

	it("are distinguished by n8n's table, without delaying a later call about another load", async () => {
		const one = driver();
		await call([one]);
		const { items } = await call([{ ...one, load: 'other' }]);
		expect(items[0]).toMatchObject({ placement: 'placed' });
	});

	it("place no second call when the other worker's call is not listed in time", async () => {
		const one = driver();
		await call([one]);
		dispatch.restartProcess();
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'body', body: { calls: [], pagination: { total: 0, limit: 500, offset: 0 } } },
		});
		const { error } = await dispatch.run(
			{ rules: { skipIfCalledWithin: 10 }, options: { lookForLostAnswers: 0 } },
			{ items: [one] },
		);
		expect(error?.message).toMatch('was not placed');
		expect(error?.description).toMatch('The same call was requested within the last 10 minutes');
		expect(dispatch.dialed()).toHaveLength(1);
	});
});
