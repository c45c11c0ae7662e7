import { openPublishing } from '../support/triggers/published-trigger.mts';
import { clock, HOUR, iso, MINUTE, setClock, start } from '../support/triggers/simulated-clock.mts';

const { openService, publish } = openPublishing();

/** A service with a clock that differs from n8n's, and what it lists when it lists something now. */
async function openServiceWithClock(aheadMs: number) {
	const service = await openService();
	const now = () => clock.now + aheadMs;
	service.clock = () => new Date(now());
	const list = (id: number, ago = 0) => {
		const made = now() - ago;
		service.add(made, { id, createdAt: iso(made), summary: 'said' });
	};
	return { service, list };
}

describe.each([
	['three minutes ahead', 3 * MINUTE],
	['five hours ahead', 5 * HOUR],
	['three minutes behind', -3 * MINUTE],
	['five hours behind', -5 * HOUR],
])('with a service whose clock is %s, polling', (_difference, aheadMs) => {
	it.each(['newCall', 'callOutcomeReady'])(
		'for %s delivers no old records, and each new one once with the next polls',
		async (event) => {
			const { list } = await openServiceWithClock(aheadMs);
			for (let id = 1; id <= 40; id++) list(id, (41 - id) * 10_000);
			const { poller, ids } = await publish({ event });
			for (let minute = 1; minute <= 60; minute++) {
				setClock(start + minute * MINUTE);
				list(100 + minute);
				await poller.poll();
			}
			setClock(clock.now + MINUTE);
			await poller.poll();
			expect(poller.failures).toEqual([]);
			expect(ids()).toEqual(Array.from({ length: 60 }, (_, index) => 101 + index));
		},
	);
});

describe("n8n's clock that was hours ahead and is right again", () => {
	it.each([1, 20, 72])('by %p hours, delivers each record once', async (hours) => {
		const service = await openService();
		const { poller, ids } = await publish({ event: 'newCall' });
		const expected: number[] = [];
		for (let minute = 1; minute <= 20; minute++) {
			const now = start + minute * MINUTE;
			service.clock = () => new Date(now);
			service.add(now - 1, { id: minute, createdAt: iso(now - 1) });
			expected.push(minute);
			setClock(minute === 10 ? now + hours * HOUR : now);
			await poller.poll();
		}
		setClock(clock.now + MINUTE);
		service.clock = () => new Date(clock.now);
		await poller.poll();
		expect(ids()).toEqual(expected);
	});
});
