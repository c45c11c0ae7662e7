import { collect } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/collect.ts';
import { EVENTS } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/events.ts';
import { firstState } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/memory/state.ts';
import type { JsonObject } from '../../../../nodes/shared/service/http/json.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const start = Date.parse('2026-03-02T12:00:00Z');
const event = 'callOutcomeReady';
const settings = {
	...({ event, account: 'one', filters: {}, overlapMs: HOUR, historyMs: 0 } as const),
	...{ giveUpMs: 72 * HOUR, catchUpMs: 24 * HOUR },
};

/** Polls of a service with these calls. */
function pollsOf(calls: JsonObject[]) {
	const state = firstState(settings, start);
	const times = calls.map(({ createdAt }) => Date.parse(String(createdAt)));
	let requests = 0;
	const ranges: Array<[from: number, to: number]> = [];
	const poll = async (nowMs: number) => {
		requests = 0;
		const rows = await collect(state, {
			...settings,
			...{ event: EVENTS[event], nowMs, warn: () => undefined },
			read: async (fromMs, toMs, limit) => {
				requests++;
				ranges.push([fromMs, toMs]);
				const listed = calls.filter((_, index) => {
					const time = times[index] ?? 0;
					return time >= fromMs && time <= toMs;
				});
				return { rows: listed.slice(0, limit) };
			},
		});
		return { ids: rows.map(({ id }) => id), requests };
	};
	return { state, poll, ranges };
}

const callAt = (id: number, ms: number, summary: string | null = 'said') => ({
	...{ id, createdAt: new Date(ms).toISOString(), summary },
});

describe('a look for calls that have waited for hours', () => {
	it('is repeated after a quarter of an hour, not sooner', async () => {
		const { state, poll } = pollsOf([callAt(1, start, null)]);
		const end = start + 10 * HOUR;
		state.waiting.set('1', start);
		Object.assign(state, { from: end - HOUR, recheckedAt: end });
		expect((await poll(end + 14 * MINUTE)).requests).toBe(1);
		expect((await poll(end + 15 * MINUTE)).requests).toBe(2);
		expect(state.recheckedAt).toBe(end + 15 * MINUTE);
		expect((await poll(end + 29 * MINUTE)).requests).toBe(1);
	});

	it('forgets those that are no longer listed, when they are too old', async () => {
		const { state, poll } = pollsOf([]);
		state.waiting.set('gone', start).set('new', start + 73 * HOUR);
		state.from = start + 74 * HOUR;
		await poll(start + 75 * HOUR);
		expect([...state.waiting.keys()]).toEqual(['new']);
	});
});

describe('a clock that was set back', () => {
	it('does not stop polling until it catches up', async () => {
		const now = start + 10 * HOUR;
		const { state, poll, ranges } = pollsOf([callAt(1, now - 10 * MINUTE)]);
		state.from = start + 15 * HOUR;
		expect((await poll(now)).ids).toEqual([1]);
		expect(ranges).toEqual([[now - HOUR - 2000, now]]);
	});

	it('during a catch-up makes the next poll read again as far back as always', async () => {
		const { state, poll } = pollsOf([]);
		Object.assign(state, { passStartedAt: start + 15 * HOUR, from: start + 9 * HOUR });
		await poll(start + 10 * HOUR);
		expect(state.from).toBe(start + 9 * HOUR);
	});
});

describe('what is older than polling may deliver', () => {
	it('is not read', async () => {
		const { state, poll, ranges } = pollsOf([]);
		state.floor = start + 3 * HOUR;
		await poll(start + 4 * HOUR);
		expect(ranges).toEqual([[start + 3 * HOUR - 2000, start + 4 * HOUR]]);
	});

	it('is not delivered where a range reads a little more', async () => {
		const floor = start + 3 * HOUR;
		const { state, poll } = pollsOf([callAt(1, floor - 1000), callAt(2, floor)]);
		state.floor = floor;
		expect((await poll(start + 4 * HOUR)).ids).toEqual([2]);
	});
});
