import { join, resolve } from 'node:path';
import { parse, stringify } from 'flatted';
import type { IDataObject, INodeParameters, IRunExecutionData, Workflow } from 'n8n-workflow';
import {
	startSandbox,
	type Sandbox,
	type SandboxOptions,
	type Fault,
} from '../../../../sandbox/index.mts';
import {
	chain,
	startEngine,
	type Engine,
	type EngineRun,
	type RunOptions,
	type WorkflowJson,
} from '../harness/index.mts';
import { core, workflow as n8nWorkflow } from '../harness/n8n.mts';
import { continueRun } from '../harness/run.mts';
import { buildWorkflow, type NodeSettings } from '../harness/workflow-json.mts';
import { ProcessedData } from './processedData.mts';

/** An item: whom to call about which load. `e164` is the number as it is sent. */
export interface Driver extends IDataObject {
	phone: string;
	load: string;
	e164: string;
}

export interface DispatchRun extends RunOptions {
	node?: NodeSettings;
	/** Other ones than those of the sandbox. */
	credentials?: Record<string, IDataObject>;
}

export interface Dispatch {
	engine: Engine;
	sandbox: Sandbox;
	processedData: ProcessedData;
	credentials: { carrierLoadCommunicationsApi: IDataObject };
	/** Runs the node for these items in the engine; for one driver by default. */
	run(parameters?: INodeParameters, options?: DispatchRun): Promise<EngineRun>;
	/** One execution, as n8n stores it before it starts. It can be started more than once. */
	execution(
		parameters?: INodeParameters,
		options?: DispatchRun,
		json?: WorkflowJson,
	): Promise<Execution>;
	/** Applies faults to the next requests of an operation, one each. */
	fail(...faults: Fault[]): void;
	dialed(): string[];
	/** What n8n's table holds for the workflow of this test. */
	noted(): string;
	/** Clears the memory, as if the process had been killed and restarted. */
	restartProcess(): void;
	reset(): void;
	close(): Promise<void>;
}

export interface Execution {
	workflow: Workflow;
	/** @param rows what the start node returns, if it differs from before */
	start(rows?: IDataObject[]): Promise<EngineRun>;
}

const root = resolve(import.meta.dirname, '../../../..');
const calls = join(root, 'dist/nodes/CarrierLoadCommunications/calls');

/** Fields of a check call. Its load and phone number come from the item. */
export const checkCall: INodeParameters = {
	resource: 'call',
	operation: 'triggerCheckCall',
	toPhone: '={{ $json.phone }}',
	loadNumber: '={{ $json.load }}',
	nextStopIndex: 1,
	// The tests run at any hour, some with many items, and those of the duplicate guard turn it on.
	rules: { maxCalls: 10_000, skipIfCalledWithin: 0 },
	options: { lookForLostAnswers: 0.1 },
};

/**
 * How long the node waits before it looks whether another worker has overwritten its notes. Here,
 * there is none: half a second with every call would be half of the suite's time. The race of
 * workers (race.test.mts) and property/calls wait as long as the node does in n8n.
 */
const SETTLE_MS = 23;

/** Area codes for fictional numbers: 555-0100 to 555-0199 in each. */
const AREAS = [212, 214, 303, 305, 312, 404, 415, 512, 602, 615, 713, 816];

/** A response with a status instead of the usual one. */
export const statusFault = (code: number, more: object = {}): Fault => ({
	kind: 'status',
	status: code,
	...more,
});

let known = 0;

/**
 * Drivers with fictional numbers and different loads that no test of this file has called before: a
 * search in the list must not find another test's call.
 */
export function drivers(count: number): Driver[] {
	return Array.from({ length: count }, () => {
		const index = known++;
		const area = AREAS[Math.floor(index / 100) % AREAS.length];
		const line = String(index % 100).padStart(2, '0');
		return { phone: `(${area}) 555-01${line}`, load: `L${index}`, e164: `+1${area}55501${line}` };
	});
}

/** The only element of a list. */
export function driver(): Driver {
	const [first] = drivers(1);
	if (!first) throw new Error('There is no driver');
	return first;
}

/** A workflow whose nodes have the same IDs in every execution, like those of saved workflows. */
export function savedWorkflow(parameters: INodeParameters, node: NodeSettings = {}): WorkflowJson {
	const { rules = {} } = parameters;
	const isForm = typeof rules === 'object' && rules !== null && !Array.isArray(rules);
	const ownRules = isForm ? { ...Object(checkCall.rules), ...rules } : rules;
	return {
		id: 'savedWorkflow',
		...chain(
			{ name: 'Start', type: 'testNodes.start', id: 'start' },
			{
				name: 'Call',
				type: 'n8n-nodes-carrier-load-communications.carrierLoadCommunications',
				id: 'call',
				parameters: { ...checkCall, ...parameters, rules: ownRules },
				...node,
			},
		),
	};
}

/** The engine with the built package, and the sandbox that it calls. */
export async function openDispatch(options: SandboxOptions = {}): Promise<Dispatch> {
	const engine = await startEngine();
	Object.assign(jest.requireActual(join(calls, 'guard.js')), { SETTLE_MS });
	const processedData = new ProcessedData();
	await core.DataDeduplicationService.init(processedData);
	const sandbox = await startSandbox({ calls: 20, callDelayMs: Infinity, ...options });
	const credentials = {
		carrierLoadCommunicationsApi: {
			baseUrl: sandbox.baseUrl,
			accessToken: sandbox.tokens.north,
			ignoreSslIssues: false,
		},
	};
	// A workflow for each test: a node writes call IDs again a second after its run.
	let test = 0;
	const workflowId = () => `${savedWorkflow({}).id}${test}`;
	const json = (parameters: INodeParameters, { node }: DispatchRun) => ({
		...savedWorkflow(parameters, node),
		id: workflowId(),
	});
	/** What the process has read of the service's call list. */
	const forgetList = () => {
		const { callLists } = jest.requireActual<
			typeof import('../../../../nodes/CarrierLoadCommunications/calls/callList.ts')
		>(join(calls, 'callList.js'));
		callLists.clear();
	};
	return {
		...{ engine, sandbox, credentials, processedData },
		run: async (parameters = {}, runOptions = {}) =>
			await engine.runWorkflow(json(parameters, runOptions), {
				...{ credentials, items: drivers(1), subject: 'Call' },
				...runOptions,
			}),
		async execution(parameters = {}, { items = drivers(1), ...runOptions } = {}, given) {
			const { types, credentials: stored } = engine;
			const built = given ?? json(parameters, runOptions);
			const workflow = await buildWorkflow(built, types, stored, { credentials });
			const start = workflow.getNode('Start');
			if (!start) throw new Error('The workflow has no start');
			const data = n8nWorkflow.createRunExecutionData({
				executionData: {
					nodeExecutionStack: [
						{
							node: start,
							data: { main: [items.map((item) => ({ json: item as IDataObject }))] },
							source: null,
						},
					],
				},
			});
			const saved = stringify(data);
			const options = { executionId: `restarted-${++known}`, ...runOptions };
			return {
				workflow,
				start: async (rows) => {
					const copy = parse(saved) as IRunExecutionData;
					const [first] = copy.executionData?.nodeExecutionStack ?? [];
					if (rows && first) first.data.main = [rows.map((row) => ({ json: row }))];
					return await continueRun(workflow, stored, copy, options, 'Call');
				},
			};
		},
		fail: (...faults) =>
			sandbox.faults.add(
				...faults.flatMap((fault) =>
					(['triggerCheckCall', 'triggerCarrierSalesCall', 'createAgentCall'] as const).map(
						(endpoint) => ({ endpoint, fault }),
					),
				),
			),
		noted: () =>
			JSON.stringify([...processedData.rows].filter(([key]) => key.startsWith(`${workflowId()}:`))),
		dialed: () => sandbox.ledger.dialed().map(({ toPhone }) => toPhone),
		restartProcess() {
			const { processCalls } = jest.requireActual<
				typeof import('../../../../nodes/CarrierLoadCommunications/calls/memory.ts')
			>(join(calls, 'memory.js'));
			for (const { key } of processCalls.all()) processCalls.delete(key);
			forgetList();
		},
		reset() {
			sandbox.faults.clear();
			sandbox.ledger.clear();
			processedData.rows.clear();
			forgetList();
			test++;
			Object.assign(processedData, { delayMs: 0, broken: false });
		},
		async close() {
			engine.close();
			await sandbox.close();
		},
	};
}
