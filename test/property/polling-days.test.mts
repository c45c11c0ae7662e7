import { openPolls } from '../engine/support/triggers/polled-trigger.mts';
import {
	clock,
	iso,
	MINUTE,
	setClock,
	start,
} from '../engine/support/triggers/simulated-clock.mts';

const { openSandbox, trigger } = openPolls();

/** A random number generator from 0 to 1 that always returns the same sequence. */
function chance(seed: number) {
	let state = seed;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return state / 2 ** 32;
	};
}

describe('a simulated day and a half', () => {
	it.each([
		['newestFirst', 'inclusive', 1],
		['oldestFirst', 'exclusive', 2],
	] as const)(
		'%s, bounds %s: every record is returned once, although records arrive late and polls fail',
		async (order, bounds, seed) => {
			const sandbox = await openSandbox({ order, bounds });
			const random = chance(seed);
			const watchers = ['newCall', 'newConversation', 'newBid'].map((event) => trigger({ event }));
			for (const { poll } of watchers) await poll();
			let inserted = 0;
			const seen: string[][] = watchers.map(() => []);
			const pollAll = async () => {
				for (const [index, { poll }] of watchers.entries()) {
					const { items = [] } = await poll();
					const keys = items.map(({ id, createdAt, callDateTime, loadId }) =>
						String(id ?? `${String(callDateTime ?? createdAt)} ${String(loadId)}`),
					);
					seen[index]?.push(...keys);
				}
			};
			for (let minute = 0; minute < 36 * 60; minute += 15) {
				setClock(start + minute * MINUTE);
				if (random() < 0.6) {
					const count = 1 + Math.floor(random() * 4);
					const late = random() < 0.4 ? random() * 50 * MINUTE : 0;
					const createdAt = Math.max(start + 1, clock.now - late);
					sandbox.insert({ count: 1, createdAt: iso(createdAt) });
					for (let more = 1; more < count; more++) sandbox.insert({ createdAt: iso(clock.now) });
					inserted += count;
				}
				if (random() < 0.1) continue; // n8n was down
				const failing = random() < 0.1;
				if (failing) {
					sandbox.faults.add({ endpoint: '*', fault: { kind: 'html' }, times: 2 });
				}
				await pollAll();
				sandbox.faults.clear();
			}
			setClock(clock.now + MINUTE);
			await pollAll();
			for (const [index, keys] of seen.entries()) {
				expect(new Set(keys).size).toBe(keys.length);
				expect([index, keys.length]).toEqual([index, inserted]);
			}
			for (const { size } of watchers) expect(size()).toBeLessThan(10_000);
		},
	);
});
