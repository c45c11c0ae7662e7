import type { IDataObject } from 'n8n-workflow';
import { collect } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/collect.ts';
import { EVENTS } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/events.ts';
import {
	firstState,
	readState,
	writeState,
} from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/state.ts';
import type { JsonObject } from '../../../../nodes/shared/service/http/json.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const start = Date.parse('2026-03-02T12:00:00Z');
const event = 'callOutcomeReady';
const settings = {
	...({ event, filters: {}, overlapMs: HOUR, historyMs: 0 } as const),
	...{ giveUpMs: 72 * HOUR, catchUpMs: 24 * HOUR },
};

/** Polls whose time is up after some requests, of a service with these calls. */
function pollsOf(calls: JsonObject[], requestsPerPoll = 5) {
	const state = firstState(settings, start);
	const times = calls.map(({ createdAt }) => Date.parse(String(createdAt)));
	let requests = 0;
	const poll = async (nowMs: number) => {
		requests = 0;
		const rows = await collect(state, {
			...settings,
			...{ event: EVENTS[event], nowMs, warn: () => undefined },
			hasTime: () => requests < requestsPerPoll,
			read: async (fromMs, toMs, limit) => {
				requests++;
				const listed = calls.filter((_, index) => {
					const time = times[index] ?? 0;
					return time >= fromMs && time <= toMs;
				});
				return { rows: listed.slice(0, limit) };
			},
		});
		return { ids: rows.map(({ id }) => id), requests };
	};
	return { state, poll };
}

describe('a catch-up', () => {
	it('ends when the time of a poll is up, and the next poll continues there', async () => {
		const { state, poll } = pollsOf([], 2);
		const begin = state.from;
		state.windowMs = MINUTE;
		expect(await poll(start + 24 * HOUR)).toEqual({ ids: [], requests: 2 });
		expect(state.from).toBe(begin + 5 * MINUTE);
		for (let nth = 0; state.windowMs !== undefined && nth < 10; nth++) {
			await poll(start + 24 * HOUR + MINUTE);
		}
		expect(state.from).toBe(start + 23 * HOUR);
	});
});

describe('a look for calls that have waited for hours', () => {
	it('ends when the time of a poll is up, and the next polls continue it to its end', async () => {
		const call = (id: number, ms: number, summary: string | null) => ({
			...{ id, createdAt: new Date(ms).toISOString(), summary },
		});
		const others = Array.from({ length: 20_000 }, (_, index) =>
			call(100 + index, start + (index * 8 * HOUR) / 20_000, 'said'),
		);
		const late = start + 7 * HOUR;
		const { state, poll } = pollsOf([call(1, start, null), ...others, call(2, late, 'said')]);
		const end = start + 10 * HOUR;
		state.from = end - HOUR;
		state.waiting.set('1', start).set('2', late);
		const found: unknown[] = [];
		for (let nth = 0; nth < 40; nth++) {
			const { ids, requests } = await poll(end + nth * MINUTE);
			// The last request is one that was due when there was time.
			expect(requests).toBeLessThanOrEqual(6);
			found.push(...ids);
		}
		expect(found).toEqual([2]);
		expect([...state.waiting.keys()]).toEqual(['1']);
	});

	it('ends when the time is up even where the list is empty', async () => {
		const { state, poll } = pollsOf([], 2);
		const end = start + 24 * HOUR;
		state.from = end - HOUR;
		state.recheckWindowMs = MINUTE;
		state.waiting.set('1', start);
		expect(await poll(end)).toEqual({ ids: [], requests: 2 });
		expect(state.recheckFrom).toBe(start + MINUTE);
	});

	it('forgets those that are no longer listed, when they are too old', async () => {
		const { state, poll } = pollsOf([]);
		state.waiting.set('gone', start).set('new', start + 73 * HOUR);
		state.from = start + 74 * HOUR;
		await poll(start + 75 * HOUR);
		expect([...state.waiting.keys()]).toEqual(['new']);
	});
});

describe('what is stored', () => {
	it('has at most 1,000 calls without an outcome, the newest, and says how many it dropped', () => {
		const state = firstState(settings, start);
		for (let id = 1005; id > 0; id--) state.waiting.set(`call ${id}`, start + id);
		const staticData: IDataObject = {};
		expect(writeState(staticData, state)).toEqual([
			expect.stringContaining('The oldest 5 are no longer checked'),
		]);
		const kept = readState(JSON.parse(JSON.stringify(staticData)) as IDataObject, event)?.waiting;
		expect(kept?.size).toBe(1000);
		expect([kept?.get('call 5'), kept?.get('call 6')]).toEqual([undefined, start + 6]);
	});
});
