import { openDesk, type Desk } from '../support/operations/desk.mts';
import { behavesAsList } from '../support/operations/list-behaviour.mts';

behavesAsList({
	resource: 'conversation',
	operation: 'getAll',
	endpoint: 'listConversations',
	key: 'id',
	loadOf: ({ loads }) => loads,
});

describe('filters that only conversations have', () => {
	let desk: Desk;
	beforeAll(async () => {
		desk = await openDesk({ calls: 0 });
	});
	afterAll(() => desk.close());

	it('sends the pickup and drop-off filters as they are typed', async () => {
		await desk.run({
			resource: 'conversation',
			operation: 'getAll',
			returnAll: true,
			timeRange: 'custom',
			startTime: '2020-01-01T00:00:00Z',
			endTime: '2020-01-02T00:00:00Z',
			filters: { origin: '4401 S Laramie Ave, Cicero', destination: 'Dallas, TX' },
		});
		expect(desk.queries('listConversations')).toEqual([
			{
				startTime: '2020-01-01T00:00:00.000Z',
				endTime: '2020-01-02T00:00:00.000Z',
				origin: '4401 S Laramie Ave, Cicero',
				destination: 'Dallas, TX',
				offset: '0',
				limit: '500',
			},
		]);
	});
});
