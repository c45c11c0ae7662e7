import { OUTCOME_COLUMNS } from '../../../nodes/shared/outcome/outcomeRecord.ts';
import { startNodeRunner, type NodeRunner } from '../support/operations/node-runner.mts';

let runner: NodeRunner;
beforeAll(async () => {
	runner = await startNodeRunner();
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());

const getAll = {
	resource: 'call',
	operation: 'getAll',
	timeRange: 'last30Days',
	output: 'outcome',
};
const rows = [
	{ id: 1, toPhone: '+13125550188', createdAt: '2026-11-20T14:05:00Z', loadIds: ['48213'] },
	{ id: 2, contentTags: 'voicemail,no_answer', summary: 'No answer; left a voicemail.' },
	{ id: 3, contentTags: 'check_call,running_late', eta: '5 PM', pickup: '17:00' },
	{ id: 4, contentTags: 'wrong_number', summary: 'A bakery answered.' },
];

const list = () =>
	runner.sandbox.faults.add({
		...{ endpoint: 'listCalls' as const },
		fault: {
			kind: 'body',
			body: { calls: rows, pagination: { limit: 500, offset: 0, total: rows.length } },
		},
	});

describe('Output: Outcome', () => {
	it('of listed calls is one record per call, with the same columns in the same order', async () => {
		list();
		const { items } = await runner.run(getAll);
		expect(items.map((item) => Object.keys(item))).toEqual(rows.map(() => OUTCOME_COLUMNS));
		expect(items).toMatchObject([
			{
				callId: '1',
				loadNumber: '48213',
				phone: '+13125550188',
				outcome: 'unknown',
				endedAt: null,
			},
			{ callId: '2', outcome: 'voicemail', summary: 'No answer; left a voicemail.' },
			{ callId: '3', outcome: 'reached', delayed: true, eta: '5 PM' },
			{ callId: '4', outcome: 'failed', summary: 'A bakery answered.' },
		]);
	});

	it('reads the names that the user adds first', async () => {
		list();
		const { items } = await runner.run({ ...getAll, moreNames: { eta: 'pickup' } });
		expect(items[2]).toMatchObject({ eta: '17:00' });
	});

	it('of one call is the same record', async () => {
		list();
		const call = { resource: 'call', operation: 'get', callId: '2', output: 'outcome' };
		const { items } = await runner.run(call);
		expect(items).toMatchObject([{ callId: '2', outcome: 'voicemail' }]);
	});

	it('is refused for lists without calls', async () => {
		const { error } = await runner.run({ ...getAll, resource: 'bid' });
		expect(error?.message).toContain('must be one of simplified, all, selected');
	});
});
