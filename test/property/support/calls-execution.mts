import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { createAgentCall } from '../../../nodes/CarrierLoadCommunications/resources/call/createAgentCall.ts';
import { triggerCarrierSalesCall } from '../../../nodes/CarrierLoadCommunications/resources/call/triggerCarrierSalesCall.ts';
import { triggerCheckCall } from '../../../nodes/CarrierLoadCommunications/resources/call/triggerCheckCall.ts';
import type { ProcessedData } from '../../engine/support/calls/processedData.mts';
import type { CallService, WorkerProcess } from './calls-service.mts';

export const operations = { triggerCheckCall, triggerCarrierSalesCall, createAgentCall };

export interface NodeSettings {
	operation: keyof typeof operations;
	continueOnFail: boolean;
	tries: number;
	guardMinutes: number;
	options: IDataObject;
}

/** An execution as n8n stores it: what is lost in a crash is what was not stored before. */
export interface StoredExecution {
	id: string;
	/** Travels from an execution to its retries. */
	token: string;
	establishedAt: number;
	runIndex: number;
	items: Array<{ phone: string; load: string }>;
	nodeContext: IDataObject;
}

export type RunEnd =
	| { output: INodeExecutionData[] }
	| { error: { message: string; itemIndex: number } }
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
		end = await runOnce(contextOf(execution, running, node, service, table, worker), node);
		if ('output' in Object(end)) break;
	}
	if (!worker.alive) return 'crashed';
	execution.nodeContext = structuredClone(running);
	return end;
}

async function runOnce(context: IExecuteFunctions, node: NodeSettings): Promise<RunEnd> {
	try {
		return { output: await operations[node.operation].execute(context, context.getInputData()) };
	} catch (error) {
		const { message, context: details } = Object(error) as Error & {
			context?: { itemIndex?: number };
		};
		return { error: { message, itemIndex: details?.itemIndex ?? -1 } };
	}
}

/** Which item of which execution a call is for. */
export const tagOf = (execution: StoredExecution, itemIndex: number) =>
	`${execution.token}/${execution.runIndex}/${itemIndex}`;

function contextOf(
	execution: StoredExecution,
	nodeContext: IDataObject,
	node: NodeSettings,
	service: CallService,
	table: ProcessedData,
	worker: WorkerProcess,
): IExecuteFunctions {
	const { items, token, runIndex } = execution;
	const parameters = (itemIndex: number): IDataObject => {
		const tags = { entry: [{ key: 'tag', value: tagOf(execution, itemIndex) }] };
		const { phone, load } = items[itemIndex] ?? {};
		return {
			...{ toPhone: phone, loadNumber: load, loadId: load, nextStopIndex: 0, dotNumber: 7 },
			...{
				agentId: 'desk',
				metadata: tags,
				dynamicVariables: tags,
				options: node.options,
				skipIfCalledWithin: node.guardMinutes,
			},
		};
	};
	const workflow = { id: 'w', name: 'w', active: true };
	const owner = { workflow, node: { id: 'call' } } as never;
	const dead = () => {
		if (!worker.alive) throw new Error('The process is gone');
	};
	return {
		getNodeParameter: (name: string, itemIndex: number, fallback: unknown) =>
			parameters(itemIndex)[name] ?? fallback,
		getInputData: () => items.map((json) => ({ json })),
		getContext: (type: string) => (nodeContext[type] ??= {}) as IDataObject,
		getNode: () => ({ id: 'call', name: 'Call', type: 'x', typeVersion: 1 }),
		getWorkflow: () => workflow,
		getExecutionId: () => execution.id,
		getExecutionContext: () => ({ establishedAt: execution.establishedAt }),
		getWorkflowDataProxy: () => ({
			$runIndex: runIndex,
			$execution: { resumeUrl: `https://n8n.example/webhook-waiting/1?signature=${token}` },
		}),
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => node.continueOnFail,
		isToolExecution: () => false,
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
