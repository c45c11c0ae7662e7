import { waitUntil } from '../../../support/wait-until.mts';
import { always, openLists, paging } from '../../support/service/list-reads.mts';
import { failureOf } from '../../support/service/probe.mts';

const lists = openLists();
const { use, calls, offsets } = lists;

describe('an interrupted list', () => {
	it('ends at once when the user presses Stop', async () => {
		const stop = new AbortController();
		lists.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'latency', ms: 120_000 },
			times: 'always',
		});
		const probed = await use(
			async (client) => {
				const list = client.readList('calls', always, paging({ onPageFailure: 'partial' }));
				await waitUntil('the first page', () => offsets().length > 0);
				stop.abort();
				return await list;
			},
			{ signal: stop.signal, timeoutMs: 300_000 },
		);
		expect(failureOf(probed).details.kind).toBe('cancelled');
		expect(probed.ms).toBeLessThan(100_000);
		expect(offsets()).toEqual([0]);
	});

	it('is canceled, not returned in part, when the user presses Stop after the first page', async () => {
		const stop = new AbortController();
		lists.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'latency', ms: 5000 },
			times: 'always',
			skip: 1,
		});
		const probed = await use(
			async (client) => {
				const list = client.readList('calls', always, paging({ onPageFailure: 'partial' }));
				await waitUntil('the second page', () => offsets().length > 1);
				stop.abort();
				return await list;
			},
			{ signal: stop.signal },
		);
		expect(probed.result).toBeUndefined();
		expect(failureOf(probed).details.kind).toBe('cancelled');
		expect(offsets()[0]).toBe(0);
		expect(offsets().length).toBeGreaterThan(1);
	});

	it('requests fewer pages in parallel after 429, and is complete', async () => {
		lists.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'status', status: 429, retryAfter: 0 },
			times: 3,
			skip: 2,
		});
		const { result } = await calls({ pagesInParallel: 8 });
		expect(result?.rows).toHaveLength(1000);
		expect(lists.sandbox.ledger.requests()).toHaveLength(14);
	});

	it('names the failed page, and says how many records were read before it', async () => {
		lists.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'status', status: 500, message: 'database is down' },
			times: 'always',
			skip: 5,
		});
		const failure = failureOf(await calls({ pagesInParallel: 1 }));
		expect(failure.details).toMatchObject({
			status: 500,
			page: 'records 496 to 595',
			serviceMessage: 'database is down',
			advice: expect.stringContaining('496 records were read before it'),
		});
	});

	it('is returned up to the failed page if the user wants that, and says where it stopped', async () => {
		lists.sandbox.faults.add({
			endpoint: 'listCalls',
			fault: { kind: 'status', status: 500 },
			times: 'always',
			skip: 5,
		});
		const { result } = await calls({ pagesInParallel: 1, onPageFailure: 'partial' });
		expect(result?.rows).toHaveLength(496);
		expect(result?.hint).toBe(
			'Only the first 496 of 1,000 records were read: the page with records 496 to 595 failed. The service returned a server error (status 500).',
		);
	});

	it("fails when its first page can't be read", async () => {
		lists.sandbox.faults.add({ endpoint: 'listCalls', fault: { kind: 'html' }, times: 'always' });
		const failure = failureOf(await calls({ onPageFailure: 'partial' }));
		expect(failure.message).toBe('The service answered with a web page instead of data');
	});
});
