import type { Sandbox } from '../../../sandbox/index.mts';
import { request, CALLS, CONVERSATIONS, ALL_TIME, walk } from '../support/requests.mts';
import { sandboxPerTest } from '../support/sandbox-per-test.mts';

const start = sandboxPerTest();

async function page(sandbox: Sandbox, query: string) {
	const { json } = await request(sandbox, `/api/v1/calls?${ALL_TIME}&${query}`);
	const { calls, pagination } = json as { calls: { id: number }[]; pagination: object };
	return { ids: calls.map(({ id }) => id), pagination };
}

describe('a misbehaving list in the sandbox', () => {
	it('returns fewer rows than requested and reports that limit', async () => {
		const sandbox = await start();
		sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'clampLimit', max: 20 },
			times: 'always',
		});
		const { ids, pagination } = await page(sandbox, 'limit=100');
		expect(ids).toHaveLength(20);
		expect(pagination).toEqual({ limit: 20, offset: 0, total: 300 });
		expect((await walk(sandbox, CALLS)).rows).toHaveLength(300);
	});

	it.each([
		[0, 0],
		[null, null],
		['many', 'many'],
		['missing', undefined],
	])('can report the total %j', async (value, reported) => {
		const sandbox = await start();
		sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'total', value } });
		expect((await page(sandbox, 'limit=2')).pagination).toEqual({
			limit: 2,
			offset: 0,
			total: reported,
		});
	});

	it('can insert records between two pages, which shifts rows to the next page', async () => {
		const sandbox = await start();
		sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'insertMidWalk', count: 3 } });
		const before = await page(sandbox, 'limit=50');
		const after = await page(sandbox, 'limit=50&offset=50');
		expect(after.ids.slice(0, 3)).toEqual(before.ids.slice(-3));
		expect(after.pagination).toMatchObject({ total: 303 });
		expect((await walk(sandbox, CONVERSATIONS)).totals).toEqual([340]);
	});

	it('inserts them inside the requested time range, even a past one', async () => {
		const sandbox = await start();
		sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'insertMidWalk', count: 2 } });
		const filter = 'startTime=2026-01-10&endTime=2026-01-20';
		const { totals } = await walk(sandbox, CALLS, { filter, limit: 60 });
		expect(totals).toEqual([totals[0], (totals[0] ?? 0) + 2]);
	});

	it('can return the previous page again', async () => {
		const sandbox = await start();
		sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'repeatPage' } });
		const pages = [await page(sandbox, 'limit=40'), await page(sandbox, 'limit=40&offset=40')];
		expect(pages[1]?.ids).toEqual(pages[0]?.ids);
		expect((await page(sandbox, 'limit=40&offset=40')).ids).not.toEqual(pages[0]?.ids);
	});
});

describe('records inserted into the sandbox', () => {
	it('are sorted by time among the others, with conversation and bid', async () => {
		const sandbox = await start();
		const { rows } = await walk(sandbox, CALLS);
		const createdAt = rows[100]?.createdAt ?? '';
		const added = sandbox.insert({
			count: 2,
			createdAt,
			loadId: 'TMS-9',
			mcNumber: '777',
			summary: 'New',
		});
		const found = await walk(sandbox, CALLS, { filter: `${ALL_TIME}&loadId=TMS-9&mcNumber=777` });
		expect(found.rows.map(({ id, summary }) => [id, summary])).toEqual(
			added.toReversed().map((id) => [id, 'New']),
		);
		const all = (await walk(sandbox, CALLS, { limit: 7 })).rows;
		expect(all.map(({ id }) => id)).toEqual([
			...rows.slice(0, 100).map(({ id }) => id),
			added[1],
			rows[100]?.id,
			added[0],
			...rows.slice(101).map(({ id }) => id),
		]);
		const conversations = await walk(sandbox, CONVERSATIONS, {
			filter: `${ALL_TIME}&loadId=TMS-9`,
		});
		expect(conversations.rows).toHaveLength(2);
	});
});
