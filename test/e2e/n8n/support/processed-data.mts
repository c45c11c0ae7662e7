import { randomUUID } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { textIn } from '../../../../playground/n8n/rest.mts';
import { ProcessedData } from '../../../engine/support/calls/processedData.mts';
import type { TriggersEnvironment } from '../../triggers/support/triggers-environment.mts';
import type { Operation, Outcome, ProcessedProbe } from './processed-data-probe.mts';

export type Steps = Operation[][];

export const RACES = ['race 1', 'race 2', 'race 3'] as const;
const NODES = ['first', 'second', 'third', ...RACES] as const;
export type Node = (typeof NODES)[number];

/** Carries out steps in one of the nodes, which have a row of the table each. */
export type Perform = (node: Node, steps: Steps) => Promise<Outcome[][]>;

/** Nodes that read and write n8n's table of processed data. */
export class ProcessedNodes {
	private readonly environment: TriggersEnvironment;
	private readonly paths = new Map<string, string>();

	constructor(environment: TriggersEnvironment) {
		this.environment = environment;
	}

	async create(): Promise<void> {
		for (const name of NODES) await this.createWorkflow(name);
		await this.registered();
	}

	/** Resolves when n8n takes requests for all nodes. */
	async registered(): Promise<void> {
		for (const name of NODES) await this.environment.registered(this.urlOf(name));
	}

	readonly perform: Perform = async (node, steps) => {
		const response = await fetch(this.urlOf(node), {
			...{ method: 'POST', headers: { 'content-type': 'application/json' } },
			body: JSON.stringify({ steps }),
		});
		return ((await response.json()) as { outcomes: Outcome[][] }).outcomes;
	};

	private urlOf(name: string): string {
		return `${this.environment.baseUrl}${this.paths.get(name)}`;
	}

	private async createWorkflow(name: string): Promise<void> {
		const { session } = this.environment;
		const webhookId = randomUUID();
		const nodes = [
			{
				...{ id: randomUUID(), name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2 },
				...{ webhookId, position: [0, 0] },
				parameters: { path: webhookId, httpMethod: 'POST', responseMode: 'lastNode' },
			},
			{
				...{ id: randomUUID(), name: 'Probe', type: 'CUSTOM.processedProbe', typeVersion: 1 },
				...{ position: [200, 0], parameters: {} },
			},
		];
		const connections = { Webhook: { main: [[{ node: 'Probe', type: 'main', index: 0 }]] } };
		const created = await session.createWorkflow({ name, nodes, connections, settings: {} });
		await session.activate(textIn(created, 'id'));
		this.paths.set(name, `/webhook/${webhookId}`);
	}
}

/** The same nodes, with the model of the property and engine tests of calls. */
export function inModel(probe: ProcessedProbe): Perform {
	const table = new ProcessedData();
	return async (node, steps) => {
		const contextData = { node: { id: node }, workflow: { id: node, active: true } } as never;
		const helpers = {
			checkProcessedAndRecord: (items: string[], scope: 'node', options: never) =>
				table.checkProcessedAndRecord(items, scope, contextData, options),
			removeProcessed: (items: string[], scope: 'node') =>
				table.removeProcessed(items, scope, contextData),
		} as unknown as IExecuteFunctions['helpers'];
		const getInputData = () => [{ json: { body: { steps } } }] as never;
		const output = await probe.execute.call({ helpers, getInputData });
		return output[0]?.[0]?.json.outcomes ?? [];
	};
}
