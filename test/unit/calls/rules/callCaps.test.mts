import {
	CallCaps,
	type Caps,
} from '../../../../nodes/CarrierLoadCommunications/calls/rules/caps/callCaps.ts';
import type { SlotNotes } from '../../../../nodes/CarrierLoadCommunications/calls/rules/caps/takeSlot.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.parse('2026-01-15T14:00:30Z');

/** n8n's table of processed data: checking an entry also stores it. */
function notes(): SlotNotes & { entries: Set<string> } {
	const entries = new Set<string>();
	return {
		entries,
		async record(asked) {
			const taken = new Set(asked.filter((entry) => entries.has(entry)));
			for (const entry of asked) entries.add(entry);
			return taken;
		},
		async remove(gone) {
			for (const entry of gone) entries.delete(entry);
		},
	};
}

/** The same, read and written in two steps, interleaved with other workers in a random order. */
function racingNotes(seed: number) {
	let entries = new Set<string>();
	let drawn = seed + 1;
	const steps = async (most: number) => {
		drawn = (drawn * 48_271) % 2_147_483_647;
		for (let step = drawn % most; step > 0; step--) await Promise.resolve();
	};
	const change = async (turn: (row: Set<string>) => void) => {
		await steps(8);
		const row = new Set(entries);
		await steps(8);
		turn(row);
		entries = row;
	};
	return {
		/** Longer than any read and write takes. */
		async settle() {
			for (let step = 0; step < 60; step++) await Promise.resolve();
		},
		async record(asked: string[]) {
			let taken = new Set<string>();
			await change((row) => {
				taken = new Set(asked.filter((entry) => row.has(entry)));
				for (const entry of asked) row.add(entry);
			});
			return taken;
		},
		remove: async (gone: string[]) =>
			await change((row) => {
				for (const entry of gone) row.delete(entry);
			}),
	};
}

/** Takes slots for one call after another. Returns how many were allowed. */
async function claimAll(times: number[], caps: Caps, table = notes(), memory = new CallCaps()) {
	const allowed: number[] = [];
	for (const time of times) {
		const claim = await memory.claim(caps, table, time);
		if (Array.isArray(claim) && (await memory.confirm(claim, table))) allowed.push(time);
	}
	return allowed;
}

const every = (step: number, count: number) =>
	Array.from({ length: count }, (_, index) => START + index * step);

/** The most calls within any window. */
const most = (times: number[], window: number) =>
	Math.max(
		...times.map((from) => times.filter((time) => time >= from && time < from + window).length),
	);

describe('the caps of a node', () => {
	it('allow that many calls in any hour, and as many in the next', async () => {
		const allowed = await claimAll(every(MINUTE, 600), { perHour: 7 });
		expect(most(allowed, HOUR)).toBe(7);
		expect(allowed.length).toBeGreaterThan(65);
	});

	it('allow that many calls in any day', async () => {
		const allowed = await claimAll(every(20 * MINUTE, 300), { perHour: 2, perDay: 10 });
		expect(most(allowed, 24 * HOUR)).toBe(10);
		expect(most(allowed, HOUR)).toBe(2);
	});

	it('still apply after a restart, from what was noted', async () => {
		const table = notes();
		const before = await claimAll(every(MINUTE, 30), { perHour: 20 }, table);
		const after = await claimAll(
			every(MINUTE, 120).map((time) => time + 30 * MINUTE),
			{ perHour: 20 },
			table,
		);
		expect(most([...before, ...after], HOUR)).toBe(20);
		expect(after.length).toBeGreaterThan(20);
	});

	it('apply across two workers that share the notes', async () => {
		const table = notes();
		const workers = [new CallCaps(), new CallCaps()];
		const allowed: number[] = [];
		for (const [index, time] of every(MINUTE, 240).entries()) {
			const claim = await workers[index % 2]?.claim({ perHour: 9 }, table, time);
			if (Array.isArray(claim)) allowed.push(time);
		}
		expect(most(allowed, HOUR)).toBe(9);
		expect(allowed.length).toBeGreaterThan(30);
	});

	it('apply across three workers that read and write the notes at the same moment', async () => {
		for (let round = 0; round < 200; round++) {
			const table = racingNotes(round);
			const workers = Array.from({ length: 3 }, () => new CallCaps());
			const placed = await Promise.all(
				workers.map(async (worker) => {
					let calls = 0;
					for (let call = 0; call < 4; call++) {
						const claim = await worker.claim({ perHour: 5 }, table, START);
						await table.settle();
						if (Array.isArray(claim) && (await worker.confirm(claim, table))) calls++;
					}
					return calls;
				}),
			);
			expect(placed.reduce((sum, calls) => sum + calls)).toBeLessThanOrEqual(5);
		}
	});

	it('say when the next call can be placed, and allow it then', async () => {
		const [table, memory] = [notes(), new CallCaps()];
		await claimAll(every(1000, 3), { perHour: 3 }, table, memory);
		const refused = await memory.claim({ perHour: 3 }, table, START + 10_000);
		expect(refused).toEqual({
			reason: 'This node has reached its limit of 3 calls per hour',
			advice:
				'The next call may be placed in 1 hour, 1 minute (nextAllowedAt: 2026-01-15T15:01:00.000Z), or raise Max Calls per Hour (Calling Rules)',
			nextAllowedAt: '2026-01-15T15:01:00.000Z',
			taken: [],
		});
		const later = Date.parse('2026-01-15T15:01:00Z');
		expect(await memory.claim({ perHour: 3 }, table, later)).toHaveLength(1);
	});

	it('can be taken ahead of a call only as long as the hour after it is kept free', async () => {
		const claim = await new CallCaps().claim({ perHour: 1, perDay: 1 }, notes(), START);
		if (!Array.isArray(claim)) throw new Error('There was no slot');
		expect(claim.map(({ until }) => until > START)).toEqual([true, true]);
		expect(claim.map(({ freeAt, until }) => freeAt - until)).toEqual([HOUR, 24 * HOUR]);
	});

	it('do not count a call that was not placed after all', async () => {
		const [table, memory] = [notes(), new CallCaps()];
		for (let call = 0; call < 20; call++) {
			const claim = await memory.claim({ perHour: 1, perDay: 1 }, table, START + call);
			if (!Array.isArray(claim)) throw new Error('A released slot was not free');
			await memory.release(claim, table);
		}
		expect(table.entries.size).toBe(0);
	});

	it('store one entry for each call of the window, and no others', async () => {
		const [table, memory] = [notes(), new CallCaps()];
		await claimAll(every(10 * MINUTE, 1000), { perHour: 3 }, table, memory);
		expect(table.entries.size).toBe(3);
	});

	it('can be rehearsed on a copy, which knows the calls so far and takes no slot', async () => {
		const [table, memory] = [notes(), new CallCaps()];
		await claimAll(every(1000, 2), { perHour: 3 }, table, memory);
		const copy = memory.copy();
		const allowed = async (caps: CallCaps) =>
			Array.isArray(await caps.claim({ perHour: 3 }, notes(), START + 10_000));
		expect([await allowed(copy), await allowed(copy)]).toEqual([true, false]);
		expect(await allowed(memory)).toBe(true);
	});

	it('leave to another worker, which took the slot, what the lost claim has checked', async () => {
		const [table, memory] = [notes(), new CallCaps()];
		const claim = await memory.claim({ perHour: 1 }, table, START);
		if (!Array.isArray(claim)) throw new Error('There was no free slot');
		for (const { own } of claim) table.entries.delete(own);
		const left = [...table.entries];
		expect(await memory.confirm(claim, table)).toBe(false);
		expect(left.length).toBeGreaterThan(1);
		expect([...table.entries]).toEqual(left);
	});
});
