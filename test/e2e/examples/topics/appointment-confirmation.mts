import { DateTime } from 'luxon';
import { exampleWorkflows } from '../../../../playground/demo/examples.mts';
import { isRecord, type JsonObject } from '../../../../playground/n8n/rest.mts';
import { daytimeZone } from '../../../../sandbox/page/routes.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';

const WORKFLOW = 'appointmentConfirmation';
const TABLE = 'confirmations';
const timeZone = daytimeZone(new Date());

let environment: ExamplesEnvironment;

/** The example's rules on every day of the week, so that the tests call on any day. */
function everyDay(): JsonObject {
	const example = exampleWorkflows().find(({ id }) => id === WORKFLOW);
	const node = example?.nodes.find(({ name }) => name === 'Call the facility');
	const parameters = isRecord(node?.['parameters']) ? node['parameters'] : {};
	const rules = isRecord(parameters['rules']) ? parameters['rules'] : {};
	const weekend = ['saturday', 'sunday'];
	const { range } = Object(rules['hours']);
	const days = [range.days, weekend].flat();
	return { rules: { ...rules, hours: { range: { ...range, days } } } };
}

const run = async (workflow = WORKFLOW) => {
	for (const trigger of ['Every 5 minutes', 'Every minute']) {
		const id = await environment.start(workflow, trigger);
		expect(await environment.waitForEnd(id, { finishCalls: false })).toBe('success');
	}
};
const inDays = (days: number) =>
	DateTime.now().setZone(timeZone).plus({ days }).toFormat("yyyy-MM-dd'T'09:00");
const appointment = (loadNumber: string, more: JsonObject = {}) => ({
	...{ loadNumber, facility: `Dock ${loadNumber}`, phone: '(815) 555-0107', timeZone },
	...{ opens: '00:00', closes: '24:00', appointment: inDays(1), ...more },
});
const add = async (table: string, ...rows: JsonObject[]) =>
	await environment.session.addDataTableRows(table, rows);
const rowOf = async (load: string) => (await environment.rows(TABLE, load, 1000))[0] ?? {};
const desk = async (load: string) => await environment.rows('calls_to_make_by_hand', load, 1000);
const calls = () => environment.sandbox.ledger.dialed();

/** Facilities say yes, no or a new time. */
export function testAppointmentConfirmation(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		const rules = { of: WORKFLOW, node: 'Call the facility', set: everyDay };
		environment = await n8n.import([rules], { only: [WORKFLOW] });
	});
	afterAll(async () => await environment?.remove());

	it('places no call without appointments', async () => {
		await run();
		expect(calls()).toEqual([]);
	});

	it('calls the day before in the hours of the facility, once', async () => {
		const closed = DateTime.now().setZone(timeZone).plus({ hours: 2 }).toFormat('HH:00');
		const later = DateTime.now().setZone(timeZone).plus({ hours: 3 }).toFormat('HH:00');
		await add(
			TABLE,
			appointment('74001'),
			appointment('74002', { appointment: inDays(6), phone: '(815) 555-0108' }),
			appointment('74003', { opens: closed, closes: later, phone: '(815) 555-0109' }),
		);
		await run();
		await run();
		expect(calls()).toMatchObject([
			{ toPhone: '+18155550107', agentId: 'appointment-confirmation' },
		]);
		expect(await rowOf('74001')).toMatchObject({
			state: 'asked',
			callId: String(calls()[0]?.callId),
		});
		expect(await rowOf('74002')).toMatchObject({ state: 'waiting', callId: null });
		expect(await rowOf('74003')).toMatchObject({
			state: 'waiting',
			reason: expect.stringContaining('outside'),
		});
	});

	it('gives to a person what has no readable time, has passed, or can not be called', async () => {
		await add('do_not_call', { phone: '815.555.0111' });
		await add(
			TABLE,
			appointment('74011', { appointment: 'Thursday at 9' }),
			appointment('74012', { timeZone: 'Central' }),
			appointment('74013', { appointment: inDays(-1) }),
			appointment('74014', { phone: 'at the gate' }),
			appointment('74015', { phone: '(815) 555-0111' }),
		);
		await run();
		await run();
		for (const load of ['74011', '74012', '74013', '74014', '74015']) {
			expect(await desk(load)).toHaveLength(1);
			expect(await rowOf(load)).toMatchObject({ state: 'by hand' });
		}
		expect(calls()).toHaveLength(1);
	});

	it('saves a yes, and gives a no, a new time and what is not clear to a person', async () => {
		const answers: Array<[string, string, JsonObject, string]> = [
			['74021', 'yes', { outcome: 'reached', extracted: '{"confirmed":true}' }, 'confirmed'],
			['74022', 'no', { outcome: 'reached', extracted: '{"confirmed":"No"}' }, 'by hand'],
			[
				...(['74023', 'new time'] as const),
				{ outcome: 'reached', extracted: '{"confirmed":true,"newTime":"Friday 2 PM"}' },
				'by hand',
			],
			['74024', 'not clear', { outcome: 'reached', summary: 'He will look' }, 'by hand'],
			[
				'74025',
				'not reached',
				{ outcome: 'voicemail', extracted: '{"confirmed":true}' },
				'by hand',
			],
		];
		await add(
			TABLE,
			...answers.map(([load], nth) => appointment(load, { phone: `(708) 555-012${nth}` })),
		);
		await run();
		for (const [load, , outcome] of answers) {
			await add('call_outcomes', { ...outcome, callId: (await rowOf(load))['callId'] });
		}
		await run();
		await run();
		for (const [load, answer, , state] of answers) {
			expect(await rowOf(load)).toMatchObject({ answer, state });
			expect(await desk(load)).toHaveLength(state === 'confirmed' ? 0 : 1);
		}
		expect(await desk('74023')).toMatchObject([{ reason: expect.stringContaining('Friday 2 PM') }]);
		expect(await desk('74024')).toMatchObject([{ advice: 'He will look' }]);
	});

	it('brings 200 appointments to one end each', async () => {
		const loads = Array.from({ length: 200 }, (_, nth) => String(75_000 + nth));
		const areas = ['214', '405', '318', '219'];
		await add(
			TABLE,
			...loads.map((load, nth) => {
				const phone =
					nth % 20 === 3
						? 'none'
						: `+1${areas[nth % 4]}55501${String(Math.floor(nth / 4)).padStart(2, '0')}`;
				return appointment(load, { phone });
			}),
		);
		const before = calls().length;
		await Promise.all([run(), run()]);
		const rows = await environment.rows(TABLE, undefined, 1000);
		const ends = await environment.rows('calls_to_make_by_hand', undefined, 1000);
		for (const load of loads) {
			const { state, callId } = rows.find(({ loadNumber }) => loadNumber === load) ?? {};
			const byHand = ends.filter(({ loadNumber }) => loadNumber === load).length;
			expect([load, byHand, state, Boolean(callId)]).toEqual([
				load,
				byHand,
				byHand === 1 ? 'by hand' : 'asked',
				byHand === 0,
			]);
		}
		expect(calls()).toHaveLength(before + 190);
	});

	it('adds a sample to try it with', async () => {
		await environment.run(WORKFLOW);
		expect(await rowOf('48213')).toMatchObject({ facility: 'Joliet Cold Storage' });
	});
}
