import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { Fault } from '../../sandbox/index.mts';
import {
	drivers,
	openDispatch,
	type Dispatch,
	type Driver,
} from '../engine/support/calls/dispatch.mts';
import type { EngineRun } from '../engine/support/harness/index.mts';

// The same claims as in calls.test.mts with nothing simulated: n8n's engine, its Retry On Fail and
// its retry of executions, real HTTP, and the sandbox's ledger. Fewer cases, because these take
// real time.
const { ENGINE_RUNS = '150', PROPERTY_SEED = '48213', PROPERTY_PATH } = process.env;
const settings = {
	numRuns: Number(ENGINE_RUNS),
	seed: Number(PROPERTY_SEED),
	...(PROPERTY_PATH !== undefined && { path: PROPERTY_PATH }),
};

const status = (code: number, afterPlacing: boolean): Fault => ({
	...{ kind: 'status', status: code, afterPlacing },
});

const faults: Array<Fault | undefined> = [
	...[undefined, undefined, undefined, undefined],
	...[status(500, true), status(502, false), status(503, true), status(504, true)],
	...[status(401, false), status(422, false), status(408, true)],
	{ kind: 'status', status: 429, retryAfter: 0 },
	{ kind: 'reset', when: 'before' },
	{ kind: 'reset', when: 'after' },
	{ kind: 'truncated' },
	{ kind: 'truncated', contentLength: true },
	{ kind: 'html', afterPlacing: true },
	{ kind: 'emptyBody', afterPlacing: true },
	{ kind: 'successFalse', message: 'No' },
	{ kind: 'callNull' },
];

const cases = fc.record({
	items: fc.integer({ min: 1, max: 4 }),
	twins: fc.boolean(),
	faults: fc.array(fc.constantFrom(...faults), { maxLength: 6 }),
	listFails: fc.integer({ min: 0, max: 2 }),
	onError: fc.constantFrom('stopWorkflow' as const, 'continueRegularOutput' as const),
	tries: fc.integer({ min: 1, max: 3 }),
	parallel: fc.integer({ min: 1, max: 3 }),
	then: fc.constantFrom('nothing', 'retry'),
});

type Case = typeof cases extends fc.Arbitrary<infer Drawn> ? Drawn : never;

let dispatch: Dispatch;
beforeAll(async () => {
	dispatch = await openDispatch();
});
afterAll(() => dispatch.close());

/** Distinguishes the calls of two items with the same number, in the ledger. */
const tagged = (called: Driver[]): IDataObject[] =>
	called.map((one, index) => ({ ...one, tag: `${one.load}/${index}` }));

/** A run, and the items whose phones had rung when it ended. */
interface FinishedRun {
	run: EngineRun;
	rang: string[];
}

const rang = () => dispatch.sandbox.ledger.dialed().map(({ metadata }) => String(metadata?.tag));

async function liveThrough(drawn: Case, items: IDataObject[]): Promise<FinishedRun[]> {
	dispatch.fail(...drawn.faults.filter((fault) => fault !== undefined));
	if (drawn.listFails > 0) {
		dispatch.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: drawn.listFails },
			fault: { kind: 'status', status: 500 },
		});
	}
	const execution = await dispatch.execution(
		{
			metadata: { entry: [{ key: 'tag', value: '={{ $json.tag }}' }] },
			options: { lookForLostAnswers: 0.05, callsInParallel: drawn.parallel },
		},
		{
			items,
			node: {
				...{ onError: drawn.onError, retryOnFail: drawn.tries > 1 },
				...{ maxTries: drawn.tries, waitBetweenTries: 1 },
			},
		},
	);
	const first = { run: await execution.start(), rang: rang() };
	if (drawn.then === 'nothing' || first.run.status === 'success') return [first];
	return [first, { run: await dispatch.engine.retry(first.run), rang: rang() }];
}

const isUnknown = (text: unknown) => String(text).includes('may or may not have been placed');

function violations(runs: FinishedRun[], items: IDataObject[]): string[] {
	const dialed = dispatch.sandbox.ledger.dialed();
	const tags = rang();
	const found = tags.filter((tag, at) => tags.indexOf(tag) !== at).map((tag) => `twice: ${tag}`);
	for (const { run, rang: before } of runs) {
		if (run.status === 'success' && run.items.length !== items.length) found.push('lost an item');
		for (const [index, item] of run.items.entries()) {
			const tag = String(items[index]?.tag);
			const call = dialed.find(({ callId }) => callId === item.callId);
			if ('error' in item) {
				if (before.includes(tag) && !isUnknown(item.error))
					found.push(`placed, failed plainly: ${tag}`);
			} else if (call?.metadata?.tag !== tag) found.push(`not placed: ${tag}`);
		}
	}
	return found;
}

it('dials nothing twice in the real engine, and reports every call correctly', async () => {
	let reconciled = 0;
	await fc.assert(
		fc.asyncProperty(cases, async (drawn) => {
			dispatch.reset();
			const [one, ...others] = drivers(drawn.items);
			const called = one && drawn.twins ? [one, one, ...others] : [one, ...others];
			const items = tagged(called.filter((each) => each !== undefined));
			const runs = await liveThrough(drawn, items);
			for (const { run } of runs)
				reconciled += run.items.filter(({ placement }) => placement === 'reconciled').length;
			expect(violations(runs, items)).toEqual([]);
		}),
		settings,
	);
	expect(reconciled).toBeGreaterThan(settings.numRuns / 10);
}, 1_800_000);
