import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { searchCalls, searchMcNumbers } from '../shared/search/search';
import { testApiCredential } from '../shared/service/testApiCredential';
import { builderHint } from './builderHint';
import { resumeWebhooks, resumeWithEvent, WAITING_TOOLTIP } from './calls/wait';
import { nodeProperties, nodeSubtitle } from './description';
import { resources, runOperation } from './resources';

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

	execute = runOperation;

	/** Ends the wait for a call's outcome; no other operation waits. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await resumeWithEvent(this);
	}
}
