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
