import type {
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { StoredCredentials } from './credentials/stored-credentials.mts';
import { core, di } from './n8n.mts';

const address = 'http://localhost:5678/';

function notInHarness(what: string) {
	return async (): Promise<never> => {
		throw new Error(`The engine harness cannot ${what}`);
	};
}

/**
 * What n8n gives the engine besides the workflow (n8n 2.41: workflow-execute-additional-data.js):
 * credentials, the instance's URLs, and hooks, which do nothing here.
 */
export function additionalDataFor(
	workflow: Workflow,
	credentialsHelper: StoredCredentials,
	mode: WorkflowExecuteMode,
	executionId: string,
	retryOf?: string,
): IWorkflowExecuteAdditionalData {
	const { id, name } = workflow;
	return {
		credentialsHelper,
		executionId,
		workflowId: id,
		currentNodeExecutionIndex: 0,
		hooks: new core.ExecutionLifecycleHooks(
			mode,
			executionId,
			{
				id,
				name: name ?? '',
				active: false,
				isArchived: false,
				activeVersionId: null,
				createdAt: new Date(),
				updatedAt: new Date(),
				nodes: Object.values(workflow.nodes),
				connections: workflow.connectionsBySourceNode,
			},
			retryOf,
		),
		externalSecretsProxy: di.Container.get(core.ExternalSecretsProxy),
		restApiUrl: `${address}rest`,
		instanceBaseUrl: address,
		formBaseUrl: `${address}form`,
		formWaitingBaseUrl: `${address}form-waiting`,
		formTestBaseUrl: `${address}form-test`,
		webhookBaseUrl: `${address}webhook`,
		webhookWaitingBaseUrl: `${address}webhook-waiting`,
		webhookTestBaseUrl: `${address}webhook-test`,
		mcpBaseUrl: `${address}mcp`,
		mcpTestBaseUrl: `${address}mcp-test`,
		variables: {},
		setExecutionStatus: () => undefined,
		logAiEvent: () => undefined,
		getRuntimeCredential: async () => undefined,
		getRunExecutionData: async (): Promise<IRunExecutionData | undefined> => undefined,
		executeWorkflow: notInHarness('run a sub-workflow'),
		startRunnerTask: notInHarness('run a Code node'),
	};
}
