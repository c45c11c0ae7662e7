import type { IDataObject } from 'n8n-workflow';
import { EVENTS } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/events.ts';
import {
	pollOnce,
	type Poll,
} from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/collections.ts';
import type { PollSettings } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/form.ts';
import type { List } from '../../../../nodes/shared/service/pagination/types.ts';

type Filtered = Pick<PollSettings, 'filters'>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const start = Date.parse('2026-03-02T12:00:00Z');

beforeEach(() => void jest.useFakeTimers({ now: start }));
afterEach(() => void jest.useRealTimers());

const rowAt = (id: number, ms: number) => ({ id, createdAt: new Date(ms).toISOString() });

const nodeOf = (key: string) => ({ key, name: 'Poll' });

/** A poll of one node. */
const poll = async (
	read: () => Promise<List>,
	{
		node = nodeOf('w:node'),
		staticData = {},
		waitMs = HOUR,
		filters = {},
	}: Partial<Poll & Filtered> = {},
) =>
	await pollOnce({
		...{ node, waitMs, event: EVENTS.newCall, read, staticData },
		settings: {
			...{ event: 'newCall' as const, filters, overlapMs: HOUR, historyMs: HOUR },
			account: 'one',
			...{ giveUpMs: 24 * HOUR, catchUpMs: 24 * HOUR },
		},
		warn: () => undefined,
	});

/** A list that the service returns only when it is told to. */
function slowList() {
	let answer: (list: List) => void = () => undefined;
	const list = new Promise<List>((resolve) => (answer = resolve));
	return { answer, read: async () => await list };
}

/** A poll whose time is up before the list is read. */
async function latePoll(read: () => Promise<List>, key: string, given: Partial<Poll> = {}) {
	const late = poll(read, { node: nodeOf(key), ...given, waitMs: 1000 });
	const ended = late.catch(() => undefined);
	await jest.advanceTimersByTimeAsync(1000);
	await ended;
	return await late;
}

const none = async (): Promise<List> => ({ rows: [] });

it('a poll while another one waits returns nothing, and fails when that seems stuck', async () => {
	const { answer, read } = slowList();
	const slow = poll(read);
	expect(await poll(none)).toEqual([]);
	jest.setSystemTime(start + 15 * MINUTE - 1);
	expect(await poll(none)).toEqual([]);
	jest.setSystemTime(start + 15 * MINUTE);
	await expect(poll(none)).rejects.toThrow('has been read for 15 minutes and is not complete');
	const row = rowAt(1, start - MINUTE);
	answer({ rows: [row] });
	expect(await slow).toEqual([row]);
	const next = rowAt(2, start);
	expect(await poll(async () => ({ rows: [next] }))).toEqual([next]);
});

describe('a list that takes longer to read than a poll may', () => {
	it('is read once, and delivered by the first poll that finds it read', async () => {
		const { answer, read } = slowList();
		const staticData: IDataObject = {};
		const given = { node: nodeOf('late'), staticData };
		expect(await latePoll(read, 'late', given)).toEqual([]);
		expect(await latePoll(none, 'late', given)).toEqual([]);
		expect(staticData).toEqual({});
		const row = rowAt(1, start - MINUTE);
		answer({ rows: [row] });
		expect(await poll(none, given)).toEqual([row]);
		expect(await poll(async () => ({ rows: [row] }), given)).toEqual([]);
	});

	it('fails the polls visibly after 15 minutes, and is still delivered then', async () => {
		const { answer, read } = slowList();
		expect(await latePoll(read, 'stuck')).toEqual([]);
		jest.setSystemTime(start + 16 * MINUTE);
		await expect(latePoll(none, 'stuck')).rejects.toThrow('16 minutes');
		const row = rowAt(1, start - MINUTE);
		answer({ rows: [row] });
		expect(await poll(none, { node: nodeOf('stuck') })).toEqual([row]);
	});

	it('fails the next poll if it fails, and is read again by the one after', async () => {
		let fail: (error: Error) => void = () => undefined;
		const failing = new Promise<List>((_resolve, reject) => (fail = reject));
		expect(await latePoll(async () => await failing, 'fails')).toEqual([]);
		fail(new Error('The service is down'));
		await expect(poll(none, { node: nodeOf('fails') })).rejects.toThrow('The service is down');
		const row = rowAt(1, start - MINUTE);
		expect(await poll(async () => ({ rows: [row] }), { node: nodeOf('fails') })).toEqual([row]);
	});

	it.each<[string, Partial<Poll & Filtered>]>([
		['other filters', { filters: { mcNumber: '123456' } }],
		['a memory that another process wrote', { staticData: { state: { event: 'newCall' } } }],
	])('is dropped for %s', async (what, changed) => {
		const key = `dropped for ${what}`;
		const { answer, read } = slowList();
		expect(await latePoll(read, key)).toEqual([]);
		answer({ rows: [rowAt(1, start - MINUTE)] });
		expect(await poll(none, { node: nodeOf(key), ...changed })).toEqual([]);
	});

	it('is dropped after a pause longer than the user wants to catch up', async () => {
		const { answer, read } = slowList();
		expect(await latePoll(read, 'pause')).toEqual([]);
		answer({ rows: [rowAt(1, start - MINUTE)] });
		jest.setSystemTime(start + 24 * HOUR + MINUTE);
		expect(await poll(none, { node: nodeOf('pause') })).toEqual([]);
	});
});
