import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type {
	Operation,
	Resource,
} from '../../../../nodes/CarrierLoadCommunications/operations/operation.ts';
import type { callLists } from '../../../../nodes/CarrierLoadCommunications/calls/callList.ts';
import type { processCalls } from '../../../../nodes/CarrierLoadCommunications/calls/memory.ts';
import type { ProcessedData } from '../../../engine/support/calls/processedData.mts';
import type { CallService, WorkerProcess } from './service.mts';

const rooms = '../../../../nodes/CarrierLoadCommunications';

export const operations = [
	'triggerCheckCall',
	'triggerCarrierSalesCall',
	'createAgentCall',
] as const;

/** The package as one n8n process has loaded it, with the memory of that process. */
export class LoadedPackage {
	readonly operations: Record<string, Operation> = {};
	private known: typeof processCalls | undefined;
	private lists: typeof callLists | undefined;

	constructor() {
		jest.isolateModules(() => {
			const { resources } = jest.requireActual(`${rooms}/resources/index.ts`);
			const { operations: calls } = resources.find(({ value }: Resource) => value === 'call');
			for (const name of operations) {
				this.operations[name] = calls.find(({ value }: Operation) => value === name);
			}
			this.known = jest.requireActual(`${rooms}/calls/memory.ts`).processCalls;
			this.lists = jest.requireActual(`${rooms}/calls/callList.ts`).callLists;
		});
	}

	/** The process was killed and started anew. */
	restart(): void {
		this.known?.clear();
		this.lists?.clear();
	}
}

export interface NodeSettings {
	operation: (typeof operations)[number];
	/** Each case has its own: a process keeps what counts for the caps of a node. */
	workflow: string;
	/** Nodes of one workflow have rows of their own in the table. */
	id: string;
	continueOnFail: boolean;
	/** Whether an AI agent uses the node as its tool. */
	asTool: boolean;
	tries: number;
	guardMinutes: number;
	options: IDataObject;
	/** Safety of an item. */
	rules: () => IDataObject;
	mode: (item: Item) => IDataObject;
}

export interface Item {
	phone: string;
	load: string;
}

/**
 * An execution as n8n stores it: what is lost in a crash is what was not stored before. Its parts are
 * replaced, never changed, so copies may share them.
 */
export interface StoredExecution {
	id: string;
	/** Travels from an execution to its retries. */
	token: string;
	establishedAt: number;
	runIndex: number;
	/** The node that runs, and which request of an AI agent it answers. */
	node: string;
	request: number;
	items: Item[];
	nodeContext: IDataObject;
}

export type RunEnd =
	| { output: INodeExecutionData[] }
	| { error: { message: string; description: string } }
	| 'crashed';

/**
 * The parts of n8n's engine that decide whether a phone rings twice: Retry On Fail runs the node
 * again for all items on the same data, and a crash leaves the data as it was before the node.
 * That n8n does so is proved with the real engine in test/engine/calls.
 */
export async function runExecution(
	execution: StoredExecution,
	node: NodeSettings,
	service: CallService,
	table: ProcessedData,
	loaded: LoadedPackage,
): Promise<RunEnd> {
	const worker: WorkerProcess = {
		alive: true,
		crash() {
			this.alive = false;
			throw Object.assign(new Error('crash'), { code: 'ECONNRESET' });
		},
	};
	const running = structuredClone(execution.nodeContext);
	let end: RunEnd = 'crashed';
	for (let attempt = 0; attempt < node.tries && worker.alive; attempt++) {
		end = await runOnce(contextOf(execution, running, node, service, table, worker), node, loaded);
		if ('output' in Object(end)) break;
	}
	if (!worker.alive) {
		// Nothing that the killed process still did is left in memory.
		loaded.restart();
		return 'crashed';
	}
	execution.nodeContext = structuredClone(running);
	return end;
}

async function runOnce(
	context: IExecuteFunctions,
	node: NodeSettings,
	loaded: LoadedPackage,
): Promise<RunEnd> {
	try {
		const operation = loaded.operations[node.operation];
		if (!operation) throw new Error(`There is no operation ${node.operation}`);
		return { output: await operation.execute(context, context.getInputData()) };
	} catch (error) {
		const { message, description } = Object(error) as Error & { description?: string };
		return { error: { message, description: description ?? '' } };
	}
}

/** What a call is for: the turn of an execution, the number and the load. Equal items have equal tags. */
export function tagOf(execution: StoredExecution, itemIndex: number): string {
	const { token, runIndex, node, items } = execution;
	const { phone, load } = items[itemIndex] ?? {};
	return `${token}/${runIndex}/${node}/${phone}/${load}`;
}

/** The parameters that differ from item to item, as a workflow has them. */
const EXPRESSIONS = Object.fromEntries(
	['toPhone', 'loadNumber', 'loadId', 'metadata', 'dynamicVariables'].map((name) => [
		name,
		`={{ $json.${name} }}`,
	]),
);

function contextOf(
	execution: StoredExecution,
	nodeContext: IDataObject,
	node: NodeSettings,
	service: CallService,
	table: ProcessedData,
	worker: WorkerProcess,
): IExecuteFunctions {
	const { items, token, runIndex } = execution;
	const resolved = new Map<number, IDataObject>();
	const parameters = (itemIndex: number): IDataObject => {
		const known = resolved.get(itemIndex) ?? parametersOf(itemIndex);
		resolved.set(itemIndex, known);
		return known;
	};
	const parametersOf = (itemIndex: number): IDataObject => {
		const tags = { entry: [{ key: 'tag', value: tagOf(execution, itemIndex) }] };
		const item = items[itemIndex] ?? { phone: '', load: '' };
		const { phone, load } = item;
		return {
			...{ toPhone: phone, loadNumber: load, loadId: load, nextStopIndex: 0, dotNumber: 7 },
			...{
				agentId: 'desk',
				...node.mode(item),
				// Its calls don't end by themselves.
				rules: { samePhonePause: 0, ...node.rules(), skipIfCalledWithin: node.guardMinutes },
				metadata: tags,
				dynamicVariables: tags,
				options: node.options,
			},
		};
	};
	const workflow = { id: node.workflow, name: 'w', active: true };
	const owner = { workflow, node: { id: node.id } } as never;
	const dead = () => {
		if (!worker.alive) throw new Error('The process is gone');
	};
	return {
		getNodeParameter: (name: string, itemIndex: number, fallback: unknown) =>
			parameters(itemIndex)[name] ?? fallback,
		getInputData: () => items.map((json) => ({ json })),
		getContext: (type: string) =>
			(nodeContext[type === 'node' ? node.id : type] ??= {}) as IDataObject,
		getNode: () => ({
			...{ id: node.id, name: node.id, type: 'x', typeVersion: 1 },
			// An agent's model may not fill in rules, so there they are no expression.
			parameters: node.asTool
				? EXPRESSIONS
				: { ...EXPRESSIONS, rules: '={{ $json.rules }}', callMode: '={{ $json.mode }}' },
		}),
		getWorkflow: () => workflow,
		getExecutionId: () => execution.id,
		getMode: () => 'trigger',
		getTimezone: () => 'America/Chicago',
		getExecutionContext: () => ({ establishedAt: execution.establishedAt }),
		getWorkflowDataProxy: () => ({
			$runIndex: node.asTool ? execution.request : runIndex,
			$execution: { resumeUrl: `https://n8n.example/webhook-waiting/1?signature=${token}` },
		}),
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => node.continueOnFail,
		isToolExecution: () => node.asTool,
		getExecuteData: () => ({
			source: { main: [{ previousNode: 'agent', previousNodeRun: runIndex }] },
		}),
		getCredentials: async () => ({ baseUrl: 'http://127.0.0.1', accessToken: 'token-of-tests' }),
		logger: { debug: () => undefined },
		addExecutionHints: () => undefined,
		helpers: {
			httpRequestWithAuthentication: async (_type: string, options: never) =>
				await service.request(options, worker),
			async checkProcessedAndRecord(entries: string[], scope: 'node', options: never) {
				dead();
				return await table.checkProcessedAndRecord(entries, scope, owner, options);
			},
			async removeProcessed(entries: string[], scope: 'node') {
				dead();
				await table.removeProcessed(entries, scope, owner);
			},
		},
	} as unknown as IExecuteFunctions;
}
