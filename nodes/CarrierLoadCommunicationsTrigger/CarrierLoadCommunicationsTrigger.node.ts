import type {
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { configuredOutputs } from './deliver/outputs';
import { triggerProperties } from './fields/properties';
import { receive } from './receive';
import { testWebhookCredential } from './verify/testWebhookCredential';

const RESPONSE_CODE = '={{ $parameter["eventOptions"]["responseCode"] || 200 }}';

export class CarrierLoadCommunicationsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Carrier Load Communications Trigger',
		name: 'carrierLoadCommunicationsTrigger',
		icon: {
			light: 'file:../../icons/carrierLoadCommunications.svg',
			dark: 'file:../../icons/carrierLoadCommunications.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ $parameter["eventKinds"] === "all" ? "Call events" : $parameter["kinds"] || "Call events" }}',
		description: 'Starts the workflow when the service tells of a call, for example its outcome',
		defaults: { name: 'Carrier Load Communications Trigger' },
		eventTriggerDescription: 'Waiting for an event at the test URL',
		activationMessage: 'Events that the service sends to the production URL start your workflow.',
		triggerPanel: {
			header: 'Receive call events of the service',
			executionsHelp: {
				inactive:
					'<b>While you build the workflow</b>, execute this step and have a sample event sent to the test URL.<br /><br /><b>Once it is right</b>, publish the workflow and give the production URL to the service operator.',
				active:
					'<b>While you build the workflow</b>, execute this step and have a sample event sent to the test URL.<br /><br /><b>The published workflow</b> runs by itself whenever the service sends an event to the production URL. These executions are in the <a data-key="executions">executions list</a>, not here.',
			},
			activationHint:
				'Publish the workflow and give the production URL to the service operator, who enters it as the place where call events are sent.',
		},
		inputs: [],
		outputs: `={{ (${configuredOutputs.toString()})($parameter) }}`,
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
				responseCode: RESPONSE_CODE,
				// Left out, n8n 2.41 answers the text "firstEntryJson"; empty, what the node returns.
				responseData: '={{ "" }}',
				path: 'webhook',
			},
			{
				// So that the node itself answers other methods: health checks, and 405 for the rest.
				name: 'setup',
				httpMethod: 'GET,HEAD,PUT,PATCH,DELETE',
				responseMode: 'onReceived',
				path: 'webhook',
				ndvHideUrl: true,
			},
		],
		properties: triggerProperties,
	};

	methods = { credentialTest: { testWebhookCredential } };

	// The service has no endpoint to subscribe at (contract 6): its operator enters the address.
	webhookMethods = {
		default: {
			async checkExists(): Promise<boolean> {
				return true;
			},
			async create(): Promise<boolean> {
				return true;
			},
			async delete(): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}
