import { DateTime } from 'luxon';
import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import { TMS_KEY } from '../../../../playground/setup/import-examples.mts';
import { daytimeZone } from '../../../../sandbox/page/routes.mts';
import { type ExamplesEnvironment, postEvent } from '../support/examples-environment.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';

const WORKFLOW = 'callOnlyWhenNeeded';
const TABLE = 'loads_to_track';
const TRIPS = 1000;
const MINUTE = 60_000;
const dayZone = daytimeZone(new Date());

let environment: ExamplesEnvironment;

/** Numbers from 0 to 1, the same ones in each run (mulberry32). */
function numbersFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

interface Trip {
	row: JsonObject;
	/** Of what was drawn, not of what the row says. */
	isLate: boolean;
	isKnown: boolean;
	isFresh: boolean;
	hasPassed: boolean;
}

/** What a tracking app writes where a time should be. */
const NO_TIME = [
	...['', 'soon', '15:00', '3 PM', 'tomorrow', '11/24/2026 3:00 PM', 'null', '1763996400', '2026'],
];
const NO_ZONE = ['', 'Central', 'Mars/Base', 'America/Nowhere'];

function drawTrips(now: number): Trip[] {
	const next = numbersFrom(26);
	const from = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
	const one = (list: readonly string[]) => list[Math.floor(next() * list.length)] ?? '';
	const isRare = () => next() < 0.08;
	return Array.from({ length: TRIPS }, (_, nth) => {
		const hasZone = !isRare();
		const zone = hasZone ? dayZone : one(NO_ZONE);
		const appointment = now + from(-60, 600) * MINUTE;
		const eta = appointment + from(-180, 120) * MINUTE;
		const age = next() < 0.7 ? from(0, 40) : from(50, 600);
		const [knowsPing, knowsEta, knowsAppointment] = [!isRare(), !isRare(), !isRare()];
		const written = (ms: number, isKnown: boolean) => {
			if (!isKnown) return one(NO_TIME);
			const time = DateTime.fromMillis(ms, { zone: dayZone });
			const forms = ["yyyy-MM-dd'T'HH:mm", 'yyyy-MM-dd HH:mm', "yyyy-MM-dd'T'HH:mm:ssZZ"];
			return next() < 0.4 ? time.toUTC().toISO() : time.toFormat(one(forms));
		};
		// Whole minutes, as people and tracking apps write them.
		const minute = (ms: number) => Math.floor(ms / MINUTE) * MINUTE;
		const [etaMs, appointmentMs] = [minute(eta), minute(appointment)];
		const area = ['815', '312', '708', '214', '405', '318', '219', '630', '773', '847'][nth % 10];
		return {
			row: {
				...{ loadNumber: String(72_000 + nth), driverName: 'Luis Ortega', timeZone: zone },
				phone:
					nth % 100 === 9
						? 'none'
						: `+1${area}55501${String(Math.floor(nth / 10)).padStart(2, '0')}`,
				...{ nextStopIndex: '1', appointment: written(appointmentMs, knowsAppointment) },
				...{ eta: written(etaMs, knowsEta), pingAt: written(now - age * MINUTE, knowsPing) },
			},
			isLate: etaMs > appointmentMs,
			isKnown: hasZone && knowsPing && knowsEta && knowsAppointment,
			isFresh: age <= 40,
			hasPassed: etaMs < now,
		};
	});
}

const run = async () => {
	const id = await environment.start(WORKFLOW, 'Every 5 minutes');
	expect(await environment.waitForEnd(id, { finishCalls: false })).toBe('success');
};
const rowOf = async (load: string) => (await environment.rows(TABLE, load, 2000))[0];

/** Calls only where tracking can't answer. */
export function testCallOnlyWhenNeeded(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		environment = await n8n.import([], { only: [WORKFLOW] });
	});
	afterAll(async () => await environment?.remove());

	it('keeps what a ping says, forgets an ETA that it lacks, and ignores older pings', async () => {
		const url = await environment.publish(WORKFLOW);
		const headers = { [TMS_KEY.name]: TMS_KEY.value };
		const send = async (body: object) => await postEvent(url, body, headers);
		expect(await postEvent(url, { loadNumber: '71901' }, {})).toBe(403);
		const first = {
			...{ loadNumber: '71901', at: '2026-11-20T15:00:00Z', eta: '2026-11-20T18:00:00Z' },
			...{ phone: '(312) 555-0101', appointment: '2026-11-20T19:00', timeZone: dayZone },
		};
		expect(await send(first)).toBe(200);
		expect(await send({ loadNumber: '71901', at: '2026-11-20T14:00:00Z', eta: 'old' })).toBe(200);
		const { at, ...kept } = first;
		expect(await rowOf('71901')).toMatchObject({ ...kept, pingAt: at });
		expect(await send({ loadNumber: '71901', at: '2026-11-20T16:00:00Z' })).toBe(200);
		expect(await rowOf('71901')).toMatchObject({
			...kept,
			eta: '',
			pingAt: '2026-11-20T16:00:00Z',
		});
		expect(await send({ loadNumber: '71901', delivered: true })).toBe(200);
		expect(await send({ event: 'no load' })).toBe(200);
		await environment.session.deactivate(WORKFLOW);
		await run();
		expect(environment.dialed('71901')).toEqual([]);
	});

	it(`misses no late load of ${TRIPS}, calls no one who is on time, and brings each to one end`, async () => {
		const trips = drawTrips(Date.now());
		await environment.session.addDataTableRows(
			TABLE,
			trips.map(({ row }) => row),
		);
		await run();
		const rows = new Map(
			(await environment.rows(TABLE, undefined, 2000)).map((row) => [row['loadNumber'], row]),
		);
		const manual = await environment.rows('calls_to_make_by_hand', undefined, 2000);
		const wrong = trips.flatMap(({ row, isLate, isKnown, isFresh, hasPassed }) => {
			const load = String(row['loadNumber']);
			const calls = environment.dialed(load).length;
			const byHand = manual.filter(({ loadNumber }) => loadNumber === load).length;
			const { decision, reason } = rows.get(load) ?? {};
			const noCall = decision === 'no call' ? 1 : 0;
			// Without a zone of its own, the hours are those of the phone number.
			const waits = decision === 'waits for hours' && row['timeZone'] !== dayZone ? 1 : 0;
			const needsCall = isLate || !isKnown || !isFresh || hasPassed;
			const isRight = calls + byHand + noCall + waits === 1 && (noCall === 1) !== needsCall;
			return isRight && String(reason) !== ''
				? []
				: [{ ...row, decision, reason, needsCall, calls }];
		});
		expect(wrong).toEqual([]);
		const late = trips.filter(({ isLate }) => isLate);
		expect(late.length).toBeGreaterThan(300);
		expect(
			late.filter(({ row }) => rows.get(row['loadNumber'])?.['decision'] === 'no call'),
		).toEqual([]);
		expect(
			[...rows.values()].filter(({ decision }) => decision === 'no call').length,
		).toBeGreaterThan(100);
	});

	it('calls no one again five minutes later', async () => {
		await run();
		const loads = environment.sandbox.ledger.dialed().map(({ loadNumber }) => loadNumber);
		expect(new Set(loads).size).toBe(loads.length);
	});
}
