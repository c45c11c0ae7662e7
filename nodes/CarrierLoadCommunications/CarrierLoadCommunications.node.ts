import {
	NodeConnectionTypes,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { failedItem } from '../shared/errors/itemError';
import { builderHint } from './builderHint';
import { resumeWebhooks, resumeWithEvent, WAITING_TOOLTIP } from './calls/wait';
import { findOperation, resources } from './resources';
import { searchCalls, searchMcNumbers } from '../shared/search/search';
import { testApiCredential } from '../shared/service/testApiCredential';
import { nodeProperties, nodeSubtitle } from './description';

export class CarrierLoadCommunications implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Carrier Load Communications',
		name: 'carrierLoadCommunications',
		icon: {
			light: 'file:../../icons/carrierLoadCommunications.svg',
			dark: 'file:../../icons/carrierLoadCommunications.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: nodeSubtitle(resources),
		description:
			'Call drivers, dispatchers and carriers, and get call outcomes, recordings and bids',
		defaults: { name: 'Carrier Load Communications' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'carrierLoadCommunicationsApi', required: true, testedBy: 'testApiCredential' },
		],
		webhooks: resumeWebhooks,
		waitingNodeTooltip: WAITING_TOOLTIP,
		properties: nodeProperties(resources),
		builderHint: builderHint(resources),
	};

	methods = { credentialTest: { testApiCredential }, listSearch: { searchCalls, searchMcNumbers } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = String(this.getNodeParameter('resource', 0, ''));
		const operation = String(this.getNodeParameter('operation', 0, ''));
		const items = this.getInputData();
		const found = findOperation(resource, operation);
		if (found) return [await found.execute(this, items)];
		const error = new NodeOperationError(
			this.getNode(),
			`There is no operation "${operation}" for "${resource}"`,
			{ description: 'Open the node and choose a resource and an operation from the lists.' },
		);
		// If a node that continues on errors throws, n8n-core 2.41 passes its input on as a success.
		if (!this.continueOnFail()) throw error;
		return [items.map((_item, itemIndex) => failedItem(error, itemIndex))];
	}

	/** Ends the wait for a call's outcome; no other operation waits. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await resumeWithEvent(this);
	}
}
