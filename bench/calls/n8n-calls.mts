import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type RunningN8n, startN8n } from '../../playground/n8n/n8n.mts';
import { isRecord, type JsonObject, recordsIn, textIn } from '../../playground/n8n/rest.mts';
import type { N8nSession } from '../../playground/n8n/session.mts';
import { ROOT } from '../../playground/setup/paths.mts';
import { CREDENTIAL, credentialOf, TWO_EXPRESSIONS, type MeasuredNode } from './nodes.mts';
import type { Service } from './service.mts';

/** One run of the measured node, as n8n measured it. */
export interface NodeRun {
	/** When it started, in Unix milliseconds. */
	from: number;
	ms: number;
	/** How long n8n's event loop stood still at most meanwhile. */
	longestStallMs: number;
	items: number;
	error: string;
}

/** A real n8n (SQLite) with the package, and workflows of the measured nodes. */
export class CallingN8n {
	private n8n!: RunningN8n;
	private session!: N8nSession;
	private readonly userFolder = mkdtempSync(join(tmpdir(), 'bench-calls-'));
	private readonly stalls: Array<[number, number]> = [];

	async open(services: Service[], packageDir = ROOT): Promise<void> {
		const nodes = join(this.userFolder, 'nodes');
		mkdirSync(nodes);
		writeFileSync(join(nodes, 'TwoExpressions.node.js'), TWO_EXPRESSIONS);
		const probe = pathToFileURL(join(import.meta.dirname, 'stall-probe.mjs')).href;
		const env = {
			...{ N8N_PAYLOAD_SIZE_MAX: '64', N8N_CUSTOM_EXTENSIONS: nodes },
			NODE_OPTIONS: `--import ${probe} ${process.env['BENCH_NODE_OPTIONS'] ?? ''}`,
		};
		const onMessage = (message: unknown) => {
			if (isRecord(message) && Array.isArray(message['stall'])) {
				const [from, to] = message['stall'].map(Number);
				this.stalls.push([from ?? 0, to ?? 0]);
			}
		};
		this.n8n = await startN8n({ userFolder: this.userFolder, packageDir, env, onMessage });
		this.session = await this.n8n.login();
		for (const { baseUrl, token, latencyMs } of services) {
			const name = credentialOf(latencyMs);
			const data = { baseUrl, accessToken: token };
			await this.session.createCredential({ name, type: CREDENTIAL, data });
			const header = { name: 'Authorization', value: `Bearer ${token}` };
			await this.session.createCredential({ name, type: 'httpHeaderAuth', data: header });
		}
	}

	async close(): Promise<void> {
		await this.n8n?.stop();
		rmSync(this.userFolder, { recursive: true, force: true });
	}

	/** A published workflow: a POST with drivers gives the node an item for each. Resolves to its runner. */
	async workflow(measured: MeasuredNode) {
		const webhookId = randomUUID();
		const node = (name: string, rest: JsonObject) => ({
			...{ id: randomUUID(), name, position: [0, 0], ...rest },
		});
		const nodes = [
			node('Webhook', {
				...{ type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId },
				parameters: { path: webhookId, httpMethod: 'POST' },
			}),
			node('Drivers', {
				...{ type: 'n8n-nodes-base.splitOut', typeVersion: 1 },
				parameters: { fieldToSplitOut: 'body.drivers', options: {} },
			}),
			node('Measured', { ...measured }),
		];
		const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
		const created = await this.session.createWorkflow({
			...{ name: `Measured ${webhookId}`, nodes, settings: { executionOrder: 'v1' } },
			connections: { Webhook: to('Drivers'), Drivers: to('Measured') },
		});
		const id = textIn(created, 'id');
		await this.session.activate(id);
		const url = `${this.n8n.baseUrl}/webhook/${webhookId}`;
		while (!(await this.session.webhookIsRegistered(url))) await wait(250);
		return async (drivers: object[]) => await this.run(id, url, drivers);
	}

	private async run(workflowId: string, url: string, drivers: object[]): Promise<NodeRun> {
		const count = (await this.session.executions.newest(workflowId)).length;
		const headers = { 'content-type': 'application/json' };
		const response = await fetch(url, {
			method: 'POST',
			headers,
			body: JSON.stringify({ drivers }),
		});
		if (!response.ok) throw new Error(`n8n responded with ${response.status}`);
		for (;;) {
			await wait(100);
			const executions = await this.session.executions.newest(workflowId);
			const [newest] = executions;
			const isDone = ['success', 'error', 'crashed'].includes(textIn(newest, 'status'));
			if (executions.length > count && isDone) return await this.nodeRun(textIn(newest, 'id'));
		}
	}

	private async nodeRun(executionId: string): Promise<NodeRun> {
		const { resultData } = await this.session.executions.data(executionId);
		const run = recordsIn(isRecord(resultData) ? resultData['runData'] : undefined, 'Measured').at(
			-1,
		);
		const [from, ms] = [Number(run?.['startTime']), Number(run?.['executionTime'])];
		const stalls = this.stalls.map(
			([start, end]) => Math.min(end, from + ms) - Math.max(start, from),
		);
		const data = run?.['data'];
		return {
			...{ from, ms, longestStallMs: Math.max(0, ...stalls) },
			items: [isRecord(data) ? data['main'] : []].flat(2).length,
			error: isRecord(run?.['error']) ? textIn(run['error'], 'message') : '',
		};
	}
}
