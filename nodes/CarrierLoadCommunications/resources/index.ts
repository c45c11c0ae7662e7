import type { Operation, Resource } from '../operations/operation';
import { placeAgentCall } from './call/placeAgentCall';
import { downloadRecording } from './call/downloadRecording';
import { get as getCall } from './call/get';
import { placeCarrierSalesCall } from './call/placeCarrierSalesCall';
import { placeCheckCall } from './call/placeCheckCall';
import { search as searchCarriers } from './carrier/search';
import { getAnalytics } from './analytics/getAll';
import { getBids, getCalls, getConversations } from './lists';

/** All operations, in the order of the form. */
export const resources: Resource[] = [
	{ name: 'Analytics', value: 'analytics', operations: [getAnalytics] },
	{ name: 'Bid', value: 'bid', operations: [getBids] },
	{
		name: 'Call',
		value: 'call',
		operations: [
			...[getCalls, getCall, downloadRecording],
			...[placeCheckCall, placeCarrierSalesCall, placeAgentCall],
		],
	},
	{ name: 'Carrier', value: 'carrier', operations: [searchCarriers] },
	{ name: 'Conversation', value: 'conversation', operations: [getConversations] },
];

export function findOperation(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}
