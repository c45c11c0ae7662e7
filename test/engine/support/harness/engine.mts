import { randomUUID } from 'node:crypto';
import type { IDataObject, IHookFunctions, INode, INodeParameters } from 'n8n-workflow';
import { ActivePoller, type ActivePollerOptions } from './polling/active-poller.mts';
import { StoredCredentials, type TestCredentials } from './credentials/stored-credentials.mts';
import { testCredential } from './credentials/credential-test.mts';
import { core, removeStorage } from './n8n.mts';
import type { LoadedTypes } from './nodes/node-types.mts';
import { searchList, type ListSearch } from './nodes/list-search.mts';
import { pollOnce, type PollOptions } from './polling/poll.mts';
import { execute, retryExecution } from './run.mts';
import type { EngineRun, RunOptions } from './run.mts';
import { resumeAfterWait, resumeByWebhook } from './resume.mts';
import { callWebhook, openWebhook, webhookData } from './webhooks/webhook.mts';
import type { WebhookRequest } from './webhooks/webhook-sender.mts';
import { buildWorkflow, workflowAround } from './workflow-json.mts';
import type { BuildOptions, NodeSettings, WorkflowJson } from './workflow-json.mts';

export interface NodeOptions extends BuildOptions {
	credentials?: TestCredentials;
	node?: NodeSettings;
	typeVersion?: number;
	/** A node type's full name, or its short name in the loaded package. */
	type?: string;
}

const names = {
	action: 'carrierLoadCommunications',
	webhook: 'carrierLoadCommunicationsTrigger',
	polling: 'carrierLoadCommunicationsPollingTrigger',
};

/** The engine with a package loaded; made by `startEngine`. */
export class Engine {
	readonly types: LoadedTypes;
	readonly credentials: StoredCredentials;
	private readonly packageName: string;

	constructor(types: LoadedTypes, packageName: string) {
		this.types = types;
		this.packageName = packageName;
		this.credentials = new StoredCredentials(types.credentials);
	}

	/** Runs one node behind a start node that outputs `items`. */
	async runNode(parameters: INodeParameters, options: NodeOptions & RunOptions = {}) {
		const { json } = this.around(names.action, parameters, options);
		const workflow = await this.build(json, options);
		return await execute(workflow, this.credentials, options, json.subject);
	}

	/** Runs a workflow from its start node; `subject` is the node whose output is asked for. */
	async runWorkflow(
		json: WorkflowJson,
		options: BuildOptions & RunOptions & { subject?: string } = {},
	) {
		const workflow = await this.build(json, options);
		return await execute(workflow, this.credentials, options, options.subject);
	}

	/** The editor's "Retry execution" of a run that failed. */
	async retry(run: EngineRun, options: RunOptions = {}): Promise<EngineRun> {
		return await retryExecution(run, this.credentials, options);
	}

	/** What n8n does when the time is up until which an execution had been put to wait. */
	async resumeAfterWait(run: EngineRun, options: RunOptions = {}): Promise<EngineRun> {
		return await resumeAfterWait(run, this.credentials, options);
	}

	/** Sends a request to the resume URL of an execution that waits, and runs it on. */
	async resumeByWebhook(run: EngineRun, request: WebhookRequest = {}) {
		return await resumeByWebhook(run, this.credentials, request);
	}

	/** Calls the node as an AI agent's model would, with `toolArguments` for its $fromAI() calls. */
	async runTool(
		parameters: INodeParameters,
		toolArguments: IDataObject | IDataObject[],
		options: NodeOptions & RunOptions = {},
	) {
		const { json, node } = this.around(names.action, parameters, options);
		node.type += 'Tool';
		const agent = { name: 'Agent', type: 'testNodes.agent', parameters: { toolArguments } };
		json.nodes.push(agent as WorkflowJson['nodes'][number]);
		json.connections = {
			Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
			[json.subject]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		};
		const workflow = await this.build(json, options);
		return await execute(workflow, this.credentials, options, 'Agent');
	}

	/** Sends a real HTTP request to a trigger node. */
	async webhook(parameters: INodeParameters, options: NodeOptions & WebhookRequest = {}) {
		const { workflow, node } = await this.single(names.webhook, parameters, options);
		return await callWebhook(workflow, node, this.credentials, options);
	}

	/** Opens a trigger node's webhook for many requests. Close it when done. */
	async openWebhook(
		parameters: INodeParameters,
		onHandled: Parameters<typeof openWebhook>[3],
		options: NodeOptions = {},
	) {
		const { workflow, node } = await this.single(names.webhook, parameters, options);
		return await openWebhook(workflow, node, this.credentials, onHandled);
	}

	/** Runs checkExists, create or delete of a trigger's webhook, as activating a workflow does. */
	async webhookMethod(
		method: 'checkExists' | 'create' | 'delete',
		parameters: INodeParameters,
		options: NodeOptions = {},
	): Promise<boolean | undefined> {
		const { workflow, node } = await this.single(names.webhook, parameters, options);
		const data = webhookData(workflow, node, this.credentials, 'trigger');
		const additional = data.workflowExecuteAdditionalData;
		const context = new core.HookContext(workflow, node, additional, 'trigger', 'activate', data);
		const type = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
		return await type.webhookMethods?.default?.[method].call(context as unknown as IHookFunctions);
	}

	/** Opens the list of a resource locator, with the parameters that the form has. */
	async searchList(
		method: string,
		parameters: INodeParameters,
		options: NodeOptions & ListSearch = {},
	) {
		const single = await this.single(names.action, parameters, options);
		return await searchList(single, method, parameters, this.credentials, options);
	}

	/** One poll of a polling trigger, with all fields; `staticData` is what the last poll returned. */
	async poll(parameters: INodeParameters, options: NodeOptions & PollOptions = {}) {
		const { staticData, ...rest } = options;
		const name = options.node?.name ?? 'Node under test';
		const asSent = { output: 'all', ...parameters };
		const stored = staticData === undefined ? {} : { staticData: { [`node:${name}`]: staticData } };
		const { workflow, node } = await this.single(names.polling, asSent, { ...rest, ...stored });
		return await pollOnce(workflow, node, this.credentials, options);
	}

	/** A workflow that n8n polls once it is published; its records have all fields. */
	poller(parameters: INodeParameters, options: NodeOptions & ActivePollerOptions = {}) {
		const node = { id: randomUUID(), ...options.node };
		const workflowId = options.workflowId ?? randomUUID();
		const build =
			(given: INodeParameters, more: NodeOptions = {}) =>
			async (staticData: IDataObject) =>
				await this.single(
					names.polling,
					{ output: 'all', ...given },
					{ ...options, ...more, node: { ...node, ...more.node }, workflowId, staticData },
				);
		const poller = new ActivePoller(build(parameters), this.credentials, options);
		/** Publishes it again with other parameters, another credential or another name. */
		const change = async (given: INodeParameters, more?: NodeOptions) => {
			poller.unpublish();
			await poller.publish('update', build(given, more));
		};
		return { poller, change };
	}

	/** The "Test" of the credential dialog. */
	async testCredential(type: string, data: IDataObject) {
		return await testCredential(type, data, this.credentials, this.types);
	}

	/** Deletes what n8n-core wrote to the disk. */
	close(): void {
		removeStorage();
	}

	private around(name: string, parameters: INodeParameters, options: NodeOptions) {
		const given = options.type ?? name;
		const type = given.includes('.') ? given : `${this.packageName}.${given}`;
		const { description } = this.types.getByNameAndVersion(type, options.typeVersion);
		const { version, defaultVersion } = description;
		const newest = Array.isArray(version) ? Math.max(...version) : version;
		const typeVersion = options.typeVersion ?? defaultVersion ?? newest;
		const json = workflowAround(type, typeVersion, parameters, options.node);
		const node = json.nodes.find((candidate) => candidate.name === json.subject);
		if (!node) throw new Error('The node under test is missing');
		return { json, node };
	}

	private async single(name: string, parameters: INodeParameters, options: NodeOptions) {
		const { node: wanted } = this.around(name, parameters, options);
		const workflow = await this.build({ nodes: [wanted], connections: {} }, options);
		const [node] = Object.values(workflow.nodes) as [INode];
		return { workflow, node };
	}

	private async build(json: WorkflowJson, options: BuildOptions) {
		return await buildWorkflow(json, this.types, this.credentials, options);
	}
}
