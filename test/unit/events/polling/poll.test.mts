import type { IDataObject } from 'n8n-workflow';
import { EVENTS } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/events.ts';
import { pollOnce } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/poll.ts';
import type { List } from '../../../../nodes/shared/service/pagination/types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const start = Date.parse('2026-03-02T12:00:00Z');

beforeEach(() => void jest.useFakeTimers({ now: start }));
afterEach(() => void jest.useRealTimers());

/** A poll of one node. */
const poll = async (read: () => Promise<List>, staticData: IDataObject = {}) =>
	await pollOnce({
		...{ nodeKey: 'w:node', event: EVENTS.newCall, read, staticData: () => staticData },
		settings: {
			...{ event: 'newCall' as const, filters: {}, overlapMs: HOUR, historyMs: HOUR },
			...{ giveUpMs: 24 * HOUR, catchUpMs: 24 * HOUR },
		},
		hasTime: () => true,
		warn: () => undefined,
	});

it('a poll while another one runs returns nothing, and fails when that seems stuck', async () => {
	let answer: (list: List) => void = () => undefined;
	const slow = poll(() => new Promise((resolve) => (answer = resolve)));
	const other = async () => await poll(async () => ({ rows: [] }));
	expect(await other()).toEqual([]);
	jest.setSystemTime(start + 15 * MINUTE - 1);
	expect(await other()).toEqual([]);
	jest.setSystemTime(start + 15 * MINUTE);
	await expect(other()).rejects.toThrow('The previous poll has been running for 15 minutes.');
	const row = { id: 1, createdAt: new Date(start - MINUTE).toISOString() };
	answer({ rows: [row] });
	expect(await slow).toEqual([row]);
	const next = { id: 2, createdAt: new Date(start).toISOString() };
	expect(await poll(async () => ({ rows: [next] }))).toEqual([next]);
});
