import fc from 'fast-check';
import { ProcessedData } from '../engine/support/calls/processedData.mts';
import { cases, honest, type Case } from './support/calls/cases.mts';
import {
	LoadedPackage,
	runExecution,
	type Item,
	type RunEnd,
	type StoredExecution,
} from './support/calls/execution.mts';
import { CallService } from './support/calls/service.mts';
import { modeOf, rulesOf, ruleViolations, isCapped, isTooOften } from './support/calls/rules.mts';
import { isUnknown, violations, type FinishedRun } from './support/calls/violations.mts';
import { VirtualClock } from './support/virtual-clock.mts';

// To replay a failure, set its seed and path, and use `-t` with the name of the test. CALLS_RUNS
// sets the number of cases; the default is 10,000.
const { CALLS_RUNS = '10000', PROPERTY_SEED = '48213', PROPERTY_PATH } = process.env;
const settings = {
	numRuns: Number(CALLS_RUNS),
	seed: Number(PROPERTY_SEED),
	...(PROPERTY_PATH !== undefined && { path: PROPERTY_PATH }),
};

let executions = 0;

/** A row that the upstream node reads first when it runs again. */
const NEW_ROW = { phone: '(312) 555-0101', load: 'L1' };

function startOf({ operation, items: drawn }: Case): StoredExecution {
	executions++;
	// Agent calls are about no load; the number and the agent identify them.
	const isAgent = operation === 'createAgentCall';
	const items = drawn.map((item) => (isAgent ? { ...item, load: NEW_ROW.load } : item));
	return {
		...{ id: String(executions), token: `token${executions}`, establishedAt: Date.now() },
		...{ runIndex: 0, node: 'call', request: 0, items, nodeContext: {} },
	};
}

let workers: [LoadedPackage, LoadedPackage];
beforeAll(() => {
	workers = [new LoadedPackage(), new LoadedPackage()];
});

/** The runs of nodes in an execution: one, one after the other, or one for each request of an agent. */
function partsOf({ who }: Case, { items, runIndex }: StoredExecution, node: string) {
	if (who === 'agent') {
		// A tool's runs are counted over all turns of the agent.
		const request = 100 * runIndex;
		return items.map((item, index) => ({ node, request: request + index, items: [item] }));
	}
	const first = { node, request: 0, items };
	return who === 'two nodes' ? [first, { ...first, node: `${node} 2` }] : [first];
}

/** Runs a case with a simulated clock. */
async function runCase(drawn: Case, service: CallService): Promise<FinishedRun[]> {
	const [here, there] = workers;
	const otherThan = (worker: LoadedPackage) => (worker === here ? there : here);
	for (const worker of workers) worker.restart();
	const table = new ProcessedData();
	let seed = executions + 1;
	table.draw = () => {
		seed = (seed * 48271) % 2147483647;
		return (seed / 2147483647) * drawn.databaseMs;
	};
	const workflow = `w${counted.cases}`;
	const settingsOf = (id: string) => ({
		...{ id, operation: drawn.operation, tries: drawn.tries },
		...{ continueOnFail: drawn.continueOnFail, guardMinutes: drawn.guardMinutes },
		asTool: drawn.who === 'agent',
		options: {
			...{ callsInParallel: drawn.parallel, lookForLostAnswers: drawn.lookForSeconds },
			addReference: drawn.addReference,
		},
		...{
			workflow,
			rules: () => rulesOf(drawn),
			mode: (item: Item) => modeOf(drawn, item),
		},
	});
	const runs: FinishedRun[] = [];
	const run = async (execution: StoredExecution, on: LoadedPackage, id = 'call') => {
		const { items, nodeContext } = execution;
		let end: RunEnd = 'crashed';
		for (const [index, part] of partsOf(drawn, execution, id).entries()) {
			Object.assign(execution, part);
			const worker = drawn.splits && index === 1 ? otherThan(on) : on;
			end = await runExecution(execution, settingsOf(part.node), service, table, worker);
			runs.push({ execution: { ...execution }, end, rings: [...service.rings] });
			// A crash takes along all that the execution did; after an error, no node runs.
			if (end === 'crashed') execution.nodeContext = nodeContext;
			if (end === 'crashed' || ('error' in end && drawn.who === 'two nodes')) break;
		}
		execution.items = items;
		return end;
	};
	let execution = startOf(drawn);
	const rivals = {
		nobody: () => [],
		execution: () => [run(startOf(drawn), here)],
		node: () => [run(startOf(drawn), here, 'other')],
		worker: () => [run(startOf(drawn), there)],
	};
	let [end] = await Promise.all([run(execution, here), ...rivals[drawn.rival]()]);
	let node = 'call';
	for (const [step, next] of drawn.afterwards.entries()) {
		await new Promise((resolve) => setTimeout(resolve, 60_000));
		const id = String(++executions);
		// n8n 2 starts nothing again after a crash: someone starts the workflow from its beginning.
		if (end === 'crashed' || next === 'new' || next === 'other node') execution = startOf(drawn);
		// An iteration that crashed or failed runs again: no loop continues without it.
		if (next === 'next turn' && end !== 'crashed' && 'output' in end)
			execution = { ...execution, runIndex: execution.runIndex + 1 };
		if (next === 'again') execution = { ...execution, id };
		if (next === 'with a new row') {
			execution = { ...execution, id, items: [NEW_ROW, ...execution.items] };
		}
		const isElsewhere = drawn.moves === 'once' || (drawn.moves === 'to and fro' && step % 2 === 0);
		const on = isElsewhere ? there : here;
		if (next === 'new') node = 'call';
		if (next === 'other node') node = 'other';
		end = await run(execution, on, node);
	}
	return runs;
}

/** All cases have one: none begins before the last one has ended. */
const clock = new VirtualClock();

const counted = {
	cases: 0,
	rings: 0,
	reconciled: 0,
	unknown: 0,
	skipped: 0,
	crashed: 0,
	...{ tested: 0, dry: 0, capped: 0, tooOften: 0 },
};

it('dials nothing twice, reports no call that was not placed, and no placed call as failed', async () => {
	await fc.assert(
		fc.asyncProperty(cases.map(honest), async (drawn) => {
			const service = new CallService(drawn);
			const runs = await clock.run(() => runCase(drawn, service));
			count(runs, service);
			expect([
				...violations(drawn, runs, service),
				...ruleViolations(drawn, runs, service),
			]).toEqual([]);
		}),
		settings,
	);
	console.log(JSON.stringify(counted));
	// Without such cases, this test would prove nothing.
	if (settings.numRuns >= 100 && PROPERTY_PATH === undefined) {
		expect(Math.min(...Object.values(counted))).toBeGreaterThan(settings.numRuns / 20);
	}
}, 3_600_000);

function count(runs: FinishedRun[], service: CallService) {
	counted.cases++;
	counted.rings += service.rings.length;
	for (const { end } of runs) {
		if (end === 'crashed') counted.crashed++;
		else if ('error' in end) counted.unknown += Number(isUnknown(end.error.message));
		else
			for (const { json } of end.output) {
				counted.tested += Number(json.testCallFor !== undefined);
				counted.dry += Number(json.placement === 'dryRun');
				counted.capped += Number(isCapped(String(json.error)));
				counted.tooOften += Number(isTooOften(String(json.error)));
				counted.reconciled += Number(json.placement === 'reconciled');
				counted.skipped += Number(json.placement === 'skippedDuplicate');
				counted.unknown += Number(isUnknown(String(json.error)));
			}
	}
}
