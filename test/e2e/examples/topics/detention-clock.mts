import { sampleEvent } from '../../../../playground/demo/sample-check-call.mts';
import { TMS_KEY } from '../../../../playground/setup/import-examples.mts';
import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import { postEvent, type ExamplesEnvironment } from '../support/examples-environment.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';
import { age } from '../support/older-rows.mts';

const CLOCK = 'detentionClock';
const TABLE = 'detention_clocks';
/** Free time is two hours, and the call is due 15 minutes before its end. */
const DUE_AFTER_MS = 105 * 60_000;
const HOUR_MS = 3_600_000;
/** The sandbox's number that nobody answers. */
const UNANSWERED = '+13125550190';

let environment: ExamplesEnvironment;
let url: string;

/** An arrival whose call is due in this many milliseconds. */
function arrival(loadNumber: string, dueInMs = 0) {
	const at = new Date(Date.now() + dueInMs - DUE_AFTER_MS).toISOString();
	const { timeZone, driver } = sampleEvent(loadNumber);
	return { event: 'arrived', loadNumber, stopIndex: 1, at, freeMinutes: 120, timeZone, driver };
}

const report = async (event: object) =>
	await postEvent(url, event, { [TMS_KEY.name]: TMS_KEY.value });
const statesOf = async (load: string) =>
	(await environment.rows(TABLE, load, 500)).map(({ state }) => state);
/** Until no event of the load is new or waits, but for its departures. */
async function ended(load: string, ...states: string[]): Promise<void> {
	await waitUntil(`load ${load} to be ${states.join(', ')}`, async () => {
		if (environment.dialed(load).length > 0) await environment.sandbox.finishCalls();
		return (await statesOf(load)).toSorted().join() === states.toSorted().join();
	});
}
const evidenceOf = async (load: string) => await environment.rows('detention_evidence', load);
const manualCallsOf = async (load: string) => await environment.rows('calls_to_make_by_hand', load);

/** The detention clock. Kills n8n. */
export function testDetentionClock(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		const leftOver = [{ keyName: 'state', condition: 'eq', keyValue: 'calling' }];
		environment = await n8n.import(
			[
				{
					...{ of: CLOCK, node: 'Every minute' },
					set: { rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] } },
				},
				// What n8n left over counts as left over at once.
				{
					...{ of: CLOCK, as: 'later', node: 'Calls left over' },
					set: { filters: { conditions: leftOver } },
				},
			],
			{ only: [CLOCK] },
		);
		url = await environment.publish(CLOCK);
	});

	afterAll(async () => await environment?.remove());

	describe('the detention clock in a real n8n', () => {
		it('calls once for an arrival that is sent three times, and saves the evidence', async () => {
			expect(await postEvent(url, arrival('48401'), {})).toBe(403);
			expect(await environment.rows(TABLE)).toEqual([]);
			const event = arrival('48402', 4_000);
			expect(await Promise.all([report(event), report(event), report(event)])).toEqual([
				200, 200, 200,
			]);
			await ended('48402', 'done', 'reported before', 'reported before');
			const [call] = environment.dialed('48402');
			expect(environment.dialed('48402')).toMatchObject([{ body: { waitingAtFacility: true } }]);
			expect(Date.parse(String(call?.at))).toBeGreaterThanOrEqual(
				Date.parse(event.at) + DUE_AFTER_MS,
			);
			const leftAt = new Date().toISOString();
			await report({ ...event, event: 'departed', at: leftAt });
			await waitUntil('the departure', async () =>
				(await evidenceOf('48402')).some(({ departedAt }) => departedAt !== null),
			);
			expect(await evidenceOf('48402')).toMatchObject([
				{
					...{ arrivedAt: event.at, departedAt: leftAt, calledAt: call?.at },
					...{ callId: String(call?.callId), phone: '+18155550142', outcome: 'reached' },
					freeTimeEndsAt: new Date(Date.parse(event.at) + 120 * 60_000).toISOString(),
					summary: expect.stringContaining('checked in'),
					transcript: expect.stringContaining('Agent'),
					recordingUrl: expect.stringContaining(String(call?.callId)),
				},
			]);
			expect(await manualCallsOf('48402')).toEqual([]);
		});

		it('starts a clock for arrivals only, and places no call when the truck has left', async () => {
			const words = ['load.eta_updated', 'not arrived', 'arrival scheduled', 'load.cancelled'];
			for (const event of words) await report({ ...arrival('48403'), event });
			await ended('48403', ...words.map(() => 'ignored'));
			const gone = ['left', 'Truck departed', 'driver.released'];
			for (const [nth, event] of gone.entries()) {
				const load = `4841${nth}`;
				// Also when the TMS sends the departure first.
				if (nth === 2) await report({ ...arrival(load), event, at: new Date().toISOString() });
				await report({ ...arrival(load, 3_000), event: 'Driver checked-in' });
				if (nth < 2) await report({ ...arrival(load), event, at: new Date().toISOString() });
				await ended(load, 'departed', 'departed');
				expect(environment.dialed(load)).toEqual([]);
			}
			expect(environment.dialed('48403')).toEqual([]);
			expect(await manualCallsOf('48403')).toEqual([]);
		});

		it('gives an arrival that is too old, or without time or stop, to a person', async () => {
			const noTime = { ...arrival('48421'), at: undefined };
			const noStop = { ...arrival('48422'), stopIndex: undefined };
			const old = new Date(Date.now() - 30 * HOUR_MS).toISOString();
			await report({ ...arrival('48420'), at: old });
			await report(noTime);
			await report({ ...noStop, eventId: 'evt-1' });
			await report({ ...noStop, eventId: 'evt-2', location: 'the second stop' });
			const reasons = { 48420: 'more than 12 hours', 48421: 'no a date', 48422: 'a stop' };
			await ended('48420', 'by hand');
			await ended('48421', 'by hand');
			await ended('48422', 'by hand', 'by hand');
			for (const [load, reason] of Object.entries(reasons)) {
				const count = load === '48422' ? 2 : 1;
				expect(await manualCallsOf(load)).toMatchObject(
					Array.from({ length: count }, () => ({ reason: expect.stringContaining(reason) })),
				);
				expect(environment.dialed(load)).toEqual([]);
			}
		});

		it("reads a time without offset in the event's time zone, or asks a person", async () => {
			const zones = ['Asia/Tokyo', 'America/Los_Angeles'];
			for (const [nth, timeZone] of zones.entries()) {
				const load = `4843${nth}`;
				const event = arrival(load, HOUR_MS);
				// "2026-11-20 10:00:00"
				const at = new Date(event.at).toLocaleString('sv', { timeZone });
				await report({ ...event, timeZone, at });
				await ended(load, 'waiting');
				const [clock] = await environment.rows(TABLE, load);
				expect(clock?.['arrivedAt']).toBe(`${event.at.slice(0, 19)}.000Z`);
			}
			await report({ ...arrival('48432'), timeZone: 'Central', at: '2026-11-20T10:00' });
			await ended('48432', 'by hand');
		});

		it('has a call that no one answered in the evidence, and asks a person', async () => {
			const driver = { name: 'Sam Ellis', phone: UNANSWERED };
			await report({ ...arrival('48440'), driver });
			await ended('48440', 'by hand');
			const [evidence] = await evidenceOf('48440');
			expect(['noAnswer', 'voicemail', 'failed']).toContain(evidence?.['outcome']);
			expect(await manualCallsOf('48440')).toMatchObject([
				{ name: 'Sam Ellis', reason: expect.stringContaining(String(evidence?.['outcome'])) },
			]);
		});

		it('asks a person for what is not called: a bad number, an opt-out, a clock of last week', async () => {
			const old = new Date(Date.now() - 170 * HOUR_MS).toISOString();
			const clock: JsonObject = {
				...{ event: 'arrived', meaning: 'arrived', clockId: '48452 stop 1', state: 'waiting' },
				...{ loadNumber: '48452', nextStopIndex: '1', phone: '+18155550142' },
				...{ arrivedAt: old, freeTimeEndsAt: old, callAt: old },
			};
			await environment.session.addDataTableRows('do_not_call', [{ phone: '+17085550177' }]);
			await environment.session.addDataTableRows(TABLE, [{ ...clock, state: 'later' }]);
			await age(environment, TABLE, '48452', 7);
			await environment.session.updateDataTableRows(TABLE, 'loadNumber', '48452', {
				state: 'waiting',
			});
			await report({ ...arrival('48450'), driver: { name: 'Ana', phone: 'at the gate' } });
			await report({ ...arrival('48451'), driver: { name: 'Ana', phone: '(708) 555-0177' } });
			for (const [load, reason] of [
				['48450', 'No phone rang'],
				['48451', 'do-not-call'],
				['48452', 'more than 12 hours ago'],
			] as const) {
				await ended(load, 'by hand');
				expect(await manualCallsOf(load)).toMatchObject([
					{ reason: expect.stringContaining(reason) },
				]);
				expect(environment.dialed(load)).toEqual([]);
			}
		});

		it('asks a person once, and calls once, when n8n is killed in the middle of the call', async () => {
			const { sandbox } = environment;
			const fault = { kind: 'latency', ms: 20_000 } as const;
			sandbox.faults.add({ endpoint: 'triggerCheckCall', fault, times: 'always' });
			await report(arrival('48460', 3_600_000));
			await report(arrival('48461'));
			await waitUntil('the call', async () => (await statesOf('48461')).includes('calling'));
			await environment.killAndRestart();
			sandbox.faults.clear();
			for (let run = 0; run < 2; run++) {
				const execution = await environment.start('later', 'Every minute');
				expect(await environment.waitForEnd(execution)).toBe('success');
			}
			await ended('48461', 'by hand');
			expect(await manualCallsOf('48461')).toMatchObject([
				{ phone: '+18155550142', advice: expect.stringContaining('may have rung') },
			]);
			expect(environment.dialed('48461').length).toBeLessThanOrEqual(1);
			expect(await statesOf('48460')).toEqual(['waiting']);
		});
	});
}
