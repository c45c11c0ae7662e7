import type { RequestListener } from 'node:http';
import { withServer } from '../support/service/answering-server.mts';
import { startNodeRunner, type NodeRunner } from '../support/operations/node-runner.mts';

// The contract (4.1) has the service filter by load and MC number. If it returns everything instead,
// whoever is called next would be strangers.

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner({ calls: 0 });
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());

const lists = {
	call: ['listCalls', 'calls'],
	bid: ['listBids', 'salesBids'],
	conversation: ['listConversations', 'conversations'],
} as const;

async function found(resource: keyof typeof lists, filters: object, rows: object[]) {
	const [endpoint, key] = lists[resource];
	const body = { [key]: rows, pagination: { total: rows.length } };
	runner.sandbox.faults.add({ endpoint, fault: { kind: 'body', body }, times: 'always' });
	const list = { resource, operation: 'getAll', output: 'all', filters: { ...filters } };
	const { items, error } = await runner.run(list);
	return { items, message: error?.message, description: error?.description };
}

describe('a list of a service that ignores a filter', () => {
	it.each([
		[
			'call',
			{ loadId: '48213' },
			[
				{ id: 1, loadIds: ['48210', '7'] },
				{ id: 2, loadIds: ['48211'] },
			],
		],
		[
			'call',
			{ loadId: '48213' },
			[
				{ id: 1, loadIds: ['48213'] },
				{ id: 2, loadIds: ['48210'] },
				{ id: 3, loadIds: ['48211'] },
			],
		],
		['bid', { loadId: '48213' }, [{ loadId: 48_210 }, { loadId: 48_213 }, { loadId: 48_211 }]],
		[
			'call',
			{ mcNumber: '123456' },
			[
				{ id: 1, mcNumber: 'MC-48210' },
				{ id: 2, mcNumber: '48211' },
			],
		],
		['bid', { mcNumber: '123456' }, [{ carrierMc: '48210' }, { carrierMc: '48211' }]],
		[
			'conversation',
			{ mcNumber: '123456' },
			[
				{ id: 1, mcNumber: '48210' },
				{ id: 2, mcNumber: '48211' },
			],
		],
	] as const)(
		'is an error that names the ignored filter: %s, %j',
		async (resource, filters, rows) => {
			const { items, message, description } = await found(resource, filters, [...rows]);
			expect(items).toEqual([]);
			const [name] = Object.keys(filters);
			const filter = name === 'loadId' ? 'Load ID' : 'MC Number';
			expect(message).toContain(`the service ignored the filter ${filter}`);
			expect(message).toMatch(/records of other (loads|carriers) \(48210, .*48211\)$/);
			expect(description).toContain('leave this filter empty');
		},
	);
});

describe('a list with a limit of 1', () => {
	/** A service that applies a filter, or ignores it. */
	const latest = async (isApplied: boolean) => {
		const all = [48_210, 48_211, 48_213, 48_212].map((load, id) => ({ id, loadIds: [`${load}`] }));
		const service: RequestListener = ({ url = '' }, response) => {
			const query = new URL(url, 'http://x').searchParams;
			const load = isApplied ? (query.get('loadId') ?? '') : '';
			const calls = all.filter(({ loadIds }) => loadIds.some((each) => each.includes(load)));
			const page = calls.slice(Number(query.get('offset'))).slice(0, Number(query.get('limit')));
			response.end(JSON.stringify({ calls: page, pagination: { total: calls.length } }));
		};
		return await withServer(service, async (baseUrl) => {
			const credentials = { carrierLoadCommunicationsApi: { baseUrl, accessToken: 'a-token' } };
			const list = { resource: 'call', operation: 'getAll', limit: 1, output: 'all' };
			return await runner.run({ ...list, filters: { loadId: '48213' } }, { credentials });
		});
	};

	it("is the load's call", async () => {
		const { items, hints } = await latest(true);
		expect(items).toEqual([{ id: 2, loadIds: ['48213'] }]);
		expect(hints).toEqual([]);
	});

	it("is not another load's call as that of this load, if the filter is ignored", async () => {
		const { items, error } = await latest(false);
		expect(items).toEqual([]);
		expect(error?.message).toContain('ignored the filter Load ID (48213)');
	});
});

describe('a filtered list is returned as it comes', () => {
	it.each([
		[
			'names the load in other ways',
			'call',
			{ loadId: '48213' },
			[
				{ id: 1, loadIds: ['Load #048213'] },
				{ id: 2, loadIds: 'LD-48213' },
				{ id: 3, loadIds: ['9', '48213-1'] },
			],
		],
		[
			'names the load by another of its numbers',
			'call',
			{ loadId: '48213' },
			[
				{ id: 1, loadIds: ['PO 77', '9'] },
				{ id: 2, loadIds: ['PO 77'] },
			],
		],
		[
			'says nothing about loads',
			'call',
			{ loadId: '48213' },
			[{ id: 1 }, { id: 2, loadIds: null }, { id: 3, loadIds: [] }],
		],
		[
			'has one record of another load',
			'call',
			{ loadId: '48213' },
			[
				{ id: 1, loadIds: ['48213'] },
				{ id: 2, loadIds: ['48211'] },
			],
		],
		[
			'writes loads as text that the contract does not explain',
			'conversation',
			{ loadId: '48213' },
			[
				{ id: 1, loads: '2 loads' },
				{ id: 2, loads: 'one' },
			],
		],
		[
			'writes MC numbers in other ways',
			'bid',
			{ mcNumber: '123456' },
			[
				{ carrierMc: 'MC123456' },
				{ carrierMc: 'MC-0123456' },
				{ carrierMc: 123_456 },
				{ carrierMc: 'n/a' },
			],
		],
		[
			'is asked for everything',
			'call',
			{},
			[
				{ id: 1, loadIds: ['1'], mcNumber: '1' },
				{ id: 2, loadIds: ['2'], mcNumber: '2' },
			],
		],
	] as const)('if it %s', async (_how, resource, filters, rows) => {
		const { items, message } = await found(resource, filters, [...rows]);
		expect(message).toBeUndefined();
		expect(items).toEqual(rows);
	});
});
