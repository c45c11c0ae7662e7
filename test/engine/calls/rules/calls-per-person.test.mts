import type { INodeParameters } from 'n8n-workflow';
import type { EngineRun } from '../../support/harness/index.mts';
import { driver, drivers, savedWorkflow } from '../../support/calls/dispatch.mts';
import { openListService } from '../../support/calls/list-service.mts';
import { useDispatch, withRules } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();
const run = withRules(dispatch);

const HOUR = 3_600_000;
const continues = { onError: 'continueRegularOutput' as const };
const limited = { maxCallsPerNumber: 3 };
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
/** Several loads with the number of one dispatcher. */
const loads = (count: number) => {
	const { phone, e164 } = driver();
	return drivers(count).map(({ load }) => ({ phone, e164, load }));
};
const placed = (...runs: EngineRun[]) =>
	runs.flatMap(({ items }) => items).filter(({ placement }) => placement === 'placed');
const refused = ({ items }: EngineRun) => items.filter(({ error }) => error !== undefined);

describe('Max Calls per Person per Day', () => {
	it.each([
		['one after another', {}],
		['eight at a time', { options: { callsInParallel: 8 } }],
		['with the duplicate guard', { rules: { skipIfCalledWithin: 10 } }],
	] as Array<[string, INodeParameters]>)(
		'lets 60 loads with one number ring three times, %s',
		async (_, parameters) => {
			const ended = await run(limited, parameters, { items: loads(60), node: continues });
			expect(placed(ended)).toHaveLength(3);
			expect(refused(ended)).toHaveLength(57);
			expect(dispatch.dialed()).toHaveLength(3);
		},
	);

	it('lets them ring three times also when two workflows run at the same time and the list shows no call yet', async () => {
		const items = loads(60);
		const body = { calls: [], pagination: { total: 0, limit: 500, offset: 0 } };
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always', fault: { kind: 'body', body } },
		});
		const { credentials, engine } = dispatch;
		const parameters = { rules: { ...limited }, options: { callsInParallel: 4 } };
		const runs = await Promise.all(
			['one', 'two'].map(async (id) =>
				engine.runWorkflow(
					{ ...savedWorkflow(parameters, continues), id },
					{ credentials, items, subject: 'Call' },
				),
			),
		);
		expect(placed(...runs)).toHaveLength(3);
		expect(dispatch.dialed()).toHaveLength(3);
	});

	it('counts the calls of the last 24 hours that anyone placed, and says how often, when, and when again', async () => {
		const [one = driver()] = loads(1);
		const { insert } = dispatch.sandbox;
		for (const hours of [23, 5, 2, 25]) {
			insert({ toPhone: one.e164, loadId: `other ${hours}`, createdAt: hoursAgo(hours) });
		}
		const ended = await run(limited, {}, { items: [one], node: continues });
		const [{ error, details } = {}] = ended.items;
		expect(error).toMatch(
			/^No phone rang\. The check call to .* was not placed: This number was called 3 times in the last 24 hours, the last time 2 hours ago \(\w{3} \d{1,2}:\d\d [AP]M\)$/,
		);
		const { nextAllowedAt } = details as { nextAllowedAt: string };
		expect(Date.parse(nextAllowedAt) - Date.now()).toBeGreaterThan(0.99 * HOUR);
		expect(Date.parse(nextAllowedAt) - Date.now()).toBeLessThanOrEqual(HOUR);
		expect(dispatch.dialed()).toEqual([]);
	});

	it('counts a call once, whether this n8n remembers it, the list shows it, or both', async () => {
		const items = loads(5);
		const one = async (index: number) =>
			await run({ maxCallsPerNumber: 2 }, {}, { items: items.slice(index, index + 1) });
		expect(placed(await one(0))).toHaveLength(1);
		dispatch.restartProcess();
		expect(placed(await one(1))).toHaveLength(1);
		expect((await one(2)).error?.message).toMatch('This number was called 2 times');
		dispatch.restartProcess();
		expect((await one(3)).error?.message).toMatch('This number was called 2 times');
	});

	it('counts a request that got no response once, though the list shows its call', async () => {
		const items = loads(3);
		const fault = { kind: 'status', status: 501 } as const;
		dispatch.fail({ kind: 'reset', when: 'after' });
		dispatch.sandbox.faults.add({ endpoint: 'listCalls', fault, times: 1 });
		await dispatch.run({ options: { lookForLostAnswers: 0 } }, { items: items.slice(0, 1) });
		const ended = await run(
			{ maxCallsPerNumber: 2 },
			{},
			{ items: items.slice(1), node: continues },
		);
		expect(ended.items[0]).toMatchObject({ placement: 'placed' });
		expect(ended.items[1]?.error).toMatch('This number was called 2 times');
	});

	it('counts only calls that were placed, and each number separately', async () => {
		const items = loads(3);
		dispatch.fail({ kind: 'status', status: 422 }, { kind: 'callNull' });
		const rules = { maxCallsPerNumber: 1 };
		const ended = await run(rules, {}, { items: [...items, driver()], node: continues });
		expect(ended.items.map(({ placement }) => placement)).toEqual([
			...[undefined, undefined, 'placed', 'placed'],
		]);
	});

	it('counts no call of another credential', async () => {
		const [one = driver(), again = driver()] = loads(2);
		const { sandbox, credentials } = dispatch;
		sandbox.insert({ toPhone: one.e164, loadId: 'theirs', organization: 'south' });
		const south = {
			...credentials.carrierLoadCommunicationsApi,
			accessToken: sandbox.tokens.south,
		};
		const only = { maxCallsPerNumber: 1 };
		const theirs = await run(
			only,
			{},
			{
				...{ items: [one], credentials: { carrierLoadCommunicationsApi: south } },
			},
		);
		expect(theirs.error?.message).toMatch('This number was called once');
		expect((await run(only, {}, { items: [one] })).items).toMatchObject([{ placement: 'placed' }]);
		expect((await run(only, {}, { items: [again] })).error?.message).toMatch('called once');
	});

	it('counts calls of both spellings of an extension, but not those to another one', async () => {
		const one = driver();
		const to = (extension: string) => ({ ...one, phone: one.phone + extension });
		const items = [to(' x204'), to(' x205'), to(' x204'), to('')];
		const ended = await run({ maxCallsPerNumber: 1 }, {}, { items, node: continues });
		expect(ended.items.map(({ placement }) => placement)).toEqual([
			...['placed', 'placed', undefined, undefined],
		]);
	});

	it('places no call if the list cannot be read to its end, and says what to do', async () => {
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always', fault: { kind: 'total', value: 5000 } },
		});
		const { error } = await run(limited);
		expect(error?.message).toMatch(/^No phone rang\. .* could not be read to its end/);
		expect(error?.description).toMatch(
			'Run this item again, or remove Max Calls per Person per Day (Safety)',
		);
		expect(dispatch.dialed()).toEqual([]);
	});

	it('counts calls whose number the list hides, and the error has their number', async () => {
		const service = await openListService(({ toPhone }) => ({ id: 1, toPhone, createdAt: '' }));
		for (const id of [71, 72]) {
			service.calls.push({ id, toPhone: '***', createdAt: hoursAgo(1), loadIds: [] });
		}
		const { credentials } = service;
		const { error } = await run({ maxCallsPerNumber: 2 }, {}, { credentials });
		await service.close();
		expect(error?.message).toMatch(', counting 2 whose number the call list hides');
		expect(service.requested).toBe(0);
	});

	it('counts a call that a colleague placed while the service made this one wait', async () => {
		const [one = driver()] = loads(1);
		dispatch.fail({ kind: 'status', status: 429, retryAfter: 1 });
		const running = run({ maxCallsPerNumber: 1 }, {}, { items: [one] });
		const requests = () => dispatch.sandbox.ledger.requests('triggerCheckCall');
		while (requests().at(-1)?.status !== 429) await new Promise((next) => setImmediate(next));
		dispatch.sandbox.insert({ toPhone: one.e164, loadId: 'another' });
		expect((await running).error?.message).toMatch('This number was called once');
		expect(dispatch.dialed()).toEqual([]);
	});

	it('shows in a dry run which items would be refused', async () => {
		const ended = await run(limited, { callMode: 'dryRun' }, { items: loads(5), node: continues });
		expect(ended.items.map(({ placement }) => placement)).toEqual([
			...['dryRun', 'dryRun', 'dryRun', 'wouldFail', 'wouldFail'],
		]);
	});
});
