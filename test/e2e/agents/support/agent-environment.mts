import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	SANDBOX_CREDENTIAL,
	SANDBOX_CREDENTIAL_TYPE,
} from '../../../../playground/setup/import-examples.mts';
import { textIn } from '../../../../playground/n8n/rest.mts';
import type { N8nSession } from '../../../../playground/n8n/session.mts';
import { ROOT } from '../../../../playground/setup/paths.mts';
import { type Sandbox, startSandbox } from '../../../../sandbox/index.mts';
import { type ScriptedModel, startModel, type Turn } from './agent-model.mts';
import { type Reviewer, startReviewer } from './agent-reviewer.mts';
import {
	type AgentOptions,
	agentWorkflow,
	MODEL_CREDENTIAL,
	REVIEW_CREDENTIAL,
	START,
	type Tool,
} from './agent-workflow.mts';
import { startPreparedN8n } from '../../../support/prepared-n8n.mts';
import { waitUntil } from '../../../support/wait-until.mts';

/** A real n8n, a sandbox, and the language model for its agents. */
export interface AgentEnvironment {
	/** n8n's own URL. */
	baseUrl: string;
	session: N8nSession;
	sandbox: Sandbox;
	model: ScriptedModel;
	reviewer: Reviewer;
	/** Creates a workflow with an agent and these tools. Returns its ID. */
	agentWith(tools: Tool[], agent?: AgentOptions): Promise<string>;
	/** Starts it without waiting for the end. Returns the execution's ID. */
	start(workflowId: string, turns: Turn[]): Promise<string>;
	/** Runs it to the end. Returns its final status. */
	run(workflowId: string, turns: Turn[]): Promise<string>;
	/** Waits for an execution's end. Returns its final status. */
	waitForEnd(executionId: string): Promise<string>;
	status(executionId: string): Promise<string>;
	/** The numbers that the service has called. */
	dialed(): string[];
	/** Everything that n8n has logged. */
	log(): string;
	close(): Promise<void>;
}

export async function startAgentEnvironment(): Promise<AgentEnvironment> {
	const userFolder = mkdtempSync(join(tmpdir(), 'agent-e2e-'));
	const n8n = await startPreparedN8n({ userFolder, packageDir: ROOT });
	const sandbox = await startSandbox({ calls: 1000, seed: 7, callDelayMs: Infinity });
	const model = await startModel();
	const reviewer = await startReviewer();
	const close = async () => {
		await n8n.stop();
		await model.close();
		await reviewer.close();
		await sandbox.close();
		rmSync(userFolder, { recursive: true, force: true });
	};
	try {
		const session = await n8n.login();
		await createCredentials(session, sandbox, model, reviewer);
		const log = () => readFileSync(n8n.logFile, 'utf8');
		const { baseUrl } = n8n;
		const dialed = () => sandbox.ledger.dialed().map(({ toPhone }) => toPhone);
		return {
			...{ baseUrl, session, sandbox, model, reviewer, dialed, log, close },
			...actionsFor(session, model),
		};
	} catch (error) {
		await close();
		throw error;
	}
}

async function createCredentials(
	session: N8nSession,
	sandbox: Sandbox,
	model: ScriptedModel,
	reviewer: Reviewer,
) {
	await session.createCredential({
		name: SANDBOX_CREDENTIAL,
		type: SANDBOX_CREDENTIAL_TYPE,
		data: { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north },
	});
	await session.createCredential({
		name: MODEL_CREDENTIAL,
		type: 'openAiApi',
		data: { apiKey: 'none', url: model.baseUrl },
	});
	await session.createCredential({
		name: REVIEW_CREDENTIAL,
		type: 'telegramApi',
		data: { accessToken: 'none', baseUrl: reviewer.baseUrl },
	});
}

function actionsFor(session: N8nSession, model: ScriptedModel) {
	const status = async (id: string) => await session.executions.status(id);
	const start: AgentEnvironment['start'] = async (workflowId, turns) => {
		model.script(turns);
		const path = `/rest/workflows/${workflowId}/run`;
		const body = { triggerToStartFrom: { name: START } };
		return textIn(await session.rest.send('run the agent', 'POST', path, body), 'executionId');
	};
	const waitForEnd = async (id: string) => {
		await waitUntil(`the end of execution ${id}`, async () => {
			return !['new', 'running', 'waiting'].includes(await status(id));
		});
		return await status(id);
	};
	return {
		status,
		start,
		async agentWith(tools: Tool[], agent: AgentOptions = {}) {
			return textIn(await session.createWorkflow(agentWorkflow(tools, agent)), 'id');
		},
		waitForEnd,
		async run(workflowId: string, turns: Turn[]) {
			return await waitForEnd(await start(workflowId, turns));
		},
	};
}
