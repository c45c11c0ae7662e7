import { startNodeRunner, type NodeRunner } from '../support/operations/node-runner.mts';
import { behavesLikeList } from '../support/operations/list-behavior.mts';

behavesLikeList({
	resource: 'conversation',
	operation: 'getAll',
	endpoint: 'listConversations',
	key: 'conversationId',
	loadOf: ({ loadNumber }) => loadNumber,
});

describe('the filters that only conversations have', () => {
	let runner: NodeRunner;
	beforeAll(async () => {
		runner = await startNodeRunner({ calls: 0 });
	});
	afterAll(() => runner.close());

	it('sends the pickup and delivery filters as typed', async () => {
		await runner.run({
			resource: 'conversation',
			operation: 'getAll',
			returnAll: true,
			timeRange: 'custom',
			startTime: '2020-01-01T00:00:00Z',
			endTime: '2020-01-02T00:00:00Z',
			filters: { origin: '4401 S Laramie Ave, Cicero', destination: 'Dallas, TX' },
		});
		expect(runner.queries('listConversations')).toEqual([
			{
				startTime: '2019-12-31T23:59:59.999Z',
				endTime: '2020-01-02T00:00:00.001Z',
				origin: '4401 S Laramie Ave, Cicero',
				destination: 'Dallas, TX',
				offset: '0',
				limit: '500',
			},
		]);
	});
});
