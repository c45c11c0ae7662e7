import { notePauses } from '../../../support/pauses.mts';
import { drivers, SETTLE_MS } from '../../support/calls/dispatch.mts';
import { useDispatch, withRules } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();
const run = withRules(dispatch);

describe('the caps', () => {
	const node = (id: string) => ({ node: { id } });

	it('reject a run with more items than Max Calls per Run before the first call', async () => {
		const { error } = await run({ maxCalls: 2 }, {}, { items: drivers(3) });
		expect(error?.message).toBe('No phone rang. There are 3 items, but Max Calls per Run is 2');
		expect(dispatch.dialed()).toEqual([]);
		expect((await run({ maxCalls: 3 }, {}, { items: drivers(3) })).items).toHaveLength(3);
	});

	it('default to 200 calls per run', async () => {
		const { error } = await run({}, {}, { items: drivers(201) });
		expect(error?.message).toMatch('There are 201 items, but Max Calls per Run is 200');
	});

	it('hold across 16 simultaneous executions of the node, with a slow database', async () => {
		dispatch.processedData.delayMs = 1;
		const rules = { maxCallsPerHour: 20, maxCallsPerDay: 1000 };
		const runs = await Promise.all(
			Array.from({ length: 16 }, async () =>
				run(
					rules,
					{ options: { callsInParallel: 4 } },
					{ items: drivers(5), node: { id: 'capped', onError: 'continueRegularOutput' } },
				),
			),
		);
		expect(dispatch.dialed()).toHaveLength(20);
		const items = runs.flatMap(({ items: some }) => some);
		expect(items.filter(({ placement }) => placement === 'placed')).toHaveLength(20);
		const refused = items.filter(({ error }) => error !== undefined);
		expect(refused).toHaveLength(60);
		expect(refused[0]).toMatchObject({
			error: expect.stringMatching(/^No phone rang\..*reached its limit of 20 calls per hour$/),
			details: { nextAllowedAt: expect.stringMatching(/Z$/) },
		});
	});

	it.each(['maxCallsPerHour', 'maxCallsPerDay'])(
		'allow calls up to %s, across a restart, and say when the next one is allowed',
		async (rule) => {
			const options = { items: drivers(2), ...node(rule) };
			expect((await run({ [rule]: 3 }, {}, options)).items).toHaveLength(2);
			dispatch.restartProcess();
			const before = Date.now();
			const { items } = await run(
				{ [rule]: 3 },
				{},
				{ items: drivers(2), node: { id: rule, onError: 'continueRegularOutput' } },
			);
			const [, refused] = items;
			expect(items[0]).toMatchObject({ placement: 'placed' });
			expect(refused?.error).toMatch(
				/^No phone rang\..*reached its limit of 3 calls per (hour|day)$/,
			);
			const { nextAllowedAt } = refused?.details as { nextAllowedAt: string };
			const window = rule === 'maxCallsPerHour' ? 3_600_000 : 24 * 3_600_000;
			expect(Date.parse(nextAllowedAt)).toBeGreaterThan(before);
			expect(Date.parse(nextAllowedAt)).toBeLessThanOrEqual(Date.now() + (window * 61) / 60);
			expect(dispatch.dialed()).toHaveLength(3);
		},
	);

	it('count the calls of a run together, not one after the other', async () => {
		// What is counted ahead holds for its minute; past that, each call is counted again.
		const sinceMinute = Date.now() % 60_000;
		const now = Date.now.bind(Date);
		jest.spyOn(Date, 'now').mockImplementation(() => now() - sinceMinute);
		const pauses = notePauses(SETTLE_MS, () => dispatch.dialed().length);
		const rules = { maxCallsPerHour: 40, maxCallsPerDay: 100 };
		const { items } = await run(rules, {}, { items: drivers(32), ...node('together') });
		jest.restoreAllMocks();
		expect(items.filter(({ placement }) => placement === 'placed')).toHaveLength(32);
		expect(pauses.length).toBeGreaterThan(0);
		expect(pauses.length).toBeLessThan(16);
	});

	it('do not count calls of a run that were skipped or not tried', async () => {
		const rules = { maxCallsPerHour: 4 };
		const [first = {}, second = {}, ...others] = drivers(6);
		const once = { skipIfCalledWithin: 10 };
		await run(rules, once, { items: [first], ...node('unused') });
		// The first is a duplicate, the second is rejected, and the others are not tried.
		dispatch.fail({ kind: 'status', status: 422 });
		const stopped = await run(rules, once, {
			items: [first, second, ...others],
			...node('unused'),
		});
		expect(stopped.error?.message).toMatch(/^No phone rang\./);
		const { items } = await run(rules, once, { items: others.slice(0, 3), ...node('unused') });
		expect(items).toMatchObject(Array(3).fill({ placement: 'placed' }));
		expect(dispatch.dialed()).toHaveLength(4);
	});

	it.each([
		['', () => undefined],
		[' in another process', () => dispatch.restartProcess()],
	])('allow retries%s to place the last call that is missing', async (where, restart) => {
		dispatch.sandbox.faults.add({
			...{ endpoint: 'triggerCheckCall', skip: 2, times: 2 },
			fault: { kind: 'status', status: 422 },
		});
		const parameters = { rules: { maxCallsPerHour: 3 } };
		const execution = await dispatch.execution(parameters, {
			...{ items: drivers(3), node: { id: `retried${where}`, onError: 'continueRegularOutput' } },
		});
		const first = await execution.start();
		expect(first.items.map(({ placement }) => placement)).toEqual(['placed', 'placed', undefined]);
		restart();
		await execution.start();
		restart();
		const { items } = await execution.start();
		expect(items[2]).toMatchObject({ placement: 'placed' });
		expect(dispatch.dialed()).toHaveLength(3);
	});

	it('do not count a call that the service rejected', async () => {
		dispatch.fail({ kind: 'status', status: 422 });
		const options = node('refused');
		expect((await run({ maxCallsPerHour: 1 }, {}, options)).error).toBeDefined();
		expect((await run({ maxCallsPerHour: 1 }, {}, options)).items).toMatchObject([
			{ placement: 'placed' },
		]);
		expect((await run({ maxCallsPerHour: 1 }, {}, options)).error?.message).toMatch(
			'reached its limit of 1 call per hour',
		);
	});

	it('place no call when the database fails for a moment, and stay correct', async () => {
		const { processedData } = dispatch;
		const record = processedData.checkProcessedAndRecord.bind(processedData);
		const place = async () => await run({ maxCallsPerHour: 2 }, {}, node('hiccup'));
		await place();
		const before = dispatch.noted();
		let failures = 0;
		const spy = jest
			.spyOn(processedData, 'checkProcessedAndRecord')
			.mockImplementation(async (items, ...others) => {
				// Only the caps ask for so many at once: each time twice, ahead of the call and right before.
				if (items.length > 50 && ++failures <= 4) throw new Error('The connection was lost');
				return await record(items, ...others);
			});
		const { error } = await place();
		expect(error?.message).toMatch(/^No phone rang\. .*can't be counted: The connection was lost/);
		expect(dispatch.dialed()).toHaveLength(1);
		spy.mockRestore();
		expect(dispatch.noted()).toHaveLength(before.length);
		await place();
		expect((await place()).error?.message).toMatch('reached its limit of 2 calls per hour');
		expect(dispatch.dialed()).toHaveLength(2);
	});

	it('place no call while the database cannot be used', async () => {
		dispatch.processedData.broken = true;
		const { error } = await run({ maxCallsPerHour: 5 }, {}, node('broken'));
		expect(error?.message).toMatch("can't be counted");
		expect(dispatch.dialed()).toEqual([]);
	});
});
