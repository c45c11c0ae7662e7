import fc from 'fast-check';
import { ProcessedData } from '../engine/support/calls/processedData.mts';
import { cases, honest, type Case } from './support/calls-cases.mts';
import { runExecution, type StoredExecution } from './support/calls-execution.mts';
import { CallService } from './support/calls-service.mts';
import { isUnknown, violations, type FinishedRun } from './support/calls-violations.mts';

// To replay a failure: its seed and path, and `-t` with the name of the test. CALLS_RUNS asks for
// more cases than the 10,000 of every run.
const { CALLS_RUNS = '10000', PROPERTY_SEED = '48213', PROPERTY_PATH } = process.env;
const settings = {
	numRuns: Number(CALLS_RUNS),
	seed: Number(PROPERTY_SEED),
	...(PROPERTY_PATH !== undefined && { path: PROPERTY_PATH }),
};

let executions = 0;

function startOf({ items }: Case): StoredExecution {
	executions++;
	return {
		...{ id: String(executions), token: `token${executions}`, establishedAt: Date.now() },
		...{ runIndex: 0, items, nodeContext: {} },
	};
}

/** Lives through a case, on the fake clock. */
async function liveThrough(drawn: Case, service: CallService): Promise<FinishedRun[]> {
	const table = new ProcessedData();
	const node = {
		...{ operation: drawn.operation, continueOnFail: drawn.continueOnFail, tries: drawn.tries },
		guardMinutes: drawn.guardMinutes,
		options: {
			...{ callsInParallel: drawn.parallel, lookForLostAnswers: drawn.lookForSeconds },
			addReference: false,
		},
	};
	const runs: FinishedRun[] = [];
	const run = async (execution: StoredExecution) => {
		const end = await runExecution(execution, node, service, table);
		runs.push({ execution: { ...execution }, end, rings: [...service.rings] });
	};
	let execution = startOf(drawn);
	const first = structuredClone(execution);
	// Two executions in one process. A rival that crashes is in another one: what it had begun to
	// dial cannot be told from what this one lost (docs/placing-calls.md, "What is left").
	const crashes = drawn.dialFaults.some((fault) => fault.startsWith('crash'));
	const rival = drawn.race && !crashes ? [startOf(drawn)] : [];
	await Promise.all([execution, ...rival].map(run));
	for (const next of drawn.afterwards) {
		await new Promise((resolve) => setTimeout(resolve, 60_000));
		const id = String(++executions);
		if (next === 'new') execution = startOf(drawn);
		if (next === 'next turn') execution = { ...execution, runIndex: execution.runIndex + 1 };
		if (next === 'again') execution = { ...structuredClone(execution), id };
		await run(next === 'oldest again' ? { ...structuredClone(first), id } : execution);
	}
	return runs;
}

async function onFakeClock<Result>(work: () => Promise<Result>): Promise<Result> {
	let done = false;
	const running = work().finally(() => {
		done = true;
	});
	while (!done) await jest.advanceTimersToNextTimerAsync();
	return await running;
}

beforeAll(() => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
});
afterAll(() => {
	jest.useRealTimers();
});

const counted = { cases: 0, rings: 0, reconciled: 0, unknown: 0, skipped: 0, crashed: 0 };

it('dials nothing twice, reports no call that was not placed, and no placed call as failed', async () => {
	await fc.assert(
		fc.asyncProperty(cases, async (drawn) => {
			const service = new CallService(honest(drawn));
			const runs = await onFakeClock(() => liveThrough(drawn, service));
			count(runs, service);
			expect(violations(drawn, runs, service)).toEqual([]);
		}),
		settings,
	);
	console.log(JSON.stringify(counted));
	// A proof that draws no such case proves nothing.
	if (settings.numRuns >= 1000 && PROPERTY_PATH === undefined) {
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
				counted.reconciled += Number(json.placement === 'reconciled');
				counted.skipped += Number(json.placement === 'skippedDuplicate');
				counted.unknown += Number(isUnknown(String(json.error)));
			}
	}
}
