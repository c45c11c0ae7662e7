import { randomUUID } from 'node:crypto';
import type {
	IConnections,
	IDataObject,
	INode,
	INodeCredentials,
	INodeParameters,
	IPinData,
	IWorkflowSettings,
} from 'n8n-workflow';
import type { StoredCredentials, TestCredentials } from './credentials/stored-credentials.mts';
import type { LoadedTypes } from './nodes/node-types.mts';
import { workflow as n8nWorkflow } from './n8n.mts';

/** A workflow as exported from the editor. Parts that a test doesn't need can be left out. */
export interface WorkflowJson {
	id?: string;
	name?: string;
	nodes: Array<Partial<INode> & Pick<INode, 'name' | 'type'>>;
	connections: IConnections;
	settings?: IWorkflowSettings;
	staticData?: IDataObject | null;
	pinData?: IPinData;
}

/** A node's Settings tab, and its name. */
export type NodeSettings = Partial<
	Pick<
		INode,
		| 'id'
		| 'name'
		| 'onError'
		| 'continueOnFail'
		| 'retryOnFail'
		| 'maxTries'
		| 'waitBetweenTries'
		| 'alwaysOutputData'
		| 'executeOnce'
		| 'webhookId'
	>
>;

/** `start` -> the node under test, as the smallest workflow. */
export function workflowAround(
	type: string,
	typeVersion: number,
	parameters: INodeParameters,
	settings: NodeSettings = {},
): WorkflowJson & { subject: string } {
	const node = { name: 'Node under test', ...settings, type, typeVersion, parameters };
	return {
		subject: node.name,
		nodes: [{ name: 'Start', type: 'testNodes.start' }, node],
		connections: { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
	};
}

/** A row of nodes, each connected to the next by its first output. */
export function chain(...nodes: WorkflowJson['nodes']): WorkflowJson {
	const connections: IConnections = {};
	for (const [index, node] of nodes.entries()) {
		const next = nodes[index + 1];
		if (next) connections[node.name] = { main: [[{ node: next.name, type: 'main', index: 0 }]] };
	}
	return { nodes, connections };
}

/** Adds the test's credentials to every node that needs that type. */
async function referencesFor(
	credentials: TestCredentials,
	stored: StoredCredentials,
	types: LoadedTypes,
	node: INode,
): Promise<INodeCredentials | undefined> {
	const asked = types.getByNameAndVersion(node.type, node.typeVersion).description.credentials;
	const wanted = Object.entries(credentials).filter(([name]) =>
		asked?.some((credential) => credential.name === name),
	);
	if (wanted.length === 0) return node.credentials;
	return { ...node.credentials, ...(await stored.save(Object.fromEntries(wanted))) };
}

export interface BuildOptions {
	credentials?: TestCredentials;
	/** The workflow's time zone, an IANA name. n8n's own default is America/New_York. */
	timezone?: string;
	staticData?: IDataObject;
	workflowId?: string;
}

/**
 * In most tests, calls don't end by themselves: a second call to a phone doesn't wait for that, unless
 * a test says so.
 */
function withoutPause(parameters: INodeParameters): INodeParameters {
	const { rules } = parameters;
	if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) return parameters;
	return { ...parameters, rules: { samePhonePause: 0, ...(rules as INodeParameters) } };
}

/** Converts workflow JSON to the engine's Workflow, with IDs and default parameters filled in. */
export async function buildWorkflow(
	json: WorkflowJson,
	types: LoadedTypes,
	stored: StoredCredentials,
	options: BuildOptions,
) {
	const nodes: INode[] = [];
	for (const given of json.nodes) {
		const node: INode = {
			id: randomUUID(),
			typeVersion: 1,
			position: [0, 0],
			...given,
			parameters: withoutPause(given.parameters ?? {}),
		};
		const credentials = await referencesFor(options.credentials ?? {}, stored, types, node);
		if (credentials) node.credentials = credentials;
		nodes.push(node);
	}
	return new n8nWorkflow.Workflow({
		id: options.workflowId ?? json.id ?? 'workflowOfTheTest',
		name: json.name ?? 'Workflow of the test',
		nodes,
		connections: json.connections,
		active: false,
		nodeTypes: types,
		staticData: options.staticData ?? json.staticData ?? {},
		settings: {
			executionOrder: 'v1',
			...json.settings,
			...(options.timezone === undefined ? {} : { timezone: options.timezone }),
		},
	});
}
