import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { failedItem } from '../../shared/errors/itemError';
import type { Resource } from '../operations/operation';
import { getAnalytics } from './analytics/getAll';
import { downloadRecording } from './call/downloadRecording';
import { get as getCall } from './call/get';
import { placeAgentCall } from './call/placeAgentCall';
import { placeCarrierSalesCall } from './call/placeCarrierSalesCall';
import { placeCheckCall } from './call/placeCheckCall';
import { search as searchCarriers } from './carrier/search';
import { getBids, getCalls, getConversations } from './lists';

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

/** Runs the operation that the node's parameters name. */
export async function runOperation(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const resource = String(this.getNodeParameter('resource', 0, ''));
	const operation = String(this.getNodeParameter('operation', 0, ''));
	const items = this.getInputData();
	const found = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (found) return [await found.execute(this, items)];
	const message = `There is no operation "${operation}" for "${resource}"`;
	const description = 'Open the node and choose a resource and an operation from the lists.';
	const error = new NodeOperationError(this.getNode(), message, { description });
	// If a node that continues on errors throws, n8n-core 2.41 passes its input on as a success.
	if (!this.continueOnFail()) throw error;
	return [items.map((_item, itemIndex) => failedItem(error, itemIndex))];
}
