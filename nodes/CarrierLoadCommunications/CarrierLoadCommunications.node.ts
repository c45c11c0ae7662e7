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

import { resumeWebhooks, resumeWithEvent, WAITING_TOOLTIP } from './calls/wait/resumeWait';
import { findOperation, resources } from './resources';
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
		description: 'Call drivers, dispatchers and carriers, and get call summaries and bids',
		defaults: { name: 'Carrier Load Communications' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'carrierLoadCommunicationsApi',
				required: true,
				testedBy: 'testApiCredential',
			},
		],
		webhooks: resumeWebhooks,
		waitingNodeTooltip: WAITING_TOOLTIP,
		properties: nodeProperties(resources),
	};

	methods = { credentialTest: { testApiCredential } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = String(this.getNodeParameter('resource', 0, ''));
		const operation = String(this.getNodeParameter('operation', 0, ''));
		const found = findOperation(resource, operation);
		if (!found) {
			throw new NodeOperationError(
				this.getNode(),
				`There is no operation "${operation}" for "${resource}"`,
				{
					description: 'Open the node and choose a resource and an operation from the lists.',
				},
			);
		}
		return [await found.execute(this, this.getInputData())];
	}

	/** Ends the wait for a call's outcome; no other operation waits. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await resumeWithEvent(this);
	}
}
