import { parse, stringify } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';
import type { EngineRun, WebhookAnswer } from '../harness/index.mts';
import { continueRun } from '../harness/run.mts';
import { callWebhook } from '../harness/webhooks/webhook.mts';
import type { Dispatch } from './dispatch.mts';

/** The address that travelled to the service with a call. */
export function resumeUrl(dispatch: Dispatch, call = -1): URL {
	const metadata = dispatch.sandbox.ledger.dialed().at(call)?.metadata;
	return new URL(String(metadata?.n8nResumeUrl));
}

const stored = (run: EngineRun) => parse(stringify(run.executionData)) as IRunExecutionData;

/** Hands an event to a waiting execution, as n8n's waiting webhook does with the trigger's request. */
export async function handEvent(
	dispatch: Dispatch,
	run: EngineRun,
	url: URL,
	event: unknown,
): Promise<WebhookAnswer> {
	const node = run.workflow.getNode('Call');
	if (!node) throw new Error('The node is missing');
	return await callWebhook(run.workflow, node, dispatch.engine.credentials, {
		...{ body: event, query: Object.fromEntries(url.searchParams) },
		waiting: stored(run),
	});
}

/** What n8n does when the waiting node has taken the event (n8n 2.41: waiting-webhooks.js). */
export async function goOn(dispatch: Dispatch, run: EngineRun, answer: WebhookAnswer) {
	const data = stored(run);
	const [entry] = data.executionData?.nodeExecutionStack ?? [];
	if (!entry) throw new Error('The execution does not wait');
	entry.node.disabled = true;
	entry.data.main = answer.workflowData ?? [];
	entry.metadata = { ...entry.metadata, forwardAllOutputs: true };
	delete data.waitTill;
	data.resultData.runData.Call?.pop();
	const node = run.workflow.getNode('Call');
	try {
		return await continueRun(run.workflow, dispatch.engine.credentials, data, {}, 'Call');
	} finally {
		delete node?.disabled;
	}
}
