import type { ICredentialType, IDataObject, INodeType } from 'n8n-workflow';
import type { EngineOptions } from './harness/index.mts';

// The harness is tested with its own node type: what the package's tests rely on must come from
// n8n, not from the harness.

const credential: ICredentialType = {
	name: 'dispatchApi',
	displayName: 'Dispatch API',
	properties: [
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
		{ displayName: 'Token', name: 'token', type: 'string', default: '' },
		{ displayName: 'Scheme', name: 'scheme', type: 'hidden', default: 'Bearer' },
	],
	authenticate: {
		type: 'generic',
		properties: {
			headers: { Authorization: '={{$credentials.scheme}} {{$credentials.token}}' },
		},
	},
	test: {
		request: { baseURL: '={{$credentials.baseUrl}}', url: '/loads' },
		rules: [{ type: 'responseCode', properties: { value: 401, message: 'Wrong token' } }],
	},
};

const requestLoads: INodeType['execute'] = async function () {
	const output = [];
	for (const index of this.getInputData().keys()) {
		const { baseUrl } = await this.getCredentials('dispatchApi', index);
		const load = this.getNodeParameter('load', index);
		const url = `${String(baseUrl)}/loads/${String(load)}`;
		try {
			const json = await this.helpers.httpRequestWithAuthentication.call(this, 'dispatchApi', {
				url,
			});
			const binary = { data: await this.helpers.prepareBinaryData(Buffer.from('tape'), 'a.wav') };
			output.push({
				json: { ...json, zone: this.getTimezone() },
				binary,
				pairedItem: { item: index },
			});
		} catch (error) {
			if (!this.continueOnFail()) throw error;
			output.push({ json: { error: String(error), message: '' }, pairedItem: { item: index } });
		}
	}
	if (this.getNodeParameter('waits', 0)) await this.putExecutionToWait(new Date(Date.now() + 3e6));
	this.addExecutionHints({ message: 'Loads were read', location: 'outputPane' });
	this.logger.info(`read ${output.length} loads`);
	return [output];
};

const dispatch: INodeType = {
	description: {
		displayName: 'Dispatch',
		name: 'dispatch',
		group: ['transform'],
		version: [1, 2],
		description: 'Reads loads',
		defaults: { name: 'Dispatch' },
		inputs: ['main'],
		outputs: ['main'],
		usableAsTool: true,
		credentials: [{ name: 'dispatchApi', required: true }],
		properties: [
			{ displayName: 'Load', name: 'load', type: 'string', default: '48213' },
			{ displayName: 'Waits', name: 'waits', type: 'boolean', default: false },
		],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', path: '', restartWebhook: true, isFullPath: true },
		],
	},
	execute: requestLoads,
	async webhook() {
		const { goOn, ...json } = this.getBodyData();
		return goOn ? { workflowData: [[{ json }]] } : {};
	},
};

const dispatchTrigger: INodeType = {
	description: {
		...dispatch.description,
		name: 'dispatchTrigger',
		group: ['trigger'],
		inputs: [],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'hook' }],
		properties: [{ displayName: 'Does', name: 'does', type: 'string', default: 'start' }],
	},
	async webhook() {
		const response = this.getResponseObject();
		const does = this.getNodeParameter('does');
		if (does === 'refuse') response.status(401).end('no');
		if (does === 'refuse' || does === 'hang') return { noWebhookResponse: true };
		if (does === 'filter') return {};
		if (does === 'fail') throw new Error('broken');
		const raw = this.getRequestObject().rawBody.toString();
		const { token } = await this.getCredentials('dispatchApi');
		const seen = {
			raw,
			body: this.getBodyData(),
			query: this.getQueryData() as IDataObject,
			token,
		};
		return { workflowData: [[{ json: seen as IDataObject }]] };
	},
	webhookMethods: {
		default: {
			async checkExists() {
				return this.getNodeWebhookUrl('default')?.includes('hook') ?? false;
			},
			create: async () => true,
			delete: async () => true,
		},
	},
	async poll() {
		const memory = this.getWorkflowStaticData('node');
		memory.polls = Number(memory.polls ?? 0) + 1;
		if (this.getNodeParameter('does') === 'fail') throw new Error('no answer');
		return memory.polls === 1 ? null : [[{ json: { polls: memory.polls, mode: this.getMode() } }]];
	},
};

/** The engine with these parts, without the package. */
export const dispatchParts: EngineOptions = {
	package: false,
	nodeTypes: { 'testNodes.dispatch': dispatch, 'testNodes.dispatchTrigger': dispatchTrigger },
	credentialTypes: [credential],
};
