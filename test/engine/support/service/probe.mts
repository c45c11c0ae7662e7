import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { CarrierLoadCommunicationsApi } from '../../../../credentials/CarrierLoadCommunicationsApi.credentials.ts';
import { connect, type ServiceClient } from '../../../../nodes/shared/service/client.ts';
import { failedItem, itemError } from '../../../../nodes/shared/errors/itemError.ts';
import { ServiceFailure } from '../../../../nodes/shared/service/failure.ts';
import { startEngine, type EngineRun, type RunOptions } from '../harness/index.mts';

export interface ProbeOptions extends RunOptions {
	baseUrl: string;
	token?: string;
	ignoreSslIssues?: boolean;
	timeoutMs?: number;
	retryBudgetMs?: number;
	/** Fail the item as the nodes do, instead of keeping the error. */
	fails?: 'stop' | 'continue';
}

/** The result of using the service client inside a node that runs in the real n8n-core. */
export interface Probed<Result> {
	result: Result | undefined;
	/** What was thrown, if anything. */
	error: unknown;
	ms: number;
	/** Everything that n8n logged meanwhile. */
	logs: string;
	run: EngineRun;
}

export interface Probe {
	run<Result>(
		options: ProbeOptions,
		task: (client: ServiceClient, context: IExecuteFunctions) => Promise<Result>,
	): Promise<Probed<Result>>;
	close(): void;
}

/** A node in the real engine, for tests of the service client with real sockets. */
export async function startProbe(): Promise<Probe> {
	let execute: (context: IExecuteFunctions) => Promise<INodeExecutionData[]> = async () => [];
	const node: INodeType = {
		description: {
			displayName: 'Probe',
			name: 'probe',
			group: ['transform'],
			version: 1,
			description: 'Uses the service client',
			defaults: { name: 'Probe' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'carrierLoadCommunicationsApi', required: true }],
			properties: [],
		},
		async execute() {
			return [await execute(this)];
		},
	};
	const engine = await startEngine({
		package: false,
		nodeTypes: { 'testNodes.probe': node },
		credentialTypes: [new CarrierLoadCommunicationsApi()],
	});
	return {
		async run(options, task) {
			const { baseUrl, token = 'probe-token', ignoreSslIssues = false, fails, ...rest } = options;
			const outcome: { result?: Awaited<ReturnType<typeof task>>; error?: unknown } = {};
			execute = async (context) => {
				try {
					outcome.result = await task(await connect(context, rest), context);
				} catch (error) {
					outcome.error = error;
					if (fails === undefined) return [];
					const attempted = { itemIndex: 0, title: "Couldn't get calls" };
					const shown = itemError(context.getNode(), error, attempted);
					if (fails === 'stop') throw shown;
					return [failedItem(shown, 0)];
				}
				return context.getInputData();
			};
			const started = performance.now();
			const run = await engine.runNode(
				{},
				{
					...rest,
					type: 'testNodes.probe',
					node: fails === 'continue' ? { onError: 'continueErrorOutput' } : {},
					credentials: {
						carrierLoadCommunicationsApi: { baseUrl, accessToken: token, ignoreSslIssues },
					},
				},
			);
			const ms = performance.now() - started;
			const logs = run.logs.map(({ text }) => text).join('\n');
			return { result: outcome.result, error: outcome.error ?? run.error, ms, logs, run };
		},
		close: () => engine.close(),
	};
}

/** The failure of a task that must fail. */
export function failureOf({ error }: Probed<unknown>): ServiceFailure {
	expect(error).toBeInstanceOf(ServiceFailure);
	if (!(error instanceof ServiceFailure)) throw error;
	return error;
}
