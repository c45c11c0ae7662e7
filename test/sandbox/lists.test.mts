import type { ConversationRecord } from '../../sandbox/contract.mts';
import {
	request,
	BIDS,
	CALLS,
	CHECK_CALL,
	CONVERSATIONS,
	ALL_TIME,
	NOON,
	checkCall,
	walk,
} from './support/requests.mts';
import { sandboxPerTest } from './support/sandbox-per-test.mts';

const start = sandboxPerTest();

const idsOf = (rows: { id?: number | null | undefined }[]) => rows.map(({ id }) => id);
const momentOf = (at: string | null | undefined): number => Date.parse(at ?? '');

describe('the lists of the sandbox', () => {
	it.each([1, 7, 100, 500])('return every call once, newest first, %i at a time', async (limit) => {
		const sandbox = await start({ calls: 130 });
		const { rows } = await walk(sandbox, CALLS, { limit });
		expect(new Set(idsOf(rows)).size).toBe(130);
		const moments = rows.map(({ createdAt }) => momentOf(createdAt));
		expect(moments).toEqual(moments.toSorted((one, other) => other - one));
		expect(moments[0]).toBeLessThan(NOON.getTime());
	});

	it('can be sorted oldest first', async () => {
		const sandbox = await start({ calls: 40 });
		const oldest = await start({ calls: 40, order: 'oldestFirst' });
		const { rows } = await walk(oldest, CALLS, { limit: 7 });
		const newestFirst = await walk(sandbox, CALLS);
		expect(idsOf(rows)).toEqual(idsOf(newestFirst.rows).toReversed());
	});

	it('have other IDs in each start that asks for new ones', async () => {
		const idsOfStart = async (idOffset: number) => {
			const sandbox = await start({ calls: 100, idOffset });
			await request(sandbox, CHECK_CALL, { body: checkCall });
			const [calls, conversations] = await Promise.all([
				walk(sandbox, CALLS),
				walk(sandbox, CONVERSATIONS),
			]);
			return [...idsOf(calls.rows), ...idsOf(conversations.rows)];
		};
		// As far apart as two starts of a sandbox with 101 calls are at least.
		const [first, second] = [await idsOfStart(1000), await idsOfStart(1200)];
		expect(first).toHaveLength(second.length);
		expect(second.filter((id) => first.includes(id))).toEqual([]);
	});

	it('are the same for the same seed and clock, and different for another seed', async () => {
		const [one, same, other] = await Promise.all([start(), start(), start({ seed: 8 })]);
		const summaries = async (sandbox: typeof one) =>
			(await walk(sandbox, CALLS)).rows.map(({ summary, createdAt }) => [summary, createdAt]);
		expect(await summaries(same)).toEqual(await summaries(one));
		expect(await summaries(other)).not.toEqual(await summaries(one));
	});

	it('return 100 rows by default, with limit, offset and total', async () => {
		const { json } = await request(await start(), `/api/v1/calls?${ALL_TIME}`);
		expect(json).toMatchObject({ pagination: { limit: 100, offset: 0, total: 300 } });
		expect(CALLS.read(json).rows).toHaveLength(100);
	});

	it('return an empty page past the end, still with a total', async () => {
		const { json } = await request(await start(), `/api/v1/calls?${ALL_TIME}&offset=300`);
		expect(json).toEqual({ calls: [], pagination: { limit: 100, offset: 300, total: 300 } });
	});

	it('return nothing for an empty history', async () => {
		const sandbox = await start({ calls: 0 });
		for (const list of [CALLS, CONVERSATIONS, BIDS]) {
			expect((await walk(sandbox, list as typeof CALLS)).totals).toEqual([0]);
		}
	});

	it.each([
		['inclusive', 3],
		['exclusive', 1],
	] as const)('can treat time bounds as %s', async (bounds, between) => {
		const sandbox = await start({ bounds });
		const { rows } = await walk(sandbox, CALLS);
		const [newest, , oldest] = rows.slice(10, 13);
		const filter = `startTime=${oldest?.createdAt}&endTime=${newest?.createdAt}`;
		expect((await walk(sandbox, CALLS, { filter })).rows).toHaveLength(between);
	});

	it('read a date, or a time without an offset, as UTC', async () => {
		const sandbox = await start();
		const { rows } = await walk(sandbox, CALLS);
		const day = rows.filter(({ createdAt }) => createdAt?.startsWith('2026-01-20T'));
		const filter = 'startTime=2026-01-20&endTime=2026-01-20T23:59:59.999';
		expect(idsOf((await walk(sandbox, CALLS, { filter })).rows)).toEqual(idsOf(day));
		const offset = 'startTime=2026-01-20T02:00:00%2B02:00&endTime=2026-01-21T01:59:59.999%2B02:00';
		expect(idsOf((await walk(sandbox, CALLS, { filter: offset })).rows)).toEqual(idsOf(day));
		expect(day.length).toBeGreaterThan(3);
	});

	it('filter calls by load', async () => {
		const sandbox = await start();
		const { rows } = await walk(sandbox, CALLS);
		for (const load of new Set(rows.slice(0, 60).flatMap(({ loadIds }) => loadIds ?? []))) {
			const expected = rows.filter(({ loadIds }) => loadIds?.includes(load));
			const found = await walk(sandbox, CALLS, { filter: `${ALL_TIME}&loadId=${load}`, limit: 2 });
			expect(idsOf(found.rows)).toEqual(idsOf(expected));
		}
		const none = await walk(sandbox, CALLS, { filter: `${ALL_TIME}&loadId=no-such-load` });
		expect(none.rows).toEqual([]);
	});

	it('filter calls, conversations and bids by MC number', async () => {
		const sandbox = await start();
		const calls = await walk(sandbox, CALLS);
		const conversations = await walk(sandbox, CONVERSATIONS);
		const bids = await walk(sandbox, BIDS);
		for (const mc of new Set(calls.rows.slice(0, 20).map(({ mcNumber }) => mcNumber))) {
			const filter = `${ALL_TIME}&mcNumber=${mc}`;
			const ofCarrier = (row: { mcNumber?: string | null | undefined }) => row.mcNumber === mc;
			expect((await walk(sandbox, CALLS, { filter })).rows).toEqual(calls.rows.filter(ofCarrier));
			expect((await walk(sandbox, CONVERSATIONS, { filter })).rows).toEqual(
				conversations.rows.filter(ofCarrier),
			);
			expect((await walk(sandbox, BIDS, { filter })).rows).toEqual(
				bids.rows.filter(({ carrierMc }) => carrierMc === mc),
			);
		}
	});

	it('filter bids by load', async () => {
		const sandbox = await start();
		const { rows } = await walk(sandbox, BIDS);
		for (const load of new Set(rows.slice(0, 20).map(({ loadId }) => loadId))) {
			const found = await walk(sandbox, BIDS, { filter: `${ALL_TIME}&loadId=${load}` });
			expect(found.rows).toEqual(rows.filter(({ loadId }) => loadId === load));
		}
	});

	it("filter conversations by their loads' pickup and delivery, in upper or lower case", async () => {
		const sandbox = await start();
		const { rows } = await walk(sandbox, CONVERSATIONS);
		// The summary of a call about one load names its lane.
		const single = rows.find(
			({ loads, callSummary }) => loads && !loads.includes(',') && callSummary?.includes(' from '),
		);
		const lane = /from (\w[^,]*, [A-Z]{2}) to (\w[^,]*, [A-Z]{2})/.exec(single?.callSummary ?? '');
		const [, origin = '', destination = ''] = lane ?? [];
		const about = ({ loads }: ConversationRecord, load: string) =>
			loads?.split(', ').includes(load);
		const filter = (from: string, to: string) =>
			`${ALL_TIME}&origin=${encodeURIComponent(from)}&destination=${encodeURIComponent(to)}`;
		const found = await walk(sandbox, CONVERSATIONS, {
			filter: filter(origin.toLowerCase(), destination.toUpperCase()),
		});
		const ofLoad = rows.filter((row) => about(row, single?.loads ?? ''));
		expect(idsOf(found.rows)).toEqual(expect.arrayContaining(idsOf(ofLoad)));
		for (const { callSummary } of found.rows.filter(({ loads }) => !loads?.includes(','))) {
			if (callSummary?.includes(' from '))
				expect(callSummary).toContain(`${origin} to ${destination}`);
		}
		const elsewhere = await walk(sandbox, CONVERSATIONS, {
			filter: filter('Nowhere, ZZ', destination),
		});
		expect(elsewhere.rows).toEqual([]);
	});

	it("show a bid's amount both in its conversation and in its call", async () => {
		const sandbox = await start();
		const conversations = await walk(sandbox, CONVERSATIONS);
		const bids = await walk(sandbox, BIDS);
		const withBid = conversations.rows.filter(({ totalBids }) => totalBids === 1);
		expect(withBid.map(({ createdAt }) => createdAt)).toEqual(
			bids.rows.map(({ callDateTime }) => callDateTime),
		);
		for (const [nth, { bidAmounts }] of withBid.entries()) {
			expect(bids.rows[nth]?.callSummary).toContain(`$${bidAmounts} all in`);
		}
	});

	it('return a page deep in 100,000 calls like the first one', async () => {
		const sandbox = await start({ calls: 100_000 });
		const { json } = await request(sandbox, `/api/v1/calls?${ALL_TIME}&limit=500&offset=99900`);
		const { rows, total } = CALLS.read(json);
		expect([rows.length, total]).toEqual([100, 100_000]);
		const first = await request(sandbox, `/api/v1/calls?${ALL_TIME}&limit=1`);
		const [newest] = CALLS.read(first.json).rows;
		expect((newest?.id ?? 0) - (rows[99]?.id ?? 0)).toBe(99_999);
	});
});
