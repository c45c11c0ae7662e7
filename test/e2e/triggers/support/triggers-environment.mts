import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningN8n } from '../../../../playground/n8n/n8n.mts';
import { isRecord, type JsonObject, recordsIn, textIn } from '../../../../playground/n8n/rest.mts';
import type { N8nSession } from '../../../../playground/n8n/session.mts';
import { PACKAGE_NAME, ROOT } from '../../../../playground/setup/paths.mts';
import { SECRET } from './events.mts';
import { startPreparedN8n } from '../../../support/prepared-n8n.mts';
import { waitUntil } from '../../../support/wait-until.mts';

const CREDENTIAL = 'Events of the service';

/** A real n8n with the package, which can be stopped and started again. */
export class TriggersEnvironment {
	session!: N8nSession;
	private n8n!: RunningN8n;
	private readonly userFolder = mkdtempSync(join(tmpdir(), 'triggers-e2e-'));
	private env: Record<string, string>;

	/** @param env more variables for n8n */
	constructor(env: Record<string, string> = {}) {
		this.env = env;
	}

	async open(): Promise<void> {
		await this.start(ROOT);
		await this.session.createCredential({
			name: CREDENTIAL,
			type: 'carrierLoadCommunicationsWebhookApi',
			data: { method: 'hmac', secret: SECRET },
		});
	}

	async close(): Promise<void> {
		await this.n8n?.stop();
		rmSync(this.userFolder, { recursive: true, force: true });
	}

	/** Stops n8n, as for an update, and starts it again, with these variables as well. */
	async restart(env: Record<string, string> = {}): Promise<void> {
		await this.n8n.stop();
		this.env = { ...this.env, ...env };
		await this.start();
	}

	/** Kills n8n (SIGKILL), and starts it again. */
	async killAndRestart(): Promise<void> {
		process.kill(this.n8n.pid, 'SIGKILL');
		await this.exited();
		await this.restart();
	}

	/** Resolves when n8n has exited. */
	async exited(): Promise<void> {
		await this.n8n.exited;
	}

	get baseUrl(): string {
		return this.n8n.baseUrl;
	}

	log(): string {
		return readFileSync(this.n8n.logFile, 'utf8');
	}

	/** An active workflow that begins with the webhook trigger; `next` are nodes that follow, by name. */
	async activeTrigger(
		parameters: JsonObject = {},
		next: Record<string, JsonObject> = {},
	): Promise<{ id: string; url: string }> {
		const { id, path } = await this.trigger(parameters, next);
		await this.session.activate(id);
		const url = `${this.baseUrl}/webhook/${path}`;
		await this.registered(url);
		return { id, url };
	}

	async trigger(
		parameters: JsonObject = {},
		next: Record<string, JsonObject> = {},
	): Promise<{ id: string; path: string }> {
		const webhookId = randomUUID();
		const credential = { id: null, name: CREDENTIAL };
		const trigger = {
			...{ type: `${PACKAGE_NAME}.carrierLoadCommunicationsTrigger`, typeVersion: 2 },
			...{ webhookId, parameters: { output: 'all', ...parameters } },
			...(parameters['authentication'] !== 'none' && {
				credentials: { carrierLoadCommunicationsWebhookApi: credential },
			}),
		};
		const id = await this.create('Trigger', trigger, next);
		return { id, path: `${webhookId}/webhook` };
	}

	/** The trigger, letting duplicates through, and Remove Duplicates after it as docs/webhook-trigger.md says. */
	async recipe(): Promise<{ id: string; url: string }> {
		const remove = {
			...{ type: 'n8n-nodes-base.removeDuplicates', typeVersion: 2 },
			parameters: {
				operation: 'removeItemsSeenInPreviousExecutions',
				logic: 'removeItemsWithAlreadySeenKeyValues',
				dedupeValue: '={{ $json.payload.id }}',
				options: { scope: 'node' },
			},
		};
		const letThrough = { eventOptions: { ignoreRepeats: false } };
		return await this.activeTrigger(letThrough, { 'Remove Duplicates': remove });
	}

	async haveEnded(executionIds: string[]): Promise<boolean> {
		const { executions } = this.session;
		const found = await Promise.all(executionIds.map(async (id) => await executions.status(id)));
		return found.every((status) => status === 'success');
	}

	/** A workflow of one node, or of several, one after another. */
	async create(
		name: string,
		node: JsonObject,
		next: Record<string, JsonObject> = {},
	): Promise<string> {
		const all = Object.entries({ [name]: node, ...next });
		const nodes = all.map(([each, one], index) => ({
			...{ id: randomUUID(), name: each, position: [200 * index, 0], parameters: {}, ...one },
		}));
		const connections = Object.fromEntries(
			all.slice(1).map(([to], index) => {
				return [all[index]?.[0], { main: [[{ node: to, type: 'main', index: 0 }]] }];
			}),
		);
		const created = await this.session.createWorkflow({
			...{ name: `${name} ${randomUUID()}`, nodes, connections },
			settings: { executionOrder: 'v1' },
		});
		return textIn(created, 'id');
	}

	/** n8n 2.41 answers an activation before it has registered the webhooks. */
	async registered(url: string): Promise<void> {
		await waitUntil('the webhook', async () => await this.session.webhookIsRegistered(url));
	}

	/** How many executions a workflow has, or how many with one status. */
	async executionCount(workflowId: string, status?: string): Promise<number> {
		const page = await this.session.executions.page({ workflowId, status, limit: 1 });
		return Number(textIn(page, 'count'));
	}

	/** IDs of all executions of a workflow. */
	async executionIds(workflowId: string): Promise<string[]> {
		const ids: string[] = [];
		for (let cursor = ''; ; ) {
			const page = await this.session.executions.page({ workflowId, cursor });
			ids.push(...recordsIn(page, 'results').map((execution) => textIn(execution, 'id')));
			cursor = textIn(page, 'nextCursor');
			if (cursor === '') return ids;
		}
	}

	/** Items that a node returned in an execution that has ended or waits, at one output or at all of them. */
	async itemsOf(executionId: string, node = 'Trigger', output?: number): Promise<JsonObject[]> {
		let data: JsonObject | undefined;
		await waitUntil(`the end of execution ${executionId}`, async () => {
			data = await this.session.executions.dataIfEnded(executionId);
			return data !== undefined;
		});
		const resultData = data?.['resultData'];
		const runData = isRecord(resultData) ? resultData['runData'] : undefined;
		return recordsIn(runData, node)
			.map((run) => (isRecord(run['data']) ? run['data']['main'] : []))
			.flatMap((main) => (Array.isArray(main) ? main : []))
			.filter((_, index) => output === undefined || index === output)
			.flat()
			.filter(isRecord)
			.map(({ json }) => (isRecord(json) ? json : {}));
	}

	/** @param packageDir a package to install; n8n keeps the one that it has */
	private async start(packageDir?: string): Promise<void> {
		const { userFolder, env } = this;
		const installed = packageDir === undefined ? {} : { packageDir };
		this.n8n = await startPreparedN8n({ userFolder, env, ...installed });
		this.session = await this.n8n.login();
	}
}
