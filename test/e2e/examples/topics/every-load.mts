import { DateTime } from 'luxon';
import { CALLING_WORKFLOW } from '../../../../playground/demo/sample-check-call.mts';
import { exampleWorkflows } from '../../../../playground/demo/examples.mts';
import { isRecord, type JsonObject, textIn } from '../../../../playground/n8n/rest.mts';
import { daytimeZone } from '../../../../sandbox/page/routes.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import type { Variant } from '../support/examples-import.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';

// Every workflow that calls about loads, in every situation that loses one: each load ends as exactly one of call, row or
// entry at the desk. Counted by load, in the sandbox's ledger and in n8n's tables.

interface Load {
	number: string;
	/** "none" for a load that can't be called. */
	phone: string;
	/** Whether the number is on the do-not-call list. */
	isListed: boolean;
}

/** A workflow that calls. */
interface Caller {
	workflow: string;
	/** The node that calls, whose hours are set to where it is day. */
	call: string;
	/** Where its loads come in. */
	input: string;
	row: (load: Load) => JsonObject;
	/** The triggers that lead from the row to the call, in order. */
	runs: string[];
	/** Where it ends, by its load number. */
	output: string;
	/** The column that says how; one of OPEN means not yet. */
	state: string;
	/** The node that reads what a stopped n8n left over, and its state: here it is old at once. */
	leftOver?: [node: string, state: string];
}

const timeZone = daytimeZone(new Date());
const OPEN = ['', 'new', 'open', 'checked', 'waiting', 'taken', 'calling', 'for a person'];
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const driver = ({ number, phone }: Load) => ({
	...{ loadNumber: number, driverName: `Driver ${number}`, phone },
	...{ nextStopIndex: '1', timeZone },
});

const CALLERS: Caller[] = [
	{
		...{ workflow: 'checkCallsDaily', call: 'Check call', input: 'loads_in_transit' },
		row: ({ number, phone }) => ({
			...{ loadNumber: number, driverName: `Driver ${number}`, driverPhone: phone },
			...{ nextStopIndex: 1, timeZone },
		}),
		runs: ['Weekdays at 8', 'Every minute'],
		...{ output: 'daily_calls', state: 'state', leftOver: ['Left over', 'taken'] },
	},
	{
		...{ workflow: CALLING_WORKFLOW, call: 'Check call', input: 'tms_events' },
		row: (load) => ({
			...driver(load),
			...{ eventId: `evt-${load.number}`, event: 'load.departed' },
		}),
		runs: ['Every 30 seconds'],
		...{ output: 'tms_events', state: 'state', leftOver: ['Events left over', 'taken'] },
	},
	{
		...{ workflow: 'checkCallsFromAFile', call: 'Check call', input: 'loads_from_files' },
		row: (load) => ({
			...driver(load),
			...{
				upload: '1',
				row: Number(load.number),
				columns: '{}',
				state: 'waiting',
				notBefore: minutesAgo(1),
			},
		}),
		runs: ['Every minute'],
		...{ output: 'loads_from_files', state: 'state', leftOver: ['Left over', 'taken'] },
	},
	{
		...{ workflow: 'callOnlyWhenNeeded', call: 'Check call', input: 'loads_to_track' },
		row: driver,
		runs: ['Every 5 minutes'],
		...{ output: 'loads_to_track', state: 'decision' },
	},
	{
		...{ workflow: 'appointmentConfirmation', call: 'Call the facility', input: 'confirmations' },
		row: ({ number, phone }) => ({
			...{ loadNumber: number, facility: `Dock ${number}`, phone, timeZone },
			...{ opens: '00:00', closes: '24:00' },
			appointment: DateTime.now()
				.setZone(timeZone)
				.plus({ days: 1 })
				.toFormat("yyyy-MM-dd'T'09:00"),
		}),
		runs: ['Every 5 minutes', 'Every minute'],
		...{ output: 'confirmations', state: 'state', leftOver: ['Left over', 'taken'] },
	},
	{
		...{ workflow: 'detentionClock', call: 'Check call at the dock', input: 'detention_clocks' },
		row: (load) => ({
			...driver(load),
			...{ event: 'arrived', meaning: 'arrived', clockId: `${load.number} stop 1` },
			...{ state: 'waiting', arrivedAt: minutesAgo(105), callAt: minutesAgo(1) },
			freeTimeEndsAt: minutesAgo(-15),
		}),
		runs: ['Every minute'],
		...{ output: 'detention_clocks', state: 'state', leftOver: ['Calls left over', 'calling'] },
	},
	{
		...{ workflow: 'noAnswerLadder', call: 'Check call', input: 'loads_to_reach' },
		row: ({ number, phone }) => ({
			...{ loadNumber: number, driverName: `Driver ${number}`, driverPhone: phone },
			...{ dispatcherPhone: phone, nextStopIndex: 1, timeZone },
		}),
		runs: ['Every minute'],
		...{ output: 'loads_to_reach', state: 'state' },
	},
];
/**
 * Those for which the usual number of loads is more than a page of a table or a list. All of them:
 * `EVERY_LOAD_MANY=1 npm run test:one -- examples/every-load`
 */
const MANY =
	process.env['EVERY_LOAD_MANY'] === undefined
		? ['checkCallsDaily', CALLING_WORKFLOW, 'noAnswerLadder']
		: CALLERS.map(({ workflow }) => workflow);
const FEW_LOADS = 25;
const MANY_LOADS = 503;
const PLACING = ['triggerCheckCall', 'createAgentCall'] as const;
const later = (workflow: string) => `${workflow}Later`;

let environment: ExamplesEnvironment;
let lastLoad = 0;

/** US area codes that no sample has, each with a hundred numbers that are reserved for fiction, but for the last ones. */
const AREAS = [
	...[201, 202, 203, 205, 206, 207, 208, 209, 210, 212, 213, 215, 216, 217, 218, 219, 224],
	...[225, 228, 229, 231, 234, 239, 240, 248, 251, 252, 253, 254, 256, 260, 262, 267, 269, 270],
	...[301, 302, 303, 304, 305, 307, 308, 309, 310, 314, 315, 316, 318, 319, 320],
];
const PER_AREA = 90;

/** Loads that no other test has. Of ten, one has no number that can be called, and one has a number on the list. */
function newLoads(count: number): Load[] {
	return Array.from({ length: count }, (_, nth) => {
		const unique = lastLoad++;
		const line = String(unique % PER_AREA).padStart(2, '0');
		const phone = `+1${AREAS[Math.floor(unique / PER_AREA)]}55501${line}`;
		const number = String(80_000 + unique);
		return { number, phone: nth % 10 === 7 ? 'none' : phone, isListed: nth % 10 === 3 };
	});
}

async function add({ input, row }: Caller, loads: Load[]): Promise<void> {
	const listed = loads.filter(({ isListed }) => isListed).map(({ phone }) => ({ phone }));
	await environment.session.addDataTableRows('do_not_call', listed);
	await environment.session.addDataTableRows(input, loads.map(row));
}

async function run(workflow: string, trigger: string): Promise<void> {
	const id = await environment.start(workflow, trigger);
	expect([workflow, await environment.waitForEnd(id, { finishCalls: false })]).toEqual([
		workflow,
		'success',
	]);
}

/** The ladder calls 500 loads three times, which takes three minutes on a machine that does nothing else. */
const RUNS_MS = 10 * 60_000;

/** Runs a caller until all of these loads have ended. */
async function runUntilEnded(caller: Caller, loads: Load[]): Promise<void> {
	await waitUntil(
		`the end of the loads of ${caller.workflow}`,
		async () => {
			const states = await statesOf(caller);
			const isOpen = (state: string) => OPEN.includes(state);
			if (loads.every(({ number }) => states.get(number)?.some(isOpen) === false)) return true;
			for (const trigger of caller.runs) await run(caller.workflow, trigger);
			return false;
		},
		RUNS_MS,
	);
}

async function statesOf({ output, state }: Caller): Promise<Map<string, string[]>> {
	const states = new Map<string, string[]>();
	for (const row of await environment.rows(output, undefined, 3000)) {
		const number = textIn(row, 'loadNumber');
		states.set(number, [...(states.get(number) ?? []), textIn(row, state)]);
	}
	return states;
}

/** What is wrong with how loads ended, by load. `mayHaveRung`: n8n was killed, and a person was told so. */
async function wrongEnds(caller: Caller, loads: Load[], mayHaveRung = false): Promise<unknown[]> {
	const states = await statesOf(caller);
	const rows = await environment.rows(caller.output, undefined, 3000);
	const desk = await environment.rows('calls_to_make_by_hand', undefined, 3000);
	const dialed = environment.sandbox.ledger.dialed().map(({ toPhone }) => toPhone);
	return loads.flatMap(({ number, phone, isListed }) => {
		const calls = dialed.filter((one) => one === phone).length;
		const asked = desk.filter(({ loadNumber }) => loadNumber === number);
		const inDoubt =
			mayHaveRung && asked.length === 1 && /may have rung/.test(textIn(asked[0] ?? {}, 'advice'));
		const ends = states.get(number) ?? [];
		const isOnce = inDoubt ? calls <= 1 : calls + asked.length === 1;
		// Either a person is told why there is no call, or the load's own row says so.
		const told = [...asked, ...rows.filter(({ loadNumber }) => loadNumber === number)];
		const isTold = inDoubt || /do-not-call/i.test(JSON.stringify(told));
		const isLeftAlone = calls === 0 && asked.length <= 1 && isTold;
		const isRight =
			(isListed ? isLeftAlone : isOnce) && ends.length === 1 && !OPEN.includes(ends[0] ?? '');
		return isRight ? [] : [{ number, phone, calls, ends, asked }];
	});
}

/** The node that calls, at any hour and on any day; what is unconfirmed is looked up for a shorter time. */
function callAtAnyHour(workflow: string, call: string): JsonObject {
	const example = exampleWorkflows().find(({ id }) => id === workflow);
	const node = example?.nodes.find(({ name }) => name === call);
	const parameters = isRecord(node?.['parameters']) ? node['parameters'] : {};
	const rules: JsonObject = { ...Object(parameters['rules']), samePhonePause: 0 };
	delete rules['hours'];
	const options = { ...Object(parameters['options']), lookForLostAnswers: 3 };
	return { options, rules };
}

const variants: Variant[] = CALLERS.flatMap(({ workflow, call, leftOver }) => {
	const set = callAtAnyHour(workflow, call);
	const own = { of: workflow, node: call, set };
	if (leftOver === undefined) return [own];
	const [node, state] = leftOver;
	const filters = { conditions: [{ keyName: 'state', condition: 'eq', keyValue: state }] };
	const copy = { of: workflow, as: later(workflow) };
	return [own, { ...copy, node: call, set }, { ...copy, node, set: { filters } }];
});

/** Every caller in every situation. Kills n8n. */
export function testEveryLoad(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		const only = CALLERS.map(({ workflow }) => workflow);
		environment = await n8n.import(variants, { only });
	});
	afterAll(async () => await environment?.remove());
	beforeEach(() => environment.sandbox.faults.clear());

	it('of two files with the same loads, each load is called once, also while the first is being called', async () => {
		const caller = CALLERS.find(({ workflow }) => workflow === 'checkCallsFromAFile');
		if (caller === undefined) throw new Error('There is no such caller');
		const loads = newLoads(FEW_LOADS).filter(
			({ phone, isListed }) => phone !== 'none' && !isListed,
		);
		const fault = { kind: 'latency', ms: 300 } as const;
		environment.sandbox.faults.add({ endpoint: 'triggerCheckCall', fault, times: 'always' });
		const dialed = () => environment.sandbox.ledger.dialed().map(({ toPhone }) => toPhone);
		const before = dialed().length;
		await add(caller, loads);
		const first = run(caller.workflow, 'Every minute');
		await waitUntil('the first calls', () => dialed().length > before + 2);
		await add(caller, loads);
		await Promise.all([first, run(caller.workflow, 'Every minute')]);
		await runUntilEnded(caller, loads);
		expect(dialed().slice(before).sort()).toEqual(loads.map(({ phone }) => phone).sort());
		expect(await environment.rows('calls_to_make_by_hand', loads[0]?.number)).toEqual([]);
	});

	// The clock and the ladder have a kill of their own: detention-clock.mts, no-answer-ladder.mts.
	const killed = CALLERS.filter(
		({ workflow }) => !['detentionClock', 'noAnswerLadder'].includes(workflow),
	);

	it('all bring each load to one end when n8n is killed while they call', async () => {
		const { sandbox } = environment;
		const fault = { kind: 'latency', ms: 1000 } as const;
		for (const endpoint of PLACING) sandbox.faults.add({ endpoint, fault, times: 'always' });
		const given = new Map<Caller, Load[]>();
		for (const caller of killed) {
			const loads = newLoads(FEW_LOADS);
			given.set(caller, loads);
			await add(caller, loads);
			for (const trigger of caller.runs.slice(0, -1)) await run(caller.workflow, trigger);
		}
		const called = (loads: Load[]) => {
			const dialed = sandbox.ledger.dialed().map(({ toPhone }) => toPhone);
			return loads.filter(({ phone }) => dialed.includes(phone)).length;
		};
		const [fromTms] = killed.filter(({ workflow }) => workflow === CALLING_WORKFLOW);
		// In its first round, new events only begin to wait.
		if (fromTms !== undefined) await run(fromTms.workflow, String(fromTms.runs[0]));
		for (const { workflow, runs } of killed) await environment.start(workflow, String(runs.at(-1)));
		const begun = () => [...given.values()].filter((loads) => called(loads) > 1);
		await waitUntil('calls of most workflows', () => begun().length >= killed.length - 1);
		await environment.killAndRestart();
		sandbox.faults.clear();
		expect([...given.values()].map(called).some((calls) => calls < FEW_LOADS - 4)).toBe(true);

		for (const [caller, loads] of given) {
			if (caller.leftOver !== undefined) {
				await run(later(caller.workflow), String(caller.runs.at(-1)));
			}
			await runUntilEnded(caller, loads);
			expect([caller.workflow, await wrongEnds(caller, loads, true)]).toEqual([
				caller.workflow,
				[],
			]);
		}
	});

	describe.each(CALLERS)('$workflow', (caller) => {
		it('brings each load to one end while the service fails and loses responses', async () => {
			for (const endpoint of PLACING) {
				environment.sandbox.faults.add(
					{ endpoint, fault: { kind: 'status', status: 500 }, times: 3, skip: 2 },
					{ endpoint, fault: { kind: 'reset', when: 'after' }, times: 3, skip: 8 },
					{ endpoint, fault: { kind: 'status', status: 429 }, times: 3, skip: 14 },
				);
			}
			const loads = newLoads(FEW_LOADS);
			await add(caller, loads);
			await runUntilEnded(caller, loads);
			expect(await wrongEnds(caller, loads)).toEqual([]);
		});

		it('does nothing and succeeds when no load is left', async () => {
			const before = environment.sandbox.ledger.dialed().length;
			for (const trigger of caller.runs) await run(caller.workflow, trigger);
			expect(environment.sandbox.ledger.dialed()).toHaveLength(before);
		});

		const count = MANY.includes(caller.workflow) ? MANY_LOADS : FEW_LOADS;
		it(`brings ${count} loads to one end each in two runs at the same moment`, async () => {
			const loads = newLoads(count);
			await add(caller, loads);
			for (const trigger of caller.runs) {
				await Promise.all([run(caller.workflow, trigger), run(caller.workflow, trigger)]);
			}
			await runUntilEnded(caller, loads);
			expect(await wrongEnds(caller, loads)).toEqual([]);
		});
	});
}
