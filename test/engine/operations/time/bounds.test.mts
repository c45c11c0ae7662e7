import { DateTime } from 'luxon';
import { startNodeRunner } from '../../support/operations/node-runner.mts';
import { stopClock } from '../../support/triggers/simulated-clock.mts';

const zone = 'America/Chicago';

// Midnight must not pass between a list and what is expected of it.
beforeAll(stopClock);
afterAll(() => void jest.useRealTimers());

describe.each(['inclusive', 'exclusive'] as const)(
	'from a service whose time bounds are %s',
	(bounds) => {
		it.each([
			['today', 1],
			['yesterday', 1],
			['last7Days', 7],
		])('analytics of %s include every day', async (timeRange, count) => {
			const runner = await startNodeRunner({ calls: 0, bounds });
			try {
				const { items, hints } = await runner.run(
					{ resource: 'analytics', operation: 'getAll', timeRange },
					{ timezone: zone },
				);
				const now = DateTime.now().setZone(zone);
				const last = timeRange === 'yesterday' ? now.minus({ days: 1 }) : now;
				expect(items).toHaveLength(count);
				expect(String(items.at(-1)?.['date']).slice(0, 10)).toBe(last.toISODate());
				expect(hints).toEqual([]);
			} finally {
				await runner.close();
			}
		});

		it.each(['day', 'month'] as const)(
			'the calls of the last %s include the last millisecond',
			async (unit) => {
				const runner = await startNodeRunner({ calls: 0, bounds });
				try {
					const last = DateTime.now()
						.setZone(zone)
						.minus({ [unit]: 1 });
					const createdAt = [last.startOf(unit), last.endOf(unit)].map((time) =>
						String(time.toUTC().toISO()),
					);
					for (const time of createdAt) runner.sandbox.insert({ createdAt: time });
					const { items } = await runner.run({
						resource: 'call',
						operation: 'getAll',
						timeRange: unit === 'day' ? 'yesterday' : 'lastMonth',
						returnAll: true,
					});
					expect(items.map((call) => call['createdAt'])).toEqual(createdAt.toReversed());
				} finally {
					await runner.close();
				}
			},
		);
	},
);
