import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { itemError } from '../shared/errors/itemError';
import { searchMcNumbers } from '../shared/search/search';
import { testApiCredential } from '../shared/service/testApiCredential';
import { EVENTS } from './events';
import { poll } from './poll';
import { pollingProperties } from './form';

/** For the subtitle, an expression that n8n evaluates: the label of the chosen event. */
const EVENT_LABELS = JSON.stringify(
	Object.fromEntries(Object.entries(EVENTS).map(([value, { name }]) => [value, name])),
);

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
		subtitle: `={{ (${EVENT_LABELS})[$parameter["event"]] }}`,
		description:
			'Starts the workflow when there are new calls, call outcomes, conversations or bids',
		defaults: { name: 'Carrier Load Communications Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'carrierLoadCommunicationsApi', required: true, testedBy: 'testApiCredential' },
		],
		properties: pollingProperties,
		builderHint: {
			searchHint:
				'Starts a workflow with new calls, outcomes, conversations or bids. Use it if the service sends no webhooks. It replaces a Schedule Trigger with a list operation, and remembers what it has returned.',
		},
	};

	methods = { credentialTest: { testApiCredential }, listSearch: { searchMcNumbers } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		try {
			const records = await poll(this);
			return records.length === 0 ? null : [records.map((json) => ({ json }))];
		} catch (error) {
			throw itemError(this.getNode(), error, { itemIndex: 0, title: "Couldn't poll the service" });
		}
	}
}
