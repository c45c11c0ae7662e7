import { answering, withServer } from '../../support/service/answering-server.mts';
import { always, paging } from '../../support/service/list-reads.mts';
import { bidsOf, callsOf, listsOf } from '../../support/service/list-service.mts';
import { failureOf, startProbe, type Probe } from '../../support/service/probe.mts';

let probe: Probe;
beforeAll(async () => {
	probe = await startProbe();
});
afterAll(() => probe.close());

const read = listsOf(() => probe);

describe('a list of a service that misstates its total', () => {
	const totals: Array<[string, (request: { page: unknown[]; number: number }) => unknown]> = [
		['is capped at 1,000', () => 1000],
		['is the rows of this page', ({ page }) => page.length],
		['is 0', () => 0],
		['is the number of pages', () => 24],
		['is negative', () => -1],
		['lags behind', ({ number }) => 2345 - 7 * number],
	];
	for (const [what, rows, bids] of [
		['calls', callsOf(2345), false],
		['bids', bidsOf(2345), true],
	] as const) {
		it.each(totals)(
			`is complete, in about as many requests, when it %s: ${what}`,
			async (_how, total) => {
				const pagination = (request: { limit: number; page: unknown[]; number: number }) => ({
					limit: request.limit,
					total: total(request),
				});
				const { result, requests } = await read({ rows: [...rows], pagination }, { bids });
				expect(result).toEqual({ rows });
				// 24 pages of 100, plus those requested ahead past the end.
				expect(requests.length).toBeLessThanOrEqual(24 + 1 + 8);
			},
		);
	}

	it.each(totals.slice(0, 2))('is read up to its limit when it %s', async (_how, total) => {
		const rows = callsOf(2345);
		const pagination = (request: { limit: number; page: unknown[]; number: number }) => ({
			limit: request.limit,
			total: total(request),
		});
		const { result } = await read({ rows: [...rows], pagination }, { limit: 1500 });
		expect(result?.rows).toEqual(rows.slice(0, 1500));
	});

	it.each([199, 298])(
		'is complete when it is capped at %i, where a page ends, and no limit is reported',
		async (total) => {
			const rows = callsOf(450);
			const { result } = await read({ rows: [...rows], pagination: () => ({ total }) });
			expect(result).toEqual({ rows });
		},
	);

	it('is complete when the total changes, without being read twice', async () => {
		const rows = callsOf(2345);
		const pagination = ({ number, limit }: { number: number; limit: number }) => ({
			...{ limit, total: 2345 + (number % 3) - 1 },
		});
		const { result, requests } = await read({ rows: [...rows], pagination });
		expect(result?.rows).toEqual(rows);
		expect(requests.length).toBeLessThanOrEqual(24 + 2 + 8);
	});

	it("is complete when it silently clamps pages and reports only this page's rows as total", async () => {
		const rows = callsOf(450);
		const clamp = (page: unknown[]) => page.slice(0, 100);
		const { result } = await read(
			{
				rows: [...rows],
				instead: ({ page }) => ({
					status: 200,
					body: { calls: clamp(page), pagination: { limit: 500, total: clamp(page).length } },
				}),
			},
			{ pageSize: 500 },
		);
		expect(result).toEqual({ rows });
	});

	it.each([1, 2, 40])(
		'is complete when the service has no pages: %i calls each time',
		async (count) => {
			const rows = callsOf(count);
			const body = { calls: rows, pagination: { total: count } };
			const { result, requests } = await read({ rows: [], instead: () => ({ status: 200, body }) });
			expect(result).toEqual({ rows });
			expect(requests).toHaveLength(2);
		},
	);

	it.each([1, 2, 40, 120])(
		'is complete when the service has no pages and reports nothing about them: %i calls each time',
		async (count) => {
			const rows = callsOf(count);
			const body = { calls: rows };
			const { result, requests } = await read({ rows: [], instead: () => ({ status: 200, body }) });
			expect(result).toEqual({ rows });
			expect(requests.length).toBeLessThanOrEqual(3);
		},
	);

	it.each([50, 100])(
		'may be incomplete, and says so, when the service sends its first %i calls again and again',
		async (count) => {
			const body = { calls: callsOf(count) };
			const { result } = await read({ rows: [], instead: () => ({ status: 200, body }) });
			expect(result?.rows).toEqual(callsOf(count));
			expect(result?.hint).toContain('some may be missing');
		},
	);

	it('ends, and says so, when the service starts over after its last record', async () => {
		const rows = callsOf(250);
		const { result, requests } = await read({
			rows: [],
			instead: ({ offset, limit }) => {
				const calls = Array.from({ length: limit }, (_, at) => rows[(offset + at) % 250]);
				return { status: 200, body: { calls, pagination: { limit, total: 250 } } };
			},
		});
		expect(result?.rows).toEqual(rows);
		expect(result?.hint).toContain('moving or repeating');
		expect(requests.length).toBeLessThan(20);
	});

	it('takes one request when it is short and the total agrees', async () => {
		const { result, requests } = await read({ rows: callsOf(7) });
		expect(result?.rows).toHaveLength(7);
		expect(requests).toHaveLength(1);
	});
});

describe("a page that can't be read", () => {
	const refused = { status: 400, body: { message: 'offset is too large' } };

	it('after the end of a list does not fail the list, and a hint says so', async () => {
		const rows = callsOf(199);
		const { result } = await read({
			rows: [...rows],
			instead: ({ offset }) => (offset > 100 ? refused : undefined),
		});
		expect(result?.rows).toEqual(rows);
		expect(result?.hint).toContain('returned all 199 records that it reports');
		expect(result?.hint).toContain('status 400');
	});

	it.each([
		['is down', { status: 503, body: { message: 'down' } }],
		['rejects the token', { status: 401, body: {} }],
		['refuses to go past a round number', refused],
	])(
		'after a full page is an error if the service %s, though it reports no more records',
		async (_how, answer) => {
			const rows = callsOf(450);
			const failure = failureOf(
				await read({
					rows: [...rows],
					pagination: ({ limit, page }) => ({ limit, total: page.length }),
					instead: ({ number }) => (number > 0 ? answer : undefined),
				}),
			);
			expect(failure.details.advice).toContain('100 records were read before it');
		},
	);

	it('after a full page leaves a hint with Return What Was Read', async () => {
		const { result } = await read(
			{
				rows: callsOf(450),
				pagination: ({ limit, page }) => ({ limit, total: page.length }),
				instead: ({ number }) => (number > 0 ? { status: 503, body: {} } : undefined),
			},
			{ onPageFailure: 'partial' },
		);
		expect(result?.rows).toHaveLength(100);
		expect(result?.hint).toMatch(
			/^Only the first 100 records were read: the page with records 100/,
		);
	});

	it.each([199, 200])('after the end of %i records without a total loses none', async (count) => {
		const rows = callsOf(count);
		const { result, error } = await read({
			rows: [...rows],
			pagination: ({ limit }) => ({ limit }),
			instead: ({ offset }) => (offset >= count ? refused : undefined),
		});
		expect(error).toBeUndefined();
		expect(result?.rows).toEqual(rows);
	});

	it('in the middle is an error that says how many records were read before it', async () => {
		const failure = failureOf(
			await read({
				rows: callsOf(500),
				instead: ({ offset }) => (offset > 250 ? refused : undefined),
			}),
		);
		expect(failure.details.serviceMessage).toBe('offset is too large');
		expect(failure.details.advice).toContain('298 records were read before it');
		expect(failure.details.changes?.['onPageFailure']).toContain('Return What Was Read');
	});
});

describe('a response with status 200', () => {
	it("that has a message instead of the list is an error in the service's words", async () => {
		const body = { success: false, message: 'The time range may be at most 31 days' };
		const failure = failureOf(await read({ rows: [], instead: () => ({ status: 200, body }) }));
		expect(failure.message).toBe('The service rejected the request');
		expect(failure.details.serviceMessage).toBe('The time range may be at most 31 days');
	});

	it.each([
		[{ success: false, message: 'Database timeout' }, 'Database timeout'],
		[{ error: 'Database timeout', pagination: { total: 0 } }, 'Database timeout'],
		[{ errors: [{ message: 'Shard 2 failed' }] }, 'Shard 2 failed'],
		[{ error: true }, undefined],
		[{ status: 'error', message: 'Database timeout' }, 'Database timeout'],
		[{ statusCode: 503, message: 'Database timeout' }, 'Database timeout'],
		[{ ok: false, pagination: { total: 0 } }, undefined],
	])('that reports an error beside its list is an error: %j', async (more, words) => {
		for (const calls of [[], callsOf(3)]) {
			const body = { calls, ...more };
			const failure = failureOf(await read({ rows: [], instead: () => ({ status: 200, body }) }));
			expect(failure.message).toBe('The service rejected the request');
			expect(failure.details.serviceMessage).toBe(words);
		}
	});

	it('with an empty error beside its list is a list', async () => {
		const body = {
			calls: callsOf(3),
			success: true,
			status: 200,
			error: null,
			errors: [],
			pagination: { total: 3 },
		};
		const { result } = await read({ rows: [], instead: () => ({ status: 200, body }) });
		expect(result).toEqual({ rows: callsOf(3) });
	});

	it('with null as its list, and a total, is an empty list', async () => {
		const body = { calls: null, pagination: { limit: 100, offset: 0, total: 0 } };
		const { result } = await read({ rows: [], instead: () => ({ status: 200, body }) });
		expect(result).toEqual({ rows: [] });
	});

	it('with null as its list and nothing else is an error', async () => {
		const failure = failureOf(
			await read({ rows: [], instead: () => ({ status: 200, body: { calls: null } }) }),
		);
		expect(failure.message).toContain('without the requested list');
	});

	it('with a null row is a list without that row, and a hint says so', async () => {
		const { result } = await read({
			rows: [],
			instead: ({ limit }) => ({
				status: 200,
				body: { calls: [{ id: 1 }, null, { id: 2 }], pagination: { limit, total: 3 } },
			}),
		});
		expect(result?.rows).toEqual([{ id: 1 }, { id: 2 }]);
		expect(result?.hint).toBe('The service returned 1 empty record, which was left out.');
	});

	it('that lists a call twice, far apart and with other words, returns it once, and a hint says so', async () => {
		const rows = callsOf(250);
		const [first] = rows;
		const again = { ...first, summary: 'The summary came later' };
		const { result } = await read({ rows: [...rows, again] });
		expect(result?.rows).toEqual(rows);
		expect(result?.hint).toContain('250 records of the 251');
	});

	it('keeps IDs above 2^53 exact, as text', async () => {
		const text =
			'{"calls":[{"id":9007199254740993,"summary":"5, 9007199254740993 \\" [12345678901234567890]"},{"id":9007199254740995,"rate":0.12345678901234567}],"pagination":{"limit":10,"total":2}}';
		await withServer(answering(200, text), async (baseUrl) => {
			const { result } = await probe.run({ baseUrl }, async (client) =>
				client.readList('calls', always, paging({ pageSize: 10 })),
			);
			expect(result?.rows).toEqual([
				{ id: '9007199254740993', summary: '5, 9007199254740993 " [12345678901234567890]' },
				{ id: '9007199254740995', rate: Number('0.12345678901234567') },
			]);
		});
	});
});
