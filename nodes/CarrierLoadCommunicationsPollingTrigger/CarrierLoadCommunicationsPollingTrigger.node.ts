import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { itemError } from '../shared/errors/itemError';
import { poll } from './poll';
import { pollingProperties } from './properties';

const EVENT_NAMES =
	'{ callOutcomeReady: "Call outcome ready", newBid: "New bid", newCall: "New call", newConversation: "New conversation" }';

export class CarrierLoadCommunicationsPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Carrier Load Communications Polling Trigger',
		name: 'carrierLoadCommunicationsPollingTrigger',
		icon: {
			light: 'file:../../icons/carrierLoadCommunications.svg',
			dark: 'file:../../icons/carrierLoadCommunications.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: `={{ (${EVENT_NAMES})[$parameter["event"]] }}`,
		description: 'Starts the workflow with new calls, call outcomes, conversations or bids',
		defaults: { name: 'Carrier Load Communications Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'carrierLoadCommunicationsApi', required: true }],
		properties: pollingProperties,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		try {
			const records = await poll(this);
			return records.length === 0 ? null : [records.map((json) => ({ json }))];
		} catch (error) {
			throw itemError(this.getNode(), error, { itemIndex: 0, action: 'Poll the service' });
		}
	}
}
