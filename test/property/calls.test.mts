import fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { ProcessedData } from '../engine/calls/processedData.mts';
import { live, operations, tagOf, type Ending, type StoredExecution } from './calls-life.mts';
import { CallService, type DialFault, type ListFault, type Ring } from './calls-service.mts';

// To replay a failure: its seed and path, and `-t` with the name of the test. CALLS_RUNS asks for
// more cases than the 10,000 of every run.
const { CALLS_RUNS = '10000', PROPERTY_SEED = '48213', PROPERTY_PATH } = process.env;
const settings = {
	numRuns: Number(CALLS_RUNS),
	seed: Number(PROPERTY_SEED),
	...(PROPERTY_PATH !== undefined && { path: PROPERTY_PATH }),
};

const dialFaults: DialFault[] = [
	...(['none', 'none', 'none', 'none', 'reset before', 'reset after', 'no answer before'] as const),
	...([
		'no answer after',
		'late',
		'500 before',
		'500 after',
		'503 after',
		'web page after',
	] as const),
	...(['cut off', 'no call named', 'refused', 'call null', '401', '422', '429'] as const),
	...(['unreachable', 'crash before', 'crash after'] as const),
];

const phones = ['(312) 555-0101', '312-555-0102 x7', '+52 55 1234 5678', '911'];

const cases = fc.record({
	operation: fc.constantFrom(...(Object.keys(operations) as Array<keyof typeof operations>)),
	items: fc.array(
		fc.record({
			phone: fc.constantFrom(...phones.slice(0, 3), ...phones),
			load: fc.constantFrom('L1', 'L2'),
		}),
		{ minLength: 1, maxLength: 5 },
	),
	continueOnFail: fc.boolean(),
	tries: fc.integer({ min: 1, max: 3 }),
	parallel: fc.integer({ min: 1, max: 3 }),
	checkAllFirst: fc.boolean(),
	guardMinutes: fc.constantFrom(0, 0, 10),
	lookForSeconds: fc.constantFrom(0, 5, 30),
	dialFaults: fc.array(fc.constantFrom(...dialFaults), { maxLength: 12 }),
	listFaults: fc.array(fc.constantFrom<ListFault[]>('none', 'none', '500', 'reset', 'empty'), {
		maxLength: 6,
	}),
	listDelayMs: fc.constantFrom(0, 0, 2000, 40_000),
	skewMs: fc.integer({ min: -4000, max: 4000 }),
	namesLoads: fc.boolean(),
	/** What happens to the execution after it has ended or crashed. */
	afterwards: fc.array(fc.constantFrom('again', 'again', 'oldest again', 'next turn', 'new'), {
		maxLength: 4,
	}),
	race: fc.boolean(),
});

type Case = typeof cases extends fc.Arbitrary<infer Drawn> ? Drawn : never;

interface Lived {
	execution: StoredExecution;
	ending: Ending;
	/** The phones that had rung when it ended. */
	rings: Ring[];
}

let executions = 0;

function startOf({ items }: Case): StoredExecution {
	executions++;
	return {
		...{ id: String(executions), token: `token${executions}`, establishedAt: Date.now() },
		...{ runIndex: 0, items, nodeContext: {} },
	};
}

/** The guard believes the list, which may be late or fail, but does not lie about old calls. */
function honest(drawn: Case): Case {
	if (drawn.guardMinutes === 0) return drawn;
	return {
		...drawn,
		listFaults: drawn.listFaults.map((fault) => (fault === 'empty' ? '500' : fault)),
	};
}

/** Lives through a case, on the fake clock. */
async function liveThrough(drawn: Case, service: CallService): Promise<Lived[]> {
	const table = new ProcessedData();
	const node = {
		...{ operation: drawn.operation, continueOnFail: drawn.continueOnFail, tries: drawn.tries },
		options: {
			...{ callsInParallel: drawn.parallel, checkAllFirst: drawn.checkAllFirst },
			...{ skipIfCalledWithin: drawn.guardMinutes, lookForLostAnswers: drawn.lookForSeconds },
			addReference: false,
		},
	};
	const lived: Lived[] = [];
	const run = async (execution: StoredExecution) => {
		const ending = await live(execution, node, service, table);
		lived.push({ execution: { ...execution }, ending, rings: [...service.rings] });
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
	return lived;
}

/** What is wrong with how it ended, in words; empty when nothing is. */
function wrongs(drawn: Case, lived: Lived[], service: CallService): string[] {
	return [
		...dialledTwice(service),
		...(drawn.guardMinutes > 0 ? calledWithinGuard(drawn, service) : []),
		...lived.flatMap(({ execution, ending, rings }) => {
			if (ending === 'crashed') return [];
			if ('error' in ending) return wrongError(execution, ending.error, rings);
			if (ending.output.length !== execution.items.length) return ['an item was lost'];
			return ending.output.flatMap((item, index) =>
				wrongItem(tagOf(execution, index), item, rings, service),
			);
		}),
	];
}

function dialledTwice({ rings }: CallService): string[] {
	const tags = rings.map(({ tag }) => tag);
	return tags.filter((tag, index) => tags.indexOf(tag) !== index).map((tag) => `twice: ${tag}`);
}

function calledWithinGuard(drawn: Case, { rings }: CallService): string[] {
	const sameTarget = (one: Ring, other: Ring) =>
		one.toPhone === other.toPhone && one.load === other.load;
	return rings.flatMap((ring, index) =>
		rings
			.slice(0, index)
			.filter((earlier) => sameTarget(earlier, ring))
			.filter((earlier) => ring.at - earlier.at < drawn.guardMinutes * 60_000)
			.map((earlier) => `within the guard: ${earlier.tag} and ${ring.tag}`),
	);
}

const isUnknown = (message: string) => message.includes('may or may not have been placed');

function wrongError(
	execution: StoredExecution,
	{ message, itemIndex }: { message: string; itemIndex: number },
	rings: Ring[],
): string[] {
	const tag = tagOf(execution, itemIndex);
	if (isUnknown(message) || !rings.some((ring) => ring.tag === tag)) return [];
	return [`placed, but failed plainly: ${tag}: ${message}`];
}

function wrongItem(
	tag: string,
	{ json }: INodeExecutionData,
	rings: Ring[],
	service: CallService,
): string[] {
	const own = rings.find((ring) => ring.tag === tag);
	if ('error' in json) {
		return own && !isUnknown(String(json.error)) ? [`placed, but failed plainly: ${tag}`] : [];
	}
	const { callId, outcome }: IDataObject = json;
	const call = service.rings.find(({ id }) => id === callId);
	if (!call) return [`no such call: ${tag}`];
	if (outcome === 'skippedDuplicate') return own ? [`skipped, but called: ${tag}`] : [];
	return call.tag === tag ? [] : [`${outcome} with the call of ${call.tag}: ${tag}`];
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
			const lived = await onFakeClock(() => liveThrough(drawn, service));
			count(lived, service);
			expect(wrongs(drawn, lived, service)).toEqual([]);
		}),
		settings,
	);
	console.log(JSON.stringify(counted));
	// A proof that draws no such case proves nothing.
	if (settings.numRuns >= 1000 && PROPERTY_PATH === undefined) {
		expect(Math.min(...Object.values(counted))).toBeGreaterThan(settings.numRuns / 20);
	}
}, 3_600_000);

function count(lived: Lived[], service: CallService) {
	counted.cases++;
	counted.rings += service.rings.length;
	for (const { ending } of lived) {
		if (ending === 'crashed') counted.crashed++;
		else if ('error' in ending) counted.unknown += Number(isUnknown(ending.error.message));
		else
			for (const { json } of ending.output) {
				counted.reconciled += Number(json.outcome === 'reconciled');
				counted.skipped += Number(json.outcome === 'skippedDuplicate');
				counted.unknown += Number(isUnknown(String(json.error)));
			}
	}
}
