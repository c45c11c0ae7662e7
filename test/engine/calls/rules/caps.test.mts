import { drivers } from '../../support/calls/dispatch.mts';
import { useDispatch, withRules } from '../../support/calls/use-dispatch.mts';

const dispatch = useDispatch();
const run = withRules(dispatch);

describe('the limits of calls', () => {
	const node = (id: string) => ({ node: { id } });

	it('reject a run with more items than Max Calls per Run before the first call', async () => {
		const { error } = await run({ maxCalls: 2 }, {}, { items: drivers(3) });
		expect(error?.message).toBe('No phone rang. There are 3 items, but Max Calls per Run is 2');
		expect(dispatch.dialed()).toEqual([]);
		expect((await run({ maxCalls: 3 }, {}, { items: drivers(3) })).items).toHaveLength(3);
	});

	it('default to 25 calls per run', async () => {
		const rules = '={{ ({ skipIfCalledWithin: 0 }) }}';
		const { error } = await dispatch.run({ rules }, { items: drivers(26) });
		expect(error?.message).toMatch('There are 26 items, but Max Calls per Run is 25');
	});

	it('hold across 16 simultaneous executions of the node', async () => {
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
		'allow calls up to %s, across executions, and say when the next one is allowed',
		async (rule) => {
			const options = { items: drivers(2), ...node(rule) };
			expect((await run({ [rule]: 3 }, {}, options)).items).toHaveLength(2);
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
			expect(Date.parse(nextAllowedAt)).toBeLessThanOrEqual(Date.now() + window);
			expect(dispatch.dialed()).toHaveLength(3);
		},
	);

	it('do not count calls of a run that were skipped or not tried', async () => {
		const rules = { maxCallsPerHour: 4 };
		const [first = {}, second = {}, ...others] = drivers(6);
		const once = { rules: { skipIfCalledWithin: 10 } };
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
});
