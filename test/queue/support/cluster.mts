import type { RunningN8n } from '../../../playground/n8n/n8n.mts';
import { freePort } from '../../../playground/process/ports.mts';
import { newIds, type Sandbox, startSandbox } from '../../../sandbox/index.mts';
import { CREDENTIAL } from './credential.mts';
import { Executions } from './executions.mts';
import { Processes } from './processes.mts';
import { type QueueServers, startQueueServers } from './queue-servers.mts';
import { lookAgain } from './stalled-jobs.mts';
import { Workflows } from './workflows.mts';

/** Calls are in progress until `finishCalls`. */
const SERVICE = { calls: 20, callDelayMs: Infinity };

/** A real n8n with the package: a single process, or in queue mode with two workers, Redis and PostgreSQL. */
export class Cluster extends Processes {
	sandbox!: Sandbox;
	readonly workflows = new Workflows(this);
	readonly executions = new Executions(this, () => this.queue);
	private queue: QueueServers | undefined;
	private readonly sandboxes: Sandbox[] = [];
	private port = 0;

	/**
	 * @param env more variables for all of n8n's processes
	 * @param workers how many of them in queue mode
	 */
	async open(mode: 'queue' | 'regular', env: Record<string, string> = {}, workers = 2) {
		this.port = await freePort();
		if (mode === 'queue') this.queue = await startQueueServers(this.port);
		// A worker writes the URL that resumes an execution, and the main process serves it.
		const publicPort = this.queue?.front.port ?? this.port;
		this.env = {
			...this.queue?.env,
			N8N_WEBHOOK_URL: `http://127.0.0.1:${publicPort}/`,
			...env,
		};
		await this.start(workers);
		this.sandbox = await this.openSandbox(CREDENTIAL);
	}

	/** Redis, PostgreSQL and the way to them, in queue mode. */
	get servers(): QueueServers {
		if (this.queue === undefined) throw new Error('This n8n does not run in queue mode');
		return this.queue;
	}

	/** One more service to call, with its credential. It is closed with the rest. */
	async openSandbox(credential: string): Promise<Sandbox> {
		const sandbox = await startSandbox({ ...SERVICE, idOffset: newIds() });
		this.sandboxes.push(sandbox);
		const { baseUrl, tokens } = sandbox;
		await this.session.createCredential({
			name: credential,
			type: 'carrierLoadCommunicationsApi',
			data: { baseUrl, accessToken: tokens.north },
		});
		return sandbox;
	}

	/** In queue mode, which process resumes waiting executions from now on; the main one at first. */
	resumeThrough({ baseUrl }: RunningN8n): void {
		this.servers.front.leadTo(Number(new URL(baseUrl).port));
	}

	/** Ends the service's faults, and empties its ledger. */
	forget(): void {
		this.sandbox.faults.clear();
		this.sandbox.ledger.clear();
	}

	/** Stops all processes of n8n and starts the main one and two workers anew, with the same database. */
	async restart(): Promise<void> {
		await this.stopAll();
		await this.start(2);
	}

	async close(): Promise<void> {
		await this.stopAll();
		for (const sandbox of this.sandboxes) await sandbox.close();
		await this.queue?.close();
		this.removeData();
	}

	/** Lets workers look for stalled jobs now, and not when others that look less often would again. */
	async lookForStalledJobs(): Promise<void> {
		await lookAgain(this.servers.redis.port);
	}

	private async start(workers: number): Promise<void> {
		await this.startMain(this.port);
		if (this.queue !== undefined) await this.startWorkers(workers);
	}
}
