import type { AddressInfo } from 'node:net';
import type express from 'express';
import type {
	INode,
	IWebhookData,
	IWebhookDescription,
	IWebhookFunctions,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { additionalDataFor } from '../additional-data.mts';
import type { StoredCredentials } from '../credentials/stored-credentials.mts';
import { followLogs } from '../logs.mts';
import { core, workflow as workflowPackage } from '../n8n.mts';
import { listen, readBody } from './http-server.mts';
import { send, type WebhookAnswer, type WebhookRequest } from './webhook-sender.mts';

/** The description of one of a node's webhooks. Throws if there is none with that name. */
function webhookOf(workflow: Workflow, node: INode, name = 'default'): IWebhookDescription {
	const { description } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const found = description.webhooks?.find((webhook) => webhook.name === name);
	if (found) return found;
	throw new Error(`"${node.type}" has no webhook called "${name}"`);
}

/** What n8n's router tells a node about the called webhook. */
export function webhookData(
	workflow: Workflow,
	node: INode,
	credentials: StoredCredentials,
	mode: WorkflowExecuteMode,
	name?: string,
): IWebhookData {
	const webhookDescription = webhookOf(workflow, node, name);
	return {
		httpMethod: 'POST',
		node: node.name,
		path: String(node.webhookId ?? node.id),
		webhookDescription,
		workflowId: workflow.id,
		workflowExecuteAdditionalData: additionalDataFor(workflow, credentials, mode, '0'),
		isTest: mode === 'manual',
	};
}

type Outcome = Pick<WebhookAnswer, 'result' | 'error'>;

/**
 * n8n's response to the sender (n8n 2.41: webhook-helpers.js, mode `onReceived`). The body is read
 * once the execution is stored; if that fails, it is never read.
 */
async function answer(
	outcome: Outcome,
	code: number,
	response: express.Response,
	store: () => Promise<void> = async () => undefined,
) {
	const { result } = outcome;
	let { error } = outcome;
	if (result?.workflowData) await store().catch((reason: unknown) => (error = reason));
	if (error) {
		const message = 'Workflow Webhook Error: Workflow could not be started!';
		response.status(500).json({ code: 0, message });
	} else if (result?.noWebhookResponse === true) {
		return; // The node has responded itself, or the sender gets no response.
	} else if (result?.webhookResponse !== undefined) {
		const body: unknown = result.webhookResponse;
		response.status(code);
		if (typeof body === 'string') response.send(body);
		else response.json(body);
	} else {
		const message = result?.workflowData ? 'Workflow was started' : 'Webhook call received';
		response.status(code).json({ message });
	}
}

/** The status of a success, which a webhook's description may take from the node's fields. */
function responseCodeOf(workflow: Workflow, node: INode, request: WebhookRequest): number {
	const description = webhookOf(workflow, node, request.webhook);
	// Older versions only have the expression.
	if ('resolveWebhookDescriptionField' in workflowPackage) {
		const native = workflowPackage.resolveWebhookDescriptionField(
			node,
			description,
			'responseCode',
		);
		if (native.resolved) return Number(native.value);
	}
	const { responseCode } = description;
	const mode = request.mode ?? 'webhook';
	const value = workflow.expression.getSimpleParameterValue(
		node,
		responseCode as string | undefined,
		mode,
		{},
		undefined,
		200,
	);
	return Number(value);
}

async function callNode(
	workflow: Workflow,
	node: INode,
	credentials: StoredCredentials,
	sent: WebhookRequest,
	request: express.Request,
	response: express.Response,
): Promise<Outcome> {
	const mode = sent.mode ?? 'webhook';
	const data = webhookData(workflow, node, credentials, mode, sent.webhook);
	const additionalData = additionalDataFor(workflow, credentials, mode, '0');
	additionalData.httpRequest = request;
	additionalData.httpResponse = response;
	const { waiting, n8nUrl } = sent;
	if (n8nUrl) additionalData.webhookWaitingBaseUrl = `${n8nUrl}/webhook-waiting`;
	const context = new core.WebhookContext(
		workflow,
		node,
		additionalData,
		mode,
		data,
		[],
		waiting ?? null,
	);
	const type = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	try {
		return {
			result: await type.webhook?.call(context as unknown as IWebhookFunctions),
			error: undefined,
		};
	} catch (error) {
		return { result: undefined, error };
	}
}

/** How a node handled a request. */
export type HandledRequest = Pick<WebhookAnswer, 'started' | 'error' | 'workflowData'>;

/** A listening trigger, for tests that send many requests themselves. */
export interface OpenWebhook {
	port: number;
	close(): void;
}

/**
 * Opens a node's webhook for any number of requests. `onHandled` gets how the node handled each. n8n
 * stores an execution while `onHandled` runs, and fails to if it throws.
 */
export async function openWebhook(
	workflow: Workflow,
	node: INode,
	credentials: StoredCredentials,
	onHandled: (incoming: express.Request, outcome: HandledRequest) => void | Promise<void>,
): Promise<OpenWebhook> {
	const responseCode = responseCodeOf(workflow, node, {});
	const server = await listen(async (incoming, response) => {
		if (!(await readBody(incoming, response, node))) return;
		const outcome = await callNode(workflow, node, credentials, {}, incoming, response);
		const { workflowData } = outcome.result ?? {};
		const handled = { started: workflowData !== undefined, error: outcome.error, workflowData };
		const report = async () => await onHandled(incoming, handled);
		if (!handled.started) await report();
		await answer(outcome, responseCode, response, report);
	});
	return {
		port: (server.address() as AddressInfo).port,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** Sends a real HTTP request to a node's webhook, and returns what both sides saw. */
export async function callWebhook(
	workflow: Workflow,
	node: INode,
	credentials: StoredCredentials,
	request: WebhookRequest,
): Promise<WebhookAnswer> {
	const responseCode = responseCodeOf(workflow, node, request);
	const logs = followLogs();
	let outcome: Outcome = { result: undefined, error: undefined };
	// Such as a second response to one request.
	let failed: Error | undefined;
	const server = await listen(async (incoming, response) => {
		if (!(await readBody(incoming, response, node))) return;
		outcome = await callNode(workflow, node, credentials, request, incoming, response);
		await answer(outcome, responseCode, response, request.store).catch((error: Error) => {
			failed = error;
		});
	});
	try {
		const { port } = server.address() as AddressInfo;
		const seen = await send(port, request);
		if (failed) throw failed;
		const { result, error } = outcome;
		return {
			...seen,
			result,
			error,
			workflowData: result?.workflowData,
			noWebhookResponse: result?.noWebhookResponse === true,
			started: result?.workflowData !== undefined,
			staticData: workflow.getStaticData('node', node),
			logs: logs(),
		};
	} finally {
		server.closeAllConnections();
		server.close();
	}
}
