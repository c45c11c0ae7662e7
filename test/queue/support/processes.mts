import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningN8n } from '../../../playground/n8n/n8n.mts';
import type { N8nSession } from '../../../playground/n8n/session.mts';
import { ROOT } from '../../../playground/setup/paths.mts';
import { startPreparedN8n } from '../../support/prepared-n8n.mts';

/** Another checkout with a build, to see these tests fail on it. */
const PACKAGE = process.env['QUEUE_PACKAGE'] ?? ROOT;

/** n8n's processes: a single one, or in queue mode the main one, workers, and others that take webhooks. */
export class Processes {
	session!: N8nSession;
	main!: RunningN8n;
	readonly workers: RunningN8n[] = [];
	readonly webhookProcesses: RunningN8n[] = [];
	/** How many executions a worker runs at the same time; n8n's default is 10. */
	concurrency = 1;
	/** More variables for workers that start from now on. */
	workerEnv: Record<string, string> = {};
	/** Variables for all of them. */
	protected env: Record<string, string> = {};
	private readonly envOfWorker = new WeakMap<RunningN8n, Record<string, string>>();
	private readonly folder = mkdtempSync(join(tmpdir(), 'calls-queue-'));

	async startMain(port: number): Promise<void> {
		this.main = await this.launch('main', { port });
		this.session = await this.main.login();
	}

	async stopAll(): Promise<void> {
		await this.stopWebhookProcesses();
		await Promise.all([...this.workers.splice(0), this.main].map(async (n8n) => await n8n?.stop()));
	}

	async stopWebhookProcesses(): Promise<void> {
		await Promise.all(this.webhookProcesses.splice(0).map(async (n8n) => await n8n.stop()));
	}

	removeData(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}

	/** One more process that only takes webhooks. */
	async startWebhookProcess(name: string, port?: number): Promise<RunningN8n> {
		const process = await this.launchWebhookProcess(name, port);
		this.webhookProcesses.push(process);
		return process;
	}

	/** The same, for a place in the list that is taken already. */
	async launchWebhookProcess(name: string, port?: number): Promise<RunningN8n> {
		return await this.launch(name, { command: 'webhook', port });
	}

	/** Sees to it that there are two workers, which have these variables. Those that do stay. */
	async twoWorkersWith(env: Record<string, string>): Promise<void> {
		this.workerEnv = env;
		const others = this.workers.filter((worker) => this.envOfWorker.get(worker) !== env);
		await Promise.all(others.map(async (worker) => await worker.stop()));
		for (const worker of others) this.workers.splice(this.workers.indexOf(worker), 1);
		await this.twoWorkers();
	}

	/** Sees to it that there are two workers. */
	async twoWorkers(): Promise<void> {
		await this.startWorkers(2 - this.workers.length);
	}

	async startWorkers(count: number): Promise<void> {
		const started = Array.from({ length: count }, async () => await this.launchWorker());
		this.workers.push(...(await Promise.all(started)));
	}

	/** A worker that isn't in the list yet. */
	async launchWorker(): Promise<RunningN8n> {
		const args = [`--concurrency=${this.concurrency}`];
		const env = this.workerEnv;
		const worker = await this.launch(`worker ${randomUUID()}`, { command: 'worker', args }, env);
		this.envOfWorker.set(worker, env);
		return worker;
	}

	/** Kills the worker that runs an execution with SIGKILL, and starts another in its place. */
	async replaceWorkerOf(executionId: string): Promise<void> {
		await this.killWorkerOf(executionId);
		await this.twoWorkers();
	}

	/** Kills the worker that runs an execution with SIGKILL. */
	async killWorkerOf(executionId: string): Promise<void> {
		const isItsWorker = (worker: RunningN8n) => worker.isRunning() && hasBegun(worker, executionId);
		const index = this.workers.findLastIndex(isItsWorker);
		const [worker] = this.workers.splice(index, 1);
		if (index === -1 || !worker) throw new Error(`No worker runs execution ${executionId}`);
		process.kill(worker.pid, 'SIGKILL');
		await worker.exited;
		await worker.stop();
	}

	/** How many executions each worker has taken. */
	taken(): number[] {
		return this.workers.map(
			({ logFile }) => readFileSync(logFile, 'utf8').split('started execution').length - 1,
		);
	}

	/** Whether a worker has taken an execution. */
	isTaken(executionId: string): boolean {
		return this.workers.some((worker) => hasBegun(worker, executionId));
	}

	private async launch(name: string, options: object, env = {}): Promise<RunningN8n> {
		const userFolder = join(this.folder, name);
		const given = { userFolder, packageDir: PACKAGE, env: { ...this.env, ...env } };
		return await startPreparedN8n({ ...given, readyWithinMs: 600_000, ...options });
	}
}

function hasBegun({ logFile }: RunningN8n, executionId: string): boolean {
	return readFileSync(logFile, 'utf8').includes(`started execution ${executionId} `);
}
