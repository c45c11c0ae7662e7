// As documented, with made-up values (addresses in docs/jobs/tms-intake.md).

export const alvys = {
	...{ id: 'e1f0-1', type: 'trip.status.changed', timestamp: '2026-05-04T14:32:11.482Z' },
	version: 'v1',
	data: {
		...{ previousStatus: 'Dispatched', status: 'InTransit' },
		trip: {
			...{ id: '93d579d3', tripNumber: '1006321-1', loadNumber: '1006321', status: 'InTransit' },
			stops: [
				{
					...{ id: 's1', stopType: 'Pickup', address: { city: 'Joliet', state: 'IL' } },
					...{ arrivedAt: '2026-05-04T13:00:00Z', departedAt: '2026-05-04T14:30:00Z' },
				},
				{ id: 's2', stopType: 'Delivery', arrivedAt: null, departedAt: null },
			],
			driver1: { id: 'driver-7' },
		},
	},
};
export const roseRocket = {
	...{ id: 'rr-1', type: 'Order Status Changed', refId: 'ORD-20418', ownerId: 'u1', orgId: 'o1' },
	...{ json: {}, createdAt: '2026-05-04T14:32:11.482Z', objectKey: 'order' },
};
export const superDispatch = {
	...{ action: 'order.picked_up', guid: '550e8400-e29b-41d4-a716-446655440000' },
	...{
		occurred_at: '2026-05-04T14:30:00.000000+0000',
		data: { id: 38093183, status: 'picked_up' },
	},
};
export const augment = {
	...{ loadNumber: '48310', brokerageLoadInternalId: 'b-1' },
	trackingEvent: {
		...{ nextSequence: 3, eventType: 'DELAYED', eventSource: 'MACROPOINT' },
		...{ eventUtc: '2026-05-04T14:32:11Z', city: 'Joliet', stateOrProvince: 'IL' },
		driver: { id: 'd1', name: 'Ray Novak', phone: '+12085550167', phoneExtension: '12' },
	},
};
