import type { IDataObject } from 'n8n-workflow';
import { EVENTS } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/events.ts';
import {
	firstState,
	readState,
	writeState,
	type PollState,
} from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/memory/state.ts';
import { take } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/take.ts';

const HOUR = 3_600_000;
const start = Date.parse('2026-03-02T12:00:00Z');
const event = 'callOutcomeReady';
const settings = {
	...({ event, account: 'one', filters: {}, overlapMs: HOUR, historyMs: 0 } as const),
	...{ giveUpMs: 72 * HOUR, catchUpMs: 24 * HOUR },
};

/** The state as the next poll reads it, and what was said about it. */
function stored(state: PollState, name: string = event) {
	const staticData: IDataObject = {};
	const warnings = writeState(staticData, state);
	return { warnings, read: readState(JSON.parse(JSON.stringify(staticData)), name) };
}

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

	it('has at most 2,000 delivered records, the newest; older ones are never delivered', () => {
		const state = firstState(settings, start);
		for (let id = 2005; id > 0; id--) {
			state.seen.set(`call ${id}`, { time: start + id, contents: [] });
		}
		const { warnings, read } = stored(state);
		expect(warnings).toEqual([expect.stringContaining('More than 2000 records')]);
		expect(read?.seen.size).toBe(2000);
		expect(read?.seen.get('call 6')).toEqual({ time: start + 6, contents: [] });
		expect(read?.floor).toBe(start + 6);
	});

	it('has the records from as long before the next range as a time without a zone may be off', () => {
		const state = firstState(settings, start);
		const seen = { contents: ['content'] };
		state.seen.set('kept', { ...seen, time: state.from - 14 * HOUR });
		state.seen.set('old', { ...seen, time: state.from - 14 * HOUR - 1 });
		const { warnings, read } = stored(state);
		expect(warnings).toEqual([]);
		expect([...(read?.seen ?? [])]).toEqual([
			['kept', { contents: ['content'], time: state.from - 14 * HOUR }],
		]);
	});

	it('counts only for the event that was polled', () => {
		const state = firstState(settings, start);
		expect(stored(state).read?.from).toBe(state.from);
		expect(stored(state, 'newBid').read).toBeUndefined();
	});
});

it('what was stored without how far polling has looked begins at the next range', () => {
	const state = { event, filters: '{}', from: start, polledAt: start + HOUR };
	expect(readState({ state }, event)).toMatchObject({ lookedTo: start, floor: start });
	expect(readState({ state: { ...state, from: undefined } }, event)).toBeUndefined();
	expect(readState({ state: { ...state, polledAt: 'now' } }, event)).toBeUndefined();
});

it('a record without a zone that is older than polling may deliver is not delivered', () => {
	const state = { ...firstState(settings, start), floor: start, quietUntil: undefined };
	const row = (id: number, ms: number) => ({
		...{ id, createdAt: new Date(ms).toISOString().replace('Z', ''), summary: 'said' },
	});
	const rows = [row(1, start - 14 * HOUR - 1000), row(2, start - 14 * HOUR)];
	const found = take({ fromMs: start, toMs: start + HOUR, rows }, state, {
		...{ ...settings, event: EVENTS[event], nowMs: start + HOUR },
		...{ warn: () => undefined, read: async () => ({ rows: [] }) },
	});
	expect(found.map(({ key }) => key)).toEqual(['2']);
});

describe('a call', () => {
	const { callOutcomeReady, callEndedWithoutOutcome } = EVENTS;

	it.each([null, '', '  ', '\n'])('whose summary is %j has no outcome', (summary) => {
		const call = { id: 1, summary, transcript: summary };
		expect(callOutcomeReady.readiness(call, 0, HOUR)).toBe('waiting');
	});

	it('is waited for until the time is up', () => {
		const readiness = (ageMs: number) => [
			callOutcomeReady.readiness({}, ageMs, HOUR),
			callEndedWithoutOutcome.readiness({}, ageMs, HOUR),
		];
		expect(readiness(HOUR - 1)).toEqual(['waiting', 'waiting']);
		expect(readiness(HOUR)).toEqual(['never', 'ready']);
	});
});
