import { parse, stringify } from 'flatted';
import type {
	ExecutionBaseError,
	IDataObject,
	INodeExecutionData,
	IRun,
	IRunExecutionData,
	ITaskData,
	NodeExecutionHint,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { additionalDataFor } from './additional-data.mts';
import type { StoredCredentials } from './credentials/stored-credentials.mts';
import { followLogs, type LogLine } from './logs.mts';
import { core, workflow as n8nWorkflow } from './n8n.mts';

export interface RunOptions {
	/** What the start node returns; one empty item by default. */
	items?: Array<IDataObject | INodeExecutionData>;
	/** `trigger` (the default) is a production run, `manual` a run from the editor. */
	mode?: WorkflowExecuteMode;
	/** Presses Stop when the signal aborts. */
	signal?: AbortSignal;
	executionId?: string;
	/** Of the resume URL; '' for none, as in older versions of n8n. */
	resumeToken?: string;
}

/** The result of an execution. */
export interface EngineRun {
	status: IRun['status'];
	/** The `json` of every item at the subject node's first output. */
	items: IDataObject[];
	/** Items at an output of a node's last run (by default, the subject's). */
	output(index?: number, node?: string): INodeExecutionData[];
	/** All runs of a node; in a loop there are several. */
	runs(node?: string): ITaskData[];
	error: ExecutionBaseError | undefined;
	hints: NodeExecutionHint[];
	logs: LogLine[];
	waitTill: Date | undefined;
	executionId: string;
	workflow: Workflow;
	executionData: IRunExecutionData;
	subject: string;
}

let executions = 0;

function isWholeItem(item: IDataObject | INodeExecutionData): item is INodeExecutionData {
	const keys = Object.keys(item);
	return (
		keys.includes('json') && keys.every((key) => ['json', 'binary', 'pairedItem'].includes(key))
	);
}

function startingData(workflow: Workflow, options: RunOptions): IRunExecutionData {
	const node = workflow.getStartNode() ?? Object.values(workflow.nodes)[0];
	if (!node) throw new Error('The workflow has no nodes');
	const items = (options.items ?? [{}]).map((item) => (isWholeItem(item) ? item : { json: item }));
	const { resumeToken } = options;
	return n8nWorkflow.createRunExecutionData({
		...(resumeToken !== undefined && { resumeToken }),
		executionData: { nodeExecutionStack: [{ node, data: { main: [items] }, source: null }] },
	});
}

/** Runs a workflow from its start node. `subject` is the node that the result is about. */
export async function execute(
	workflow: Workflow,
	credentials: StoredCredentials,
	options: RunOptions,
	subject?: string,
): Promise<EngineRun> {
	return await continueRun(
		workflow,
		credentials,
		startingData(workflow, options),
		options,
		subject,
	);
}

/** Continues from execution data: a retry, or a waiting execution. */
export async function continueRun(
	workflow: Workflow,
	credentials: StoredCredentials,
	data: IRunExecutionData,
	options: RunOptions,
	subject?: string,
	retryOf?: string,
): Promise<EngineRun> {
	const mode = options.mode ?? 'trigger';
	const executionId = options.executionId ?? String(++executions);
	const additionalData = additionalDataFor(workflow, credentials, mode, executionId, retryOf);
	const logs = followLogs();
	const running = new core.WorkflowExecute(additionalData, mode, data).processRunExecutionData(
		workflow,
	);
	const stop = () => running.cancel();
	options.signal?.addEventListener('abort', stop, { once: true });
	try {
		return resultOf(await running, workflow, executionId, logs(), subject);
	} finally {
		options.signal?.removeEventListener('abort', stop);
	}
}

function resultOf(
	run: IRun,
	workflow: Workflow,
	executionId: string,
	logs: LogLine[],
	asked: string | undefined,
): EngineRun {
	const { resultData } = run.data;
	const subject = asked ?? resultData.lastNodeExecuted ?? '';
	const runs = (node = subject) => resultData.runData[node] ?? [];
	const output = (index = 0, node = subject) => runs(node).at(-1)?.data?.main?.[index] ?? [];
	return {
		status: run.status,
		items: output().map((item) => item.json),
		output,
		runs,
		error: runs().at(-1)?.error ?? resultData.error,
		hints: runs().flatMap((task) => task.hints ?? []),
		logs,
		waitTill: run.waitTill ?? undefined,
		executionId,
		workflow,
		executionData: run.data,
		subject,
	};
}

/** Execution data after a round trip through n8n's database, which keeps only plain values. */
export function storedData(run: EngineRun): IRunExecutionData {
	return parse(stringify(run.executionData));
}

/** The editor's "Retry execution" (n8n 2.41: execution.service.js, `retry`). */
export async function retryExecution(
	run: EngineRun,
	credentials: StoredCredentials,
	options: RunOptions,
): Promise<EngineRun> {
	const data = storedData(run);
	if (!data.executionData) throw new Error('This execution has no data to be retried with');
	if (run.status === 'success') throw new Error('The execution succeeded: n8n does not retry it');
	const last = data.resultData.lastNodeExecuted;
	if (last !== undefined) {
		delete data.resultData.error;
		const runs = data.resultData.runData[last];
		if (runs?.at(-1)?.error !== undefined) runs.pop();
	}
	for (const entry of data.executionData.nodeExecutionStack) {
		entry.node = run.workflow.getNode(entry.node.name) ?? entry.node;
	}
	return await continueRun(
		run.workflow,
		credentials,
		data,
		{ ...options, mode: 'retry' },
		run.subject,
		run.executionId,
	);
}
