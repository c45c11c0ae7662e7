import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { triggerProperties } from './form';
import { receive } from './receive';
import { testWebhookCredential } from './verify/verifyRequest';

const SAMPLE_EVENT =
	'<a href="https://github.com/carrier-load-communications/n8n-nodes-carrier-load-communications/blob/main/docs/webhook-trigger.md#send-a-sample-event" target="_blank">sample event</a>';

export class CarrierLoadCommunicationsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Carrier Load Communications Trigger',
		name: 'carrierLoadCommunicationsTrigger',
		icon: {
			light: 'file:../../icons/carrierLoadCommunications.svg',
			dark: 'file:../../icons/carrierLoadCommunications.dark.svg',
		},
		group: ['trigger'],
		// Not 1: n8n 2.41 (webhook-helpers.js, `parseRequestBody`) evaluates an expression for every request
		// to a webhook node of version 1, which takes longer than all that this node does.
		version: 2,
		subtitle: '={{ $parameter["kinds"] || "Call events" }}',
		// The nodes panel shows it for the action node, too (n8n 2.41).
		description: 'Start a workflow when a call ends, or call drivers, dispatchers and carriers',
		defaults: { name: 'Carrier Load Communications Trigger' },
		eventTriggerDescription: 'Waiting for an event at the test URL',
		activationMessage:
			'Your workflow now starts when the service sends an event to the production URL.',
		triggerPanel: {
			header: 'Receive call events from the service',
			executionsHelp: {
				inactive: `<b>While you build the workflow</b>, execute this step and send a ${SAMPLE_EVENT} to the test URL.<br /><br /><b>When it works</b>, publish the workflow and give the production URL to the service operator.`,
				active: `<b>While you build the workflow</b>, execute this step and send a ${SAMPLE_EVENT} to the test URL.<br /><br /><b>The published workflow</b> runs automatically when the service sends an event to the production URL. See its runs in the <a data-key="executions">executions list</a>.`,
			},
			activationHint:
				'Publish the workflow and give the production URL to the service operator, who sets it as the webhook URL for call events.',
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'carrierLoadCommunicationsWebhookApi',
				required: true,
				testedBy: 'testWebhookCredential',
				displayOptions: { show: { authentication: ['webhook'] } },
			},
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Left out, n8n 2.41 responds with the text "firstEntryJson"; empty, with what the node returns.
				responseData: '',
				path: 'webhook',
			},
		],
		properties: triggerProperties,
		builderHint: {
			searchHint:
				"Starts a workflow when the service reports a call's outcome. Set Authentication; never accept events without it. Answer an outcome with another call only through a node with Safety rules. Not needed to wait in the workflow that placed the call.",
		},
	};

	methods = { credentialTest: { testWebhookCredential } };

	// The service has no endpoint to subscribe to events (contract 6): its operator sets the URL.
	webhookMethods = {
		default: { checkExists: async () => true, create: async () => true, delete: async () => true },
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}
