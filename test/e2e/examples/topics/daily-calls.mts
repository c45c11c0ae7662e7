import { exampleWorkflows } from '../../../../playground/demo/examples.mts';
import { isRecord, type JsonObject } from '../../../../playground/n8n/rest.mts';
import { daytimeZone } from '../../../../sandbox/page/routes.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import type { Variant } from '../support/examples-import.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';

const WORKFLOW = 'checkCallsDaily';
/** Copies whose waits are over, because a test can't wait for them. */
const OPEN = 'dailyCallsWhenOpen';
const LEFT_OVER = 'dailyCallsLeftOver';
const MORNING = 'Weekdays at 8';
const WORKER = 'Every minute';

const zone = daytimeZone(new Date());
/** A zone in which it is between midnight and 1 AM, and another that opens an hour later. */
const night = nightZone(new Date().getUTCHours());
const laterNight = nightZone((new Date().getUTCHours() + 1) % 24);

function nightZone(hour: number): string {
	return `Etc/GMT${hour <= 12 ? `+${hour}` : `-${24 - hour}`}`;
}

function load(loadNumber: string, driverPhone: string, timeZone = zone): JsonObject {
	return {
		loadNumber,
		driverName: `Driver ${loadNumber}`,
		driverPhone,
		nextStopIndex: 1,
		timeZone,
	};
}

/** The rules of the example's call node, in a zone where it is day. */
function rulesInDaytime(): JsonObject {
	const example = exampleWorkflows().find(({ id }) => id === WORKFLOW);
	const call = example?.nodes.find(({ name }) => name === 'Check call');
	const parameters = isRecord(call?.['parameters']) ? call['parameters'] : {};
	const rules = isRecord(parameters['rules']) ? parameters['rules'] : {};
	const { range } = Object(rules['hours']);
	return { rules: { ...rules, hours: { range: { ...range, zone } } } };
}

const stateIs = (state: string) => ({
	filters: { conditions: [{ keyName: 'state', condition: 'eq', keyValue: state }] },
});
const variants: Variant[] = [
	{ of: WORKFLOW, as: OPEN, node: 'Take what waits', set: stateIs('waiting') },
	{ of: WORKFLOW, as: OPEN, node: 'Check call', set: rulesInDaytime },
	{ of: WORKFLOW, as: LEFT_OVER, node: 'Left over', set: stateIs('taken') },
];

let environment: ExamplesEnvironment;

const dialed = () => environment.sandbox.ledger.dialed().map(({ loadNumber }) => loadNumber);
const rowsOf = async (number: string) => await environment.rows('daily_calls', number, 1000);
const desk = async (number: string) =>
	await environment.rows('calls_to_make_by_hand', number, 1000);
const addLoads = async (...loads: JsonObject[]) =>
	await environment.session.addDataTableRows('loads_in_transit', loads);

async function runFrom(trigger: string, workflow = WORKFLOW): Promise<string> {
	const execution = await environment.start(workflow, trigger);
	expect(await environment.waitForEnd(execution)).toBe('success');
	return execution;
}

/** The daily run. Removes what it imports. */
export function testDailyCalls(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		environment = await n8n.import(variants, { only: [WORKFLOW] });
		await environment.session.addDataTableRows('do_not_call', [{ phone: '312.555.0121' }]);
	});
	afterAll(async () => await environment?.remove());

	describe('the daily check calls in a real n8n', () => {
		it('show in a dry run who would be called, and place no call', async () => {
			await addLoads(
				load('60001', '(708) 555-0131'),
				load('60002', '(312) 555-0121'),
				load('60003', 'ask dispatch'),
				load('60004', '(708) 555-0134', night),
				load('60004', '(708) 555-0134', night),
				load('60005', '(708) 555-0135', laterNight),
				load('  ', '(708) 555-0139'),
			);
			const execution = await environment.start(WORKFLOW, 'Dry run');
			expect(await environment.waitForEnd(execution)).toBe('success');
			const shown = (await environment.outputItems(execution, 'What would happen')).map(
				({ json }) => Object(json),
			);
			const row = (number: string) => shown.find(({ loadNumber }) => loadNumber === number);
			const would = (number: string) => row(number).would;
			expect(row('60001')).toMatchObject({
				...{ driverName: 'Driver 60001', would: 'Would be called', why: 'No rule forbids it' },
			});
			expect(shown.filter(({ why }) => !why)).toEqual([]);
			expect(would('60002')).toBe('Would not be called');
			expect(would('60003')).toBe('A person would be asked');
			expect(would('60004')).toBe('Would be called later');
			expect(dialed()).toEqual([]);
			expect(await environment.rows('daily_calls')).toEqual([]);
		});

		it('call each load once a day in repeated and overlapping runs', async () => {
			await Promise.all([runFrom(MORNING), runFrom(MORNING)]);
			await Promise.all([runFrom(WORKER), runFrom(WORKER)]);
			await runFrom(MORNING);
			await runFrom(WORKER);
			expect(environment.dialed('60001')).toMatchObject([{ toPhone: '+17085550131' }]);
			expect(await rowsOf('60001')).toMatchObject([
				{ state: 'placed', callId: String(environment.dialed('60001')[0]?.callId) },
			]);
		});

		it('give a person, once, each load that cannot be called, and go on with the others', async () => {
			for (const [number, reason] of [
				['60002', 'do-not-call list'],
				['60003', 'To Phone'],
			] as const) {
				expect(await desk(number)).toMatchObject([
					{ name: `Driver ${number}`, reason: expect.stringContaining(reason) },
				]);
				expect(await rowsOf(number)).toMatchObject([{ state: 'by hand' }]);
				expect(environment.dialed(number)).toEqual([]);
			}
			const unnamed = (await environment.rows('calls_to_make_by_hand')).filter(({ reason }) =>
				String(reason).includes('has no load number'),
			);
			expect(unnamed).toMatchObject([{ name: 'Driver   ', phone: '(708) 555-0139' }]);
		});

		it('let each load wait for its own hours in the table, and call it then', async () => {
			const [[first], [second]] = [await rowsOf('60004'), await rowsOf('60005')];
			expect([first, second]).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }]);
			const opens = [first, second].map((row) => Date.parse(String(row?.['notBefore'])));
			expect(opens[0]).toBeGreaterThan(Date.now());
			expect(opens[1]).toBeGreaterThan(Number(opens[0]));
			await runFrom(WORKER);
			expect([...environment.dialed('60004'), ...environment.dialed('60005')]).toEqual([]);
			await runFrom(WORKER, OPEN);
			expect(environment.dialed('60004')).toHaveLength(1);
			expect(environment.dialed('60005')).toHaveLength(1);
		});

		it('do not call a load that was taken off the table while it waited', async () => {
			const row = { dayKey: 'today 60011', loadKey: '60011', loadNumber: '60011' };
			await environment.session.addDataTableRows('daily_calls', [row]);
			await runFrom(WORKER);
			expect(await rowsOf('60011')).toMatchObject([{ state: 'not needed' }]);
			expect(environment.dialed('60011')).toEqual([]);
		});

		it('give a person each load whose driver asked on the call not to be called again', async () => {
			const [called] = await rowsOf('60001');
			await environment.session.addDataTableRows('call_outcomes', [
				{ callId: called?.['callId'], phone: '+17085550131', optOut: true },
			]);
			await runFrom(WORKER);
			await runFrom(WORKER);
			expect(await desk('60001')).toMatchObject([
				{ phone: '+17085550131', reason: expect.stringContaining('not to be called again') },
			]);
		});

		it('give a person what n8n left over when it stopped', async () => {
			const row = { dayKey: 'today 60012', loadKey: '60012', loadNumber: '60012', state: 'taken' };
			await environment.session.addDataTableRows('daily_calls', [row]);
			await runFrom(WORKER, LEFT_OVER);
			expect(await desk('60012')).toMatchObject([
				{ advice: expect.stringContaining('may have rung') },
			]);
			expect(await rowsOf('60012')).toMatchObject([{ state: 'by hand' }]);
			expect(environment.dialed('60012')).toEqual([]);
		});
	});
}
