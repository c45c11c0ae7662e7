import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningN8n } from '../../../../playground/n8n/n8n.mts';
import type { CredentialToCreate, N8nSession } from '../../../../playground/n8n/session.mts';
import { EXAMPLE_CREDENTIALS } from '../../../../playground/setup/import-examples.mts';
import { ROOT } from '../../../../playground/setup/paths.mts';
import { type Sandbox, startSandbox } from '../../../../sandbox/index.mts';
import { startPreparedN8n } from '../../../support/prepared-n8n.mts';
import { actionsFor, type ExamplesEnvironment } from './examples-environment.mts';
import { importExamples, type Variant } from './examples-import.mts';
import { whereItIsNoon } from './where-it-is-noon.mts';

/** n8n's time zone. */
export const ZONE = whereItIsNoon();

/** What a test needs besides the examples' own. */
export interface ExamplesOptions {
	/** IDs of the examples to import, with their data tables. Default: all. */
	only?: string[];
	/** Besides the sandbox's. */
	credentials?: CredentialToCreate[];
}

/** A real n8n for the examples of several topics: one after another, or with other data tables. */
export class ExamplesN8n {
	private n8n!: RunningN8n;
	private session!: N8nSession;
	private readonly sandboxes: Sandbox[] = [];
	private readonly userFolder = mkdtempSync(join(tmpdir(), 'examples-e2e-'));
	private readonly codeNodes: boolean;
	private readonly env: Record<string, string>;

	/**
	 * @param codeNodes whether it runs Code nodes, which need a second process
	 * @param env more of n8n's environment
	 */
	constructor(codeNodes = false, env: Record<string, string> = {}) {
		this.codeNodes = codeNodes;
		this.env = env;
	}

	async open(): Promise<void> {
		await this.start({ packageDir: ROOT });
		this.session = await this.n8n.login();
		for (const credential of EXAMPLE_CREDENTIALS) await this.session.createCredential(credential);
	}

	async close(): Promise<void> {
		await this.n8n?.stop();
		for (const sandbox of this.sandboxes) await sandbox.close();
		rmSync(this.userFolder, { recursive: true, force: true });
	}

	/** Imports examples with a sandbox of their own, none of them active. */
	async import(
		variants: Variant[] = [],
		{ only, credentials = [] }: ExamplesOptions = {},
	): Promise<ExamplesEnvironment> {
		const { session, userFolder } = this;
		const sandbox = await startSandbox({ calls: 1000, callDelayMs: Infinity });
		this.sandboxes.push(sandbox);
		for (const credential of credentials) await session.createCredential(credential);
		const remove = await importExamples(session, sandbox, variants, only);
		return {
			...{ baseUrl: this.n8n.baseUrl, userFolder, ...actionsFor(session, sandbox), remove },
			killAndRestart: async () => await this.killAndRestart(),
		};
	}

	private async killAndRestart(): Promise<void> {
		process.kill(this.n8n.pid, 'SIGKILL');
		await this.n8n.exited;
		await this.n8n.stop();
		await this.start({ port: Number(new URL(this.n8n.baseUrl).port) });
	}

	private async start(options: { packageDir?: string; port?: number }): Promise<void> {
		const { userFolder, codeNodes } = this;
		// The zone is for what counts by days. In n8n 3, a Code node ends after a minute.
		const env = { GENERIC_TIMEZONE: ZONE, N8N_RUNNERS_TASK_TIMEOUT: '60', ...this.env };
		this.n8n = await startPreparedN8n({ userFolder, codeNodes, env, ...options });
	}
}
