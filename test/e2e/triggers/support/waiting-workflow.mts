import { randomUUID } from 'node:crypto';
import { post, send } from './events.mts';
import type { TriggersEnvironment } from './triggers-environment.mts';

const node = (name: string, type: string, typeVersion: number, parameters: object, at: number) => ({
	...{ id: randomUUID(), name, type: `n8n-nodes-base.${type}`, typeVersion, parameters },
	...{ position: [at, 0], webhookId: randomUUID() },
});
const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });

/** Starts an execution that waits in n8n's own node "Wait", and returns the URL that resumes it. */
export async function startWaiting(
	environment: TriggersEnvironment,
): Promise<{ workflowId: string; n8nResumeUrl: string }> {
	const path = randomUUID();
	const answer = { respondWith: 'text', responseBody: '={{ $execution.resumeUrl }}' };
	const ask = { httpMethod: 'POST', path, responseMode: 'responseNode' };
	const created = await environment.session.createWorkflow({
		name: `Waits for its call ${path}`,
		nodes: [
			{ ...node('Ask', 'webhook', 2, ask, 0), webhookId: path },
			node('Tell address', 'respondToWebhook', 1.1, answer, 200),
			node('Wait', 'wait', 1.1, { resume: 'webhook', httpMethod: 'POST', options: {} }, 400),
		],
		connections: { Ask: to('Tell address'), 'Tell address': to('Wait') },
		settings: { executionOrder: 'v1' },
	});
	const workflowId = String(created['id']);
	await environment.session.activate(workflowId);
	const request = `${environment.baseUrl}/webhook/${path}`;
	await environment.registered(request);
	const { text: n8nResumeUrl } = await send(request, post('{}'));
	return { workflowId, n8nResumeUrl };
}
