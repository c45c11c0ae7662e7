import type { StoredCredentials } from './credentials/stored-credentials.mts';
import { continueRun, storedData, type EngineRun, type RunOptions } from './run.mts';
import { callWebhook } from './webhooks/webhook.mts';
import type { WebhookAnswer, WebhookRequest } from './webhooks/webhook-sender.mts';

/** Does what n8n does when a waiting execution's time is up. */
export async function resumeAfterWait(
	run: EngineRun,
	credentials: StoredCredentials,
	options: RunOptions,
): Promise<EngineRun> {
	const resumed = { executionId: run.executionId, ...options };
	return await continueRun(run.workflow, credentials, storedData(run), resumed, run.subject);
}

/**
 * Sends a request to the webhook that resumes a waiting node, and continues with the node's
 * response (n8n 2.41: waiting-webhooks.js). The run is undefined if the node did not resume: the
 * execution then keeps waiting.
 */
export async function resumeByWebhook(
	run: EngineRun,
	credentials: StoredCredentials,
	request: WebhookRequest,
): Promise<{ answer: WebhookAnswer; run: EngineRun | undefined }> {
	const data = storedData(run);
	const waiting = data.executionData?.nodeExecutionStack[0];
	const node = run.workflow.getNode(data.resultData.lastNodeExecuted ?? '');
	if (!data.waitTill || !waiting || !node) throw new Error('The execution does not wait');
	waiting.node.disabled = true; // or it would run, and wait, again
	delete data.waitTill;
	data.resultData.runData[node.name]?.pop();
	const answer = await callWebhook(run.workflow, node, credentials, { ...request, waiting: data });
	if (!answer.workflowData) return { answer, run: undefined };
	waiting.data.main = answer.workflowData;
	waiting.metadata = { ...waiting.metadata, forwardAllOutputs: true };
	const { executionId, subject, workflow } = run;
	return { answer, run: await continueRun(workflow, credentials, data, { executionId }, subject) };
}
