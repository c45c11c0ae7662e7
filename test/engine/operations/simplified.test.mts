import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { startNodeRunner, type NodeRunner } from '../support/operations/node-runner.mts';

// A spreadsheet node maps the columns of an item automatically only if all of them are text, numbers,
// true or false; and a person finds them only if they always have the same name and place.

let runner: NodeRunner;
let callId: number;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 500, analyticsDays: 10 });
	const createdAt = new Date(Date.now() - 3_600_000).toISOString();
	callId = runner.sandbox.insert({ createdAt })[0] ?? 0;
});
afterAll(() => runner.close());

const lane = {
	...{ resource: 'carrier', operation: 'search', radius: 500 },
	...{ origin: 'Chicago, IL', destination: 'Dallas, TX' },
};
const call = {
	...{ resource: 'call', toPhone: '+1 312 555 0188' },
	...{ rules: { skipIfCalledWithin: 0 } },
};
const checkCall = {
	...{ ...call, operation: 'triggerCheckCall', loadNumber: '48213', nextStopIndex: 1 },
	metadata: {
		entry: [
			{ key: 'team', value: 'track' },
			{ key: 'loadNumber', value: '48213' },
		],
	},
};
const agentCall = {
	...{ ...call, operation: 'createAgentCall', agentId: 'detention' },
	dynamicVariables: { entry: [{ key: 'load_number', value: '48213' }] },
};
const salesCall = { operation: 'triggerCarrierSalesCall', loadId: '48213', dotNumber: 1234567 };

const operations: Array<[string, () => IDataObject]> = [
	['Conversation > Get Many', () => ({ resource: 'conversation', timeRange: 'last30Days' })],
	['Call > Get Many', () => ({ resource: 'call', timeRange: 'last30Days' })],
	['Call > Get', () => ({ resource: 'call', operation: 'get', callId })],
	['Download Recording', () => ({ resource: 'call', operation: 'downloadRecording', callId })],
	['Bid > Get Many', () => ({ resource: 'bid', timeRange: 'last30Days' })],
	['Carrier > Search', () => lane],
	['Carrier > Search, by lane', () => ({ ...lane, itemPer: 'lane' })],
	['Analytics > Get Many', () => ({ resource: 'analytics' })],
	['Place Check Call', () => checkCall],
	['Place Check Call, dry run', () => ({ ...checkCall, callMode: 'dryRun' })],
	['Place Carrier Sales Call', () => ({ ...call, ...salesCall })],
	['Place Agent Call', () => agentCall],
];

/** Of two columns that an item has, the first comes first. */
const ORDER = ['createdAt', 'loadNumber', 'toPhone', 'status', 'contentTags', 'summary', 'callId'];
const ORDER_OF_PLACED = [
	'loadNumber',
	'result',
	'summary',
	'status',
	'callId',
	'toPhone',
	'createdAt',
];

const OTHER_NAMES = [
	...['id', 'loadIds', 'loads', 'loadId', 'carrierMc', 'carrierDot', 'callDateTime'],
	...['callSummary', 'callContentTags', 'originLocation', 'destinationLocation'],
];

it.each(operations)('%s returns flat rows, the useful columns first', async (_name, parameters) => {
	const run = await runner.run({ operation: 'getAll', ...parameters() } as never);
	expect(run.error).toBeUndefined();
	expect(run.items.length).toBeGreaterThan(0);
	for (const item of run.items) {
		const nested = Object.values(item).filter((value) => Object(value) === value);
		expect(nested).toEqual([]);
		const order = 'placement' in item ? ORDER_OF_PLACED : ORDER;
		const names = Object.keys(item).filter((name) => order.includes(name));
		expect(names).toEqual(order.filter((name) => names.includes(name)));
		expect(Object.keys(item).filter((name) => OTHER_NAMES.includes(name))).toEqual([]);
		if ('loadNumber' in item) expect(item.loadNumber).toEqual(expect.any(String));
		if ('dotNumber' in item) expect(item.dotNumber).toEqual(expect.any(Number));
		if ('date' in item) expect(item.date).toMatch(/^\d{4}-\d\d-\d\d$/);
	}
});

it("listed records have the time by the workflow's clock before the ISO time", async () => {
	for (const resource of ['call', 'conversation', 'bid']) {
		const run = await runner.run({ resource, operation: 'getAll', timeRange: 'last30Days' });
		for (const item of run.items) {
			expect(Object.keys(item).slice(0, 2)).toEqual(['localTime', 'createdAt']);
			const minutes = DateTime.fromISO(String(item.createdAt), { zone: 'America/Chicago' });
			expect(item.localTime).toBe(minutes.toFormat('yyyy-MM-dd HH:mm ZZZZ', { locale: 'en-US' }));
		}
	}
});

it("a placed call has the user's metadata as columns, without what other columns say", async () => {
	const { items } = await runner.run(checkCall as never);
	const names = Object.keys(items[0] ?? {}).filter((name) => name.startsWith('metadata'));
	expect(names).toEqual(['metadata_team']);
});
