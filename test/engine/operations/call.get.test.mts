import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startNodeRunner, failure, type NodeRunner } from '../support/operations/node-runner.mts';
import { setClock, stopClock } from '../support/triggers/simulated-clock.mts';

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 1500 });
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());

const get = { resource: 'call', operation: 'get', callId: '={{ $json.id }}' };

async function someCalls() {
	const { items } = await runner.run({
		resource: 'call',
		operation: 'getAll',
		timeRange: 'last30Days',
		returnAll: true,
		output: 'all',
	});
	runner.sandbox.ledger.clear();
	return items;
}

it('finds each call by its ID, given as a number or as text', async () => {
	const calls = await someCalls();
	const [first, last] = [calls.at(0), calls.at(-1)];
	const { output } = await runner.run(
		{ ...get, output: 'all' },
		{ items: [{ id: first?.id ?? 0 }, { id: ` ${last?.id} ` }] },
	);
	expect(output()).toEqual([
		{ json: first, pairedItem: { item: 0 } },
		{ json: last, pairedItem: { item: 1 } },
	]);
});

it('reads the list only as far as needed', async () => {
	const [newest] = await someCalls();
	await runner.run({ ...get, lookBackDays: 90 }, { items: [{ id: newest?.id ?? 0 }] });
	expect(runner.queries('listCalls')).toHaveLength(1);
});

it('reads the list once for all items, newest calls first', async () => {
	const calls = await someCalls();
	const now = Date.now();
	const recent = calls.filter(({ createdAt }) => Date.parse(String(createdAt)) > now - 86_400_000);
	const items = [recent.at(-1), recent.at(0), recent.at(-2), recent.at(1), recent.at(-1)];
	const { output, error } = await runner.run(
		{ ...get, lookBackDays: 90 },
		{ items: items.map((call) => ({ id: call?.id ?? 0 })) },
	);
	expect(error).toBeUndefined();
	expect(output().map(({ json }) => json.callId)).toEqual(items.map((call) => call?.id));
	const day = runner.queries('listCalls');
	expect(day.length).toBeLessThanOrEqual(Math.ceil(recent.length / 495) + 1);
	expect(new Set(day.map(({ startTime }) => startTime)).size).toBe(1);
});

it('goes further back only when the call is not among the newest', async () => {
	const calls = await someCalls();
	const [newest, oldest] = [calls.at(0), calls.at(-1)];
	await runner.run(get, { items: [{ id: newest?.id ?? 0 }, { id: oldest?.id ?? 0 }] });
	const starts = runner.queries('listCalls').map(({ startTime }) => Date.parse(String(startTime)));
	expect(starts).toEqual([...starts].sort((one, other) => other - one));
	const offsets = runner
		.queries('listCalls')
		.map(({ startTime, offset }) => `${startTime} ${offset}`);
	expect(new Set(offsets).size).toBe(offsets.length);
});

it('searches for each load and number of days on its own', async () => {
	const items = [{ load: 'A' }, { load: 'B' }, { load: 'A' }];
	await runner.run(
		{ ...get, callId: 5, loadId: '={{ $json.load }}' },
		{ items, node: { onError: 'continueRegularOutput' } },
	);
	expect(runner.queries('listCalls').map(({ loadId }) => loadId)).toEqual(['A', 'B']);
});

it('continues for the next item with the part that failed', async () => {
	const [newest] = await someCalls();
	// A list that is refused is asked for once more, with the bounds as they were given.
	runner.sandbox.faults.add({
		endpoint: 'listCalls',
		fault: { kind: 'status', status: 400 },
		times: 2,
	});
	const { output } = await runner.run(get, {
		items: [{ id: newest?.id ?? 0 }, { id: newest?.id ?? 0 }],
		node: { onError: 'continueErrorOutput' },
	});
	expect(output(1)).toHaveLength(1);
	expect(output(0).map(({ json }) => json.callId)).toEqual([newest?.id]);
});

it('looks back as many days as Get Many, even across the end of daylight saving time', async () => {
	stopClock();
	setClock(Date.parse('2026-11-10T12:00:00Z'));
	try {
		for (const operation of ['get', 'getAll']) {
			await runner.run(
				{ resource: 'call', operation, callId: 5, loadId: 'none', timeRange: 'last30Days' },
				{ timezone: 'America/Chicago', node: { onError: 'continueRegularOutput' } },
			);
		}
	} finally {
		jest.useRealTimers();
	}
	const starts = runner.queries('listCalls').map(({ startTime }) => startTime);
	// 6:00 in Chicago, and the millisecond that services with exclusive bounds need.
	expect(new Set(starts)).toEqual(new Set(['2026-10-11T10:59:59.999Z']));
});

it.each(['9007199254740993', '9223372036854775807'])(
	'finds the call with the long ID %s, not its neighbor',
	async (id) => {
		const neighbor = String(BigInt(id) - 1n);
		const rows = [neighbor, id].map((each) => `{"id":${each},"summary":"of ${each}"}`);
		const body = `{"calls":[${rows.join()}],"pagination":{"limit":500,"offset":0,"total":2}}`;
		const server = createServer((_request, response) => {
			response.setHeader('Content-Type', 'application/json');
			response.end(body);
		});
		await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
		const { port } = server.address() as AddressInfo;
		const credentials = {
			carrierLoadCommunicationsApi: { baseUrl: `http://127.0.0.1:${port}`, accessToken: 'token' },
		};
		const { items } = await runner.run({ ...get, callId: id }, { credentials });
		server.closeAllConnections();
		await new Promise((closed) => server.close(closed));
		expect(items).toEqual([{ callId: id, summary: `of ${id}` }]);
	},
);

it('requests only the given load and days', async () => {
	const before = Date.now();
	await runner.run({ ...get, loadId: '48213', lookBackDays: 3 }, { items: [{ id: 5 }] });
	const [query, ...others] = runner.queries('listCalls');
	expect(others).toEqual([]);
	expect(query).toEqual({
		startTime: expect.any(String),
		endTime: expect.any(String),
		loadId: '48213',
		offset: '0',
		limit: '500',
	});
	// Days go by the clock, and one of them may have 23 or 25 hours.
	const [days, hour] = [3 * 86_400_000, 3_600_000];
	expect(Date.parse(String(query?.startTime))).toBeGreaterThanOrEqual(before - days - hour);
	expect(Date.parse(String(query?.startTime))).toBeLessThanOrEqual(Date.now() - days + hour);
	expect(Date.parse(String(query?.endTime))).toBeGreaterThan(Date.now());
});

it('says what was searched when the call is not found', async () => {
	const { error } = await runner.run({ ...get, loadId: 'none' }, { items: [{ id: 987654321 }] });
	expect(error?.message).toContain(
		'Call 987654321 was not found among the 0 calls about load none of the last 30 days',
	);
	expect(error?.description).toContain('leave Load ID empty, or look back more days');
});

it('names the incomplete list when the service did not return all of it', async () => {
	runner.sandbox.faults.add({
		endpoint: 'listCalls',
		fault: { kind: 'total', value: 99_999 },
		times: 'always',
	});
	const { error } = await runner.run({ ...get, lookBackDays: 1 }, { items: [{ id: 987654321 }] });
	expect(error?.message).toContain('did not return the full list');
});

it('continues with the other items when one is not found', async () => {
	const [first] = await someCalls();
	const { output } = await runner.run(get, {
		items: [{ id: 987654321 }, { id: first?.id ?? 0 }],
		node: { onError: 'continueErrorOutput' },
	});
	expect(output(0)).toEqual([
		{ json: expect.objectContaining({ callId: first?.id }), pairedItem: { item: 1 } },
	]);
	expect(output(1)).toEqual([
		expect.objectContaining({
			json: expect.objectContaining(failure(/Call 987654321 was not found/)),
		}),
	]);
});

it('finds a call placed just now by a service whose clock is ahead', async () => {
	const createdAt = new Date(Date.now() + 60_000).toISOString();
	const [id] = runner.sandbox.insert({ createdAt });
	const { items, error } = await runner.run(get, { items: [{ id: id ?? 0 }] });
	expect(error).toBeUndefined();
	expect(items).toEqual([expect.objectContaining({ callId: id })]);
});

it.each([
	"={{ '' }}",
	'abc',
	'1.5',
	'-3',
	'1e400',
	'={{ [5] }}',
	'={{ {} }}',
	'={{ null }}',
	'={{ true }}',
])('rejects the ID %p', async (callId) => {
	const { error } = await runner.run({ ...get, callId });
	expect(error?.message).toMatch(/^Call ID (is required|must be)/);
	expect(runner.queries('listCalls')).toEqual([]);
});
