import { exampleWorkflows } from '../../../../playground/demo/examples.mts';
import { isRecord, type JsonObject, recordsIn, textIn } from '../../../../playground/n8n/rest.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import { setCalls } from '../support/calls-setting.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import { type ExamplesN8n, ZONE } from '../support/examples-n8n.mts';

const LADDER = 'noAnswerLadder';
const TABLE = 'loads_to_reach';
/** `LADDER_LOADS=1000 npm run test:one -- examples/killed` */
const LOADS = Number(process.env['LADDER_LOADS'] ?? 45);
const ANSWERS = '+13125550121';
/** On the do-not-call list. */
const LISTED = '+13125550177';
/** The sandbox's numbers that nobody answers. */
const UNANSWERED = '+13125550190';

function parametersOf(name: string): JsonObject {
	const example = exampleWorkflows().find(({ id }) => id === LADDER);
	const node = example?.nodes.find((one) => one.name === name);
	return isRecord(node?.['parameters']) ? node['parameters'] : {};
}

/** The example's settings, with other values for some of them. */
function settings(values: Record<string, number | string>): JsonObject {
	const { assignments } = structuredClone(parametersOf('Settings')['assignments']) as {
		assignments: { name: string; value: unknown }[];
	};
	for (const one of assignments) one.value = values[one.name] ?? one.value;
	return { assignments: { assignments } };
}

let environment: ExamplesEnvironment;
let loads: JsonObject[];

/** The day as the workflow counts it. */
const today = () => new Date().toLocaleDateString('sv', { timeZone: ZONE });
const rows = async (): Promise<JsonObject[]> =>
	await environment.session.dataTableRows(TABLE, LOADS + 10);
const byHand = async (): Promise<JsonObject[]> =>
	await environment.session.dataTableRows('calls_to_make_by_hand', LOADS + 10);
const numberOf = (of: object): string => textIn(of, 'loadNumber');
const isOver = ({ state }: JsonObject) => state === 'reached' || state === 'by hand';

/**
 * Runs the ladder once as if the hour had passed after which a claimed load counts as left over: what
 * was claimed before this time.
 */
async function sweep(before: string): Promise<void> {
	const { session } = environment;
	const ladder = (await session.workflow(LADDER)) ?? {};
	const nodes = recordsIn(ladder, 'nodes').map((node) => {
		if (node['name'] !== 'Stopped while calling') return node;
		const conditions = [
			{ keyName: 'state', condition: 'eq', keyValue: 'calling' },
			{ keyName: 'updatedAt', condition: 'lt', keyValue: before },
		];
		return { ...node, parameters: { ...Object(node['parameters']), filters: { conditions } } };
	});
	const connections = Object(ladder['connections']);
	await session.createWorkflow({ id: 'sweep', name: 'Sweep', nodes, connections });
	await environment.waitForEnd(await environment.start('sweep'));
}

const whenOver = async (): Promise<void> =>
	await waitUntil(
		'the end of all loads',
		async () => {
			await environment.sandbox.finishCalls();
			return (await rows()).every(isOver);
		},
		Math.max(600_000, LOADS * 3_000),
	);

/** The no-answer ladder. Kills n8n. */
export function testNoAnswerLadder(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		environment = await n8n.import(
			[
				{
					of: LADDER,
					node: 'Settings',
					set: settings({
						...{ minutesBetweenTries: 0.03, loadsPerRun: 10 },
						...{ hoursFrom: '00:00', hoursTo: '24:00' },
					}),
				},
				{
					of: LADDER,
					node: 'Check call',
					// Here, two numbers stand for all drivers and dispatchers.
					set: {
						rules: {
							...Object(parametersOf('Check call')['rules']),
							...{ maxCallsPerNumber: 100, samePhonePause: 0 },
						},
					},
				},
				{
					of: LADDER,
					node: 'Every minute',
					set: { rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] } },
				},
			],
			{ only: [LADDER] },
		);
		loads = Array.from({ length: LOADS }, (_, nth) => ({
			...{ loadNumber: String(60_000 + nth), nextStopIndex: 1, driverName: 'Ana Ruiz' },
			driverPhone: nth % 3 === 0 ? ANSWERS : UNANSWERED,
			dispatcherPhone: nth % 3 === 1 ? ANSWERS : UNANSWERED,
		}));
		await environment.session.addDataTableRows(TABLE, loads);
	});

	describe('the no-answer ladder in a real n8n that is killed in the middle', () => {
		let doubtful: string[];

		it('ends each load once, and never places a call twice', async () => {
			const { session, sandbox } = environment;
			const before = (await rows()).length;
			sandbox.faults.add(
				{ endpoint: 'triggerCheckCall', fault: { kind: 'reset', when: 'after' }, skip: 3 },
				{ endpoint: 'triggerCheckCall', fault: { kind: 'latency', ms: 300 }, times: 'always' },
			);
			await session.activate(LADDER);
			await waitUntil('25 calls', () => sandbox.ledger.dialed().length >= 25);
			const killedAt = new Date().toISOString();
			await environment.killAndRestart();
			doubtful = (await rows())
				.filter(({ state, updatedAt }) => state === 'calling' && String(updatedAt) < killedAt)
				.map(({ loadNumber }) => String(loadNumber));
			await sweep(killedAt);
			await whenOver();

			const tries = sandbox.ledger
				.dialed()
				.map(({ loadNumber, metadata }) => `${loadNumber} ${metadata?.['step']}`);
			expect(new Set(tries).size).toBe(tries.length);
			const ended = await rows();
			expect(ended).toHaveLength(before);
			const left = ended.filter(({ state }) => state === 'by hand');
			expect((await byHand()).map(numberOf).sort()).toEqual(left.map(numberOf).sort());
		});

		it('hands over what the kill left in doubt, without calling again, and nothing else', async () => {
			expect(doubtful.length).toBeGreaterThan(0);
			for (const row of await rows()) {
				const { state, outcome, driverPhone, dispatcherPhone } = row;
				const doubt = doubtful.includes(numberOf(row));
				const unreached = driverPhone === UNANSWERED && dispatcherPhone === UNANSWERED;
				expect({ row, state }).toEqual({ row, state: doubt || unreached ? 'by hand' : 'reached' });
				expect([row, /may have rung/.test(String(outcome))]).toEqual([row, doubt]);
			}
		});

		it('calls the driver twice, then the dispatcher, and stops when someone answers', async () => {
			for (const { loadNumber, driverPhone, dispatcherPhone } of loads) {
				if (doubtful.includes(String(loadNumber))) continue;
				const called = environment.sandbox.ledger
					.dialed()
					.filter((call) => call.loadNumber === loadNumber)
					.map(({ toPhone, body }) => [toPhone, body['contactType']]);
				const driver = [driverPhone, 'driver'];
				const whole = [driver, driver, [dispatcherPhone, 'dispatcher']];
				expect(called).toEqual(driverPhone === ANSWERS ? [driver] : whole);
			}
		});

		it('calls no driver again who reported a breakdown', async () => {
			const { session, sandbox } = environment;
			const [callId] = sandbox.insert({
				...{ loadId: 'breakdown', toPhone: ANSWERS, tags: 'mechanical_failure' },
				summary: 'The truck broke down near Joliet. The driver waits for a mechanic.',
			});
			const calledAt = new Date(Date.now() - 3_600_000).toISOString();
			await session.addDataTableRows(TABLE, [
				{
					...{ ...loads[0], loadNumber: 'breakdown', state: 'called', step: 1 },
					...{ callId: String(callId), calledAt },
				},
			]);
			await whenOver();
			const dialed = sandbox.ledger.dialed().map(numberOf);
			expect(dialed).not.toContain('breakdown');
			const row = (await rows()).find((one) => numberOf(one) === 'breakdown');
			expect(row).toMatchObject({ state: 'reached' });
			expect((await byHand()).map(numberOf)).not.toContain('breakdown');
		});

		it('gives a load to a person, once, whose driver asked not to be called or while calls are paused', async () => {
			const { session, sandbox } = environment;
			const before = sandbox.ledger.dialed().length;
			await session.addDataTableRows('do_not_call', [{ phone: LISTED }]);
			await session.addDataTableRows(TABLE, [
				{ ...loads[0], loadNumber: 'listed', driverPhone: LISTED, dispatcherPhone: LISTED },
			]);
			await whenOver();
			await setCalls(environment, LADDER, 'paused');
			await session.addDataTableRows(TABLE, [{ ...loads[0], loadNumber: 'paused' }]);
			await whenOver();
			await setCalls(environment, LADDER, 'live');
			const asked = (await byHand()).filter((one) => ['listed', 'paused'].includes(numberOf(one)));
			expect(asked).toMatchObject([
				{ loadNumber: 'paused', reason: expect.stringContaining('Paused') },
				{ loadNumber: 'listed', reason: expect.stringContaining('do-not-call') },
			]);
			expect(sandbox.ledger.dialed()).toHaveLength(before);
		});

		it('calls no load more often than a day allows, and none whose call may still be in progress, also while the call list fails', async () => {
			const { session, sandbox } = environment;
			const fault = { kind: 'status', status: 500 } as const;
			sandbox.faults.add({ endpoint: 'listCalls', fault, times: 'always' });
			const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
			const odd: JsonObject[] = [
				{ ...loads[0], loadNumber: 'cap', callsDay: today(), callsToday: 3 },
				{
					...loads[0],
					loadNumber: 'open',
					state: 'called',
					step: 1,
					callId: '1',
					calledAt: hourAgo,
				},
				{ ...loads[0], loadNumber: 'no number', driverPhone: 'ask his dispatcher' },
			];
			await session.addDataTableRows(TABLE, odd);
			await whenOver();
			const handed = await byHand();
			const reasons = odd.map(
				(row) => handed.find((one) => numberOf(one) === numberOf(row))?.['reason'],
			);
			expect(reasons).toEqual([
				expect.stringContaining('as often today as Settings allow'),
				expect.stringContaining('may still be in progress'),
				expect.stringContaining('No phone rang'),
			]);
			const dialed = sandbox.ledger.dialed().map(numberOf);
			expect(odd.map(numberOf).filter((load) => dialed.includes(load))).toEqual([]);
		});
	});
}
