import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunningN8n } from '../../../playground/n8n/n8n.mts';
import { isRecord, type JsonObject, recordsIn, textIn } from '../../../playground/n8n/rest.mts';
import type { N8nSession } from '../../../playground/n8n/session.mts';
import { PACKAGE_NAME, ROOT } from '../../../playground/setup/paths.mts';
import { freePort } from '../../../playground/process/ports.mts';
import { type Sandbox, startSandbox } from '../../../sandbox/index.mts';
import { runSql, type Server, startPostgres, startRedis } from '../../support/databases.mts';
import { handOutAgain } from './stalled-jobs.mts';
import { type SlowProxy, startSlowProxy } from './slow-proxy.mts';
import { startPreparedN8n } from '../../support/prepared-n8n.mts';
import { waitUntil } from '../../support/wait-until.mts';

const CREDENTIAL = 'The service';

/** Another checkout with a build, to see these tests fail on it. */
const PACKAGE = process.env['QUEUE_PACKAGE'] ?? ROOT;

export interface Seen {
	id: string;
	status: string;
}

/** A real n8n with the package: a single process, or in queue mode with two workers, Redis and PostgreSQL. */
export class Cluster {
	sandbox!: Sandbox;
	session!: N8nSession;
	readonly workers: RunningN8n[] = [];
	redis!: Server;
	/** Between n8n and PostgreSQL. */
	database!: SlowProxy;
	postgres!: Server;
	main!: RunningN8n;
	readonly webhookProcesses: RunningN8n[] = [];
	/** How many executions a worker runs at once; n8n's default is 10. */
	concurrency = 1;
	private env: Record<string, string> = {};
	private readonly servers: Server[] = [];
	private start!: () => Promise<void>;
	private readonly folder = mkdtempSync(join(tmpdir(), 'calls-queue-'));

	/** @param env more variables for all of n8n's processes */
	async open(mode: 'queue' | 'regular', env: Record<string, string> = {}): Promise<void> {
		this.sandbox = await startSandbox({ calls: 20, callDelayMs: Infinity });
		const port = await freePort();
		this.env = {
			...(mode === 'queue' ? await this.queueEnvironment() : {}),
			// A worker writes the URL that resumes an execution, and the main process serves it.
			N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
			...env,
		};
		this.start = async () => {
			this.main = await this.launch('main', { port });
			this.session = await this.main.login();
			if (mode === 'regular') return;
			for (const name of ['worker1', 'worker2']) await this.startWorker(name);
		};
		await this.start();
		const { baseUrl, tokens } = this.sandbox;
		await this.session.createCredential({
			name: CREDENTIAL,
			type: 'carrierLoadCommunicationsApi',
			data: { baseUrl, accessToken: tokens.north },
		});
	}

	/** Stops all processes of n8n and starts them anew, with the same database. */
	async restart(): Promise<void> {
		await this.stopN8n();
		await this.start();
	}

	private async stopN8n(): Promise<void> {
		for (const n8n of [...this.webhookProcesses.splice(0), ...this.workers.splice(0), this.main])
			await n8n?.stop();
	}

	async close(): Promise<void> {
		await this.stopN8n();
		await this.sandbox?.close();
		await this.database?.close();
		for (const server of this.servers) await server.stop();
		rmSync(this.folder, { recursive: true, force: true });
	}

	/** One more process of this n8n, in queue mode, that only takes webhooks. */
	async startWebhookProcess(name: string, port?: number): Promise<RunningN8n> {
		const process = await this.launch(name, { command: 'webhook', port });
		this.webhookProcesses.push(process);
		return process;
	}

	/**
	 * A published workflow: a POST with `phone` and `load` places a check call, in the node "Call".
	 * `more` adds what follows or comes before, and settings of that node. Resolves to its URL.
	 */
	async checkCallWorkflow(
		parameters: JsonObject,
		more: {
			nodes?: JsonObject[];
			connections?: JsonObject;
			settings?: JsonObject;
			call?: JsonObject;
		} = {},
	): Promise<{ id: string; url: string }> {
		const webhookId = randomUUID();
		const webhook = {
			...{ id: randomUUID(), name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2 },
			...{ webhookId, position: [0, 0], parameters: { path: webhookId, httpMethod: 'POST' } },
		};
		const call = {
			...{ id: randomUUID(), name: 'Call', type: `${PACKAGE_NAME}.carrierLoadCommunications` },
			...{ typeVersion: 1, position: [200, 0], ...more.call },
			credentials: { carrierLoadCommunicationsApi: { id: null, name: CREDENTIAL } },
			parameters: {
				...{ resource: 'call', operation: 'triggerCheckCall', nextStopIndex: 0 },
				...{ toPhone: '={{ $json.body.phone }}', loadNumber: '={{ $json.body.load }}' },
				...parameters,
			},
		};
		const id = await this.publish({
			nodes: [webhook, call, ...(more.nodes ?? [])],
			connections: { Webhook: leadTo('Call'), ...more.connections },
			settings: { executionOrder: 'v1', ...more.settings },
		});
		return await this.registered(id, `/webhook/${webhookId}`);
	}

	/** A published workflow that begins with this package's trigger, and may go on with a node "Next". */
	async eventWorkflow(next?: JsonObject): Promise<{ id: string; url: string }> {
		const webhookId = randomUUID();
		const trigger = {
			...{
				id: randomUUID(),
				name: 'Event',
				type: `${PACKAGE_NAME}.carrierLoadCommunicationsTrigger`,
			},
			...{ typeVersion: 2, position: [0, 0], webhookId, parameters: { authentication: 'none' } },
		};
		const following = next && { id: randomUUID(), name: 'Next', position: [200, 0], ...next };
		const id = await this.publish({
			nodes: following ? [trigger, following] : [trigger],
			connections: following ? { Event: leadTo('Next') } : {},
		});
		return await this.registered(id, `/webhook/${webhookId}/webhook`);
	}

	async executions(workflowId: string): Promise<Seen[]> {
		const found = await this.session.executions.newest(workflowId);
		return found.map((each) => ({ id: textIn(each, 'id'), status: textIn(each, 'status') }));
	}

	/** The last items of the node that calls, and how often it ran. */
	async calls(executionId: string): Promise<{ items: JsonObject[]; runs: number }> {
		const { resultData } = await this.session.executions.data(executionId);
		const runs = recordsIn(isRecord(resultData) ? resultData['runData'] : undefined, 'Call');
		const data = runs.at(-1)?.['data'];
		const items = [isRecord(data) ? data['main'] : []].flat(3).filter(isRecord);
		return {
			runs: runs.length,
			items: items.map(({ json }) => (isRecord(json) ? json : {})),
		};
	}

	/** Kills the worker that runs an execution with SIGKILL, and starts another in its place. */
	async killWorkerOf(executionId: string): Promise<void> {
		const line = `started execution ${executionId} `;
		const isItsWorker = ({ logFile, isRunning }: RunningN8n) =>
			isRunning() && readFileSync(logFile, 'utf8').includes(line);
		const index = this.workers.findLastIndex(isItsWorker);
		const [worker] = this.workers.splice(index, 1);
		if (index === -1 || !worker) throw new Error(`No worker runs execution ${executionId}`);
		process.kill(worker.pid, 'SIGKILL');
		await worker.exited;
		await worker.stop();
		await this.startWorker(`worker ${randomUUID()}`);
	}

	/**
	 * Starts whatever of n8n exits anew, as a container's restart policy does, until the returned
	 * function is called.
	 */
	supervise(): () => Promise<void> {
		let isOver = false;
		const restart = async (
			processes: RunningN8n[],
			start: (old: RunningN8n) => Promise<RunningN8n>,
		) => {
			for (const [index, old] of processes.entries()) {
				if (old.isRunning()) continue;
				await old.stop();
				processes[index] = await start(old);
			}
		};
		const watch = async (work: () => Promise<void>) => {
			// A database that is being restarted may refuse the new process as well.
			for (; !isOver; await wait(500)) await work().catch(() => undefined);
		};
		const watching = [
			watch(() => restart(this.workers, () => this.launchWorker(`worker ${randomUUID()}`))),
			watch(() =>
				restart(this.webhookProcesses, ({ baseUrl }) => {
					const port = Number(new URL(baseUrl).port);
					return this.launch(`webhook ${randomUUID()}`, { command: 'webhook', port });
				}),
			),
			watch(async () => {
				const [old] = [this.main];
				if (old.isRunning()) return;
				this.main = await this.launch('main', { port: Number(new URL(old.baseUrl).port) });
				this.session = await this.main.login();
			}),
		];
		return async () => {
			isOver = true;
			await Promise.all(watching);
		};
	}

	/** Runs so many executions of killed workers anew from their start (see stalled-jobs.mts). */
	async startAgain(executions: number): Promise<void> {
		await handOutAgain(this.redis.port, executions);
	}

	/** How many entries a workflow has in n8n's table of processed data. */
	async notes(workflowId: string): Promise<number> {
		const sql = `select value from processed_data where "workflowId" = '${workflowId}'`;
		const rows = await runSql(this.database.port, sql);
		const values = rows.map(({ value }) => (typeof value === 'string' ? JSON.parse(value) : value));
		return values.flatMap((value) => (isRecord(value) ? [value['data']] : [])).flat().length;
	}

	/** "Retry" in n8n's list of executions; resolves when the new execution has ended or waits. */
	async retry(executionId: string): Promise<unknown> {
		const path = `/rest/executions/${executionId}/retry`;
		return await this.session.rest.send('retry', 'POST', path, { loadWorkflow: false });
	}

	/** How many executions each worker has taken. */
	taken(): number[] {
		return this.workers.map(
			({ logFile }) => readFileSync(logFile, 'utf8').split('started execution').length - 1,
		);
	}

	private async launch(name: string, options: object): Promise<RunningN8n> {
		const userFolder = join(this.folder, name);
		const given = { userFolder, packageDir: PACKAGE, env: this.env, readyWithinMs: 600_000 };
		return await startPreparedN8n({ ...given, ...options });
	}

	private async startWorker(name: string): Promise<void> {
		this.workers.push(await this.launchWorker(name));
	}

	private async launchWorker(name: string): Promise<RunningN8n> {
		const args = [`--concurrency=${this.concurrency}`];
		return await this.launch(name, { command: 'worker', args });
	}

	private async publish(workflow: {
		nodes: JsonObject[];
		connections: JsonObject;
		settings?: JsonObject;
	}) {
		const created = await this.session.createWorkflow({
			...{ name: `Calls ${randomUUID()}`, settings: { executionOrder: 'v1' } },
			...workflow,
		});
		const id = textIn(created, 'id');
		await this.session.activate(id);
		return id;
	}

	/** Waits until a workflow's webhook answers. */
	async registered(id: string, path: string): Promise<{ id: string; url: string }> {
		const url = `${this.main.baseUrl}${path}`;
		await waitUntil(
			`the webhook of ${id}`,
			async () => await this.session.webhookIsRegistered(url),
		);
		return { id, url };
	}

	private async queueEnvironment(): Promise<Record<string, string>> {
		this.redis = await startRedis();
		this.servers.push(this.redis);
		this.postgres = await startPostgres();
		this.servers.push(this.postgres);
		this.database = await startSlowProxy(this.postgres.port, 13);
		return {
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: 'queue-tests-only',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(this.redis.port),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(this.database.port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'n8n',
			DB_POSTGRESDB_PASSWORD: 'n8n',
		};
	}
}

/** A node's connections: one list of nodes for each output. */
export function leadTo(...outputs: Array<string | string[]>): JsonObject {
	const main = outputs.map((names) =>
		[names].flat().map((node) => ({ node, type: 'main', index: 0 })),
	);
	return { main };
}

/** Sends an item to a workflow's webhook. */
export async function post(url: string, body: object, more = {}): Promise<number> {
	const headers = { 'content-type': 'application/json', ...more };
	const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
	await response.arrayBuffer();
	return response.status;
}
