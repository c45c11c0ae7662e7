import type {
	IDataObject,
	INode,
	INodeExecutionData,
	IPollFunctions,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { additionalDataFor } from '../additional-data.mts';
import type { StoredCredentials } from '../credentials/stored-credentials.mts';
import { followLogs, type LogLine } from '../logs.mts';
import { core } from '../n8n.mts';

export interface PollOptions {
	/** `trigger` (the default) is a scheduled poll, `manual` the editor's "Fetch Test Event". */
	mode?: WorkflowExecuteMode;
	activation?: WorkflowActivateMode;
}

export interface Polled {
	/** Undefined if nothing starts: the node returned null, or failed. */
	items: IDataObject[] | undefined;
	output: INodeExecutionData[][] | null;
	error: unknown;
	/** The node's static data afterwards, as n8n would store it. Pass it to the next poll. */
	staticData: IDataObject;
	logs: LogLine[];
}

/** One poll of a polling trigger. A failed poll also returns a result: see `error`. */
export async function pollOnce(
	workflow: Workflow,
	node: INode,
	credentials: StoredCredentials,
	options: PollOptions,
): Promise<Polled> {
	const mode = options.mode ?? 'trigger';
	const activation = options.activation ?? (mode === 'manual' ? 'manual' : 'activate');
	const additionalData = additionalDataFor(workflow, credentials, mode, '0');
	const context = new core.PollContext(workflow, node, additionalData, mode, activation);
	const type = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	if (!type.poll) throw new Error(`"${node.type}" does not poll`);
	const logs = followLogs();
	let output: INodeExecutionData[][] | null = null;
	let error: unknown;
	try {
		output = await type.poll.call(context as unknown as IPollFunctions);
	} catch (thrown) {
		error = thrown;
	}
	const staticData = workflow.getStaticData('node', node);
	return {
		items: output?.[0]?.map((item) => item.json),
		output,
		error,
		staticData: JSON.parse(JSON.stringify(staticData)) as IDataObject,
		logs: logs(),
	};
}
