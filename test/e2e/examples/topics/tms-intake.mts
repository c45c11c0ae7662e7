import { TMS_KEY } from '../../../../playground/setup/import-examples.mts';
import {
	CALLING_WORKFLOW,
	INBOX_WORKFLOW,
	sampleEvent,
} from '../../../../playground/demo/sample-check-call.mts';
import { isGivenN8n } from '../../../../playground/n8n/choice.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import { setCalls } from '../support/calls-setting.mts';
import { postEvent, type ExamplesEnvironment } from '../support/examples-environment.mts';
import type { Variant } from '../support/examples-import.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';
import { CALLING_VARIANTS, whenHandled as whenHandledIn } from '../support/tms-events.mts';
import { alvys, augment, roseRocket, superDispatch } from '../support/tms-payloads.mts';

const KEY: Record<string, string> = { [TMS_KEY.name]: TMS_KEY.value };

let environment: ExamplesEnvironment;
let url: string;

const send = async (event: object, headers = KEY, to = url) => await postEvent(to, event, headers);

const whenHandled = async (load: string) => await whenHandledIn(environment, load);

/** Events of a TMS. */
export function testTmsIntake(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		const variants: Variant[] = [
			// What is left over is old after no time instead of 10 minutes.
			{
				of: CALLING_WORKFLOW,
				as: 'leftOver',
				node: 'Events left over',
				set: {
					filters: { conditions: [{ keyName: 'state', condition: 'eq', keyValue: 'taken' }] },
				},
			},
			{
				of: CALLING_WORKFLOW,
				as: 'readAgain',
				node: 'Read again what is left',
				set: {
					filters: {
						conditions: [
							{ keyName: 'state', condition: 'eq', keyValue: 'new' },
							{ keyName: 'action', condition: 'isEmpty' },
						],
					},
				},
			},
			...CALLING_VARIANTS,
		];
		environment = await n8n.import(variants, {
			only: [INBOX_WORKFLOW, CALLING_WORKFLOW, 'tmsPayloads'],
		});
		url = await environment.publish(INBOX_WORKFLOW, CALLING_WORKFLOW, 'tmsPayloads');
	});

	afterAll(async () => await environment?.remove());

	describe('TMS events in a real n8n', () => {
		it('are refused without the header, and with a wrong one', async () => {
			expect(await send(sampleEvent('48301'), {})).toBe(403);
			expect(await send(sampleEvent('48301'), { [TMS_KEY.name]: 'guess' })).toBe(403);
			expect(await environment.rows('tms_events')).toEqual([]);
		});

		it('place one call each when they are sent again and at the same moment', async () => {
			const event = sampleEvent('48302');
			const together = await Promise.all([send(event), send(event), send(event)]);
			await whenHandled('48302');
			expect([...together, await send(event)]).toEqual([200, 200, 200, 200]);
			await whenHandled('48302');
			expect(environment.dialed('48302')).toMatchObject([{ toPhone: '+18155550142' }]);
			// Copies that two rounds read at the same moment are rows of their own.
			const [first, ...copies] = await environment.rows('tms_events', '48302');
			const callId = String(environment.dialed('48302')[0]?.callId);
			expect(first).toMatchObject({ eventId: event.eventId, state: 'placed', callId });
			expect(copies.filter(({ state }) => state !== 'not needed')).toEqual([]);
		});

		it('without an ID are known by their content', async () => {
			const { eventId, ...event } = sampleEvent('48303');
			expect(eventId).not.toBe('');
			await send(event);
			await whenHandled('48303');
			await send(event);
			await whenHandled('48303');
			expect(environment.dialed('48303')).toHaveLength(1);
			const [first, copy] = await environment.rows('tms_events', '48303');
			expect(first).toMatchObject({
				...{ eventId: expect.stringMatching(/^[0-9a-f]{64}$/), state: 'placed' },
			});
			expect(copy).toMatchObject({ eventId: first?.['eventId'], state: 'not needed' });
		});

		it('go to a person, once, when the driver cannot be called', async () => {
			const driver = { name: 'Sam Ellis', phone: 'ask his dispatcher' };
			const event = { ...sampleEvent('48304'), driver };
			await send(event);
			await whenHandled('48304');
			await send(event);
			await whenHandled('48304');
			expect(await environment.rows('calls_to_make_by_hand', '48304')).toMatchObject([
				{ name: 'Sam Ellis', phone: 'ask his dispatcher', reference: event.eventId },
			]);
			expect(environment.dialed('48304')).toEqual([]);
		});

		it('wait for calling hours', async () => {
			const hour = new Date().getUTCHours();
			// Midnight to 1 AM there.
			const timeZone = `Etc/GMT${hour <= 12 ? `+${hour}` : `-${24 - hour}`}`;
			await send({ ...sampleEvent('48305'), timeZone });
			await waitUntil('the event to wait', async () => {
				const [row] = await environment.rows('tms_events', '48305');
				return row?.['state'] === 'waiting' && Boolean(row['reason']);
			});
			expect(environment.dialed('48305')).toEqual([]);
			expect(await environment.rows('calls_to_make_by_hand', '48305')).toEqual([]);
		});

		it('of a load that was canceled or delivered place no call, in any order', async () => {
			for (const [load, type] of [
				['48314', 'load.canceled'],
				['48315', 'load.delivered'],
			] as const) {
				const departed = sampleEvent(load);
				await send(departed);
				await send({
					...departed,
					eventId: `${load} end`,
					loadNumber: `Load #${load}`,
					event: type,
				});
			}
			for (const load of ['48314', '48315']) {
				await whenHandled(load);
				expect(environment.dialed(load)).toEqual([]);
				expect(await environment.rows('calls_to_make_by_hand', load)).toEqual([]);
			}
		});

		it('go to a person, once, when the driver asked not to be called or while calls are paused', async () => {
			const listed = '(708) 555-0177';
			await environment.session.addDataTableRows('do_not_call', [{ phone: listed }]);
			await send({ ...sampleEvent('48391'), driver: { name: 'Ana', phone: listed } });
			await whenHandled('48391');
			await setCalls(environment, CALLING_WORKFLOW, 'paused');
			await send({ ...sampleEvent('48392'), driver: { name: 'Ana', phone: '(708) 555-0178' } });
			await whenHandled('48392');
			await setCalls(environment, CALLING_WORKFLOW, 'live');
			for (const [load, reason] of [
				['48391', 'do-not-call'],
				['48392', 'Paused'],
			] as const) {
				expect(environment.dialed(load)).toEqual([]);
				expect(await environment.rows('tms_events', load)).toMatchObject([{ state: 'by hand' }]);
				expect(await environment.rows('calls_to_make_by_hand', load)).toMatchObject([
					{ reason: expect.stringContaining(reason) },
				]);
			}
		});

		it('of an end place no call in any spelling and from any system', async () => {
			const { id, data } = alvys;
			const ofAlvys = (loadNumber: string, status: string) => ({
				...alvys,
				id: `${id} ${loadNumber}`,
				data: { ...data, status, trip: { ...data.trip, loadNumber, status } },
			});
			const ofSuperDispatch = (number: number, action: string) => ({
				...superDispatch,
				...{
					action,
					guid: `550e8400 ${number}`,
					data: { id: number, status: action.split('.')[1] },
				},
			});
			const ends: [load: string, path: string | undefined, event: object][] = [
				['48393', undefined, { ...sampleEvent('48393'), event: 'load.cancelled' }],
				['1006331', 'alvys', ofAlvys('1006331', 'Cancelled')],
				['1006332', 'alvys', ofAlvys('1006332', 'Delivered')],
				['38093191', 'super-dispatch', ofSuperDispatch(38_093_191, 'order.canceled')],
				['38093192', 'super-dispatch', ofSuperDispatch(38_093_192, 'order.delivered')],
			];
			const phones = ends.map(([loadNumber]) => ({ loadNumber, phone: '(708) 555-0132' }));
			await environment.session.addDataTableRows('driver_phones', phones);
			for (const [, path, event] of ends) {
				const to = path === undefined ? url : url.replace(/[^/]+$/, path);
				await waitUntil('the webhook', async () => environment.session.webhookIsRegistered(to));
				expect(await send(event, KEY, to)).toBe(200);
			}
			for (const [load] of ends) {
				await whenHandled(load);
				expect([load, await environment.rows('tms_events', load)]).toMatchObject([
					load,
					[{ state: 'noted' }],
				]);
				expect(environment.dialed(load)).toEqual([]);
			}
		});

		it('that are not in event_types place no call, visibly', async () => {
			await send({ ...sampleEvent('48316'), event: 'invoice.paid' });
			await whenHandled('48316');
			expect(await environment.rows('tms_events', '48316')).toMatchObject([{ state: 'ignored' }]);
			expect(environment.dialed('48316')).toEqual([]);
		});

		it('know a load and a type in any spelling', async () => {
			const spelled = [
				...['load 48331', 'Load No. 48332', 'LD-48333', '048334', '48335.0', '#48336'],
			];
			for (const [index, loadNumber] of spelled.entries()) {
				const departed = { ...sampleEvent(`${48331 + index}`), event: 'Load_Departed' };
				await send({
					...departed,
					eventId: `${loadNumber} end`,
					event: 'Load Canceled',
					loadNumber,
				});
				await send(departed);
			}
			const driver = { name: 'Ana Ruiz', phone: '+13125550140' };
			await send({ ...sampleEvent('Load number 48337'), driver, event: 'LOAD DEPARTED' });
			await whenHandled('48337');
			for (let load = 48331; load <= 48336; load++) await whenHandled(`${load}`);
			const saved = await environment.rows('tms_events');
			for (let load = 48331; load <= 48336; load++) {
				const ofLoad = saved.filter(({ loadKey }) => loadKey === `${load}`);
				expect(ofLoad.map(({ event, state }) => `${event}: ${state}`)).toEqual([
					...['load.canceled: noted', 'load.departed: not needed'],
				]);
				expect(environment.dialed(`${load}`)).toEqual([]);
			}
			expect(environment.dialed('48337')).toMatchObject([{ loadNumber: '48337' }]);
		});

		it.each([
			['48341', '(312)\u00a0555\u20110141', '+13125550141'],
			['48342', '312-555-0142 #77', '+13125550142;ext=77'],
			['48343', 'cell ３１２ ５５５ ０１４３', '+13125550143'],
		])('for load %s ring the number typed as %s', async (load, phone, toPhone) => {
			await send({ ...sampleEvent(load), driver: { name: 'Ana Ruiz', phone } });
			await whenHandled(load);
			expect(environment.dialed(load)).toMatchObject([{ toPhone }]);
		});

		it('with a time zone that n8n does not know are called in the hours of the phone number', async () => {
			const driver = { name: 'Ana Ruiz', phone: '+13125550144' };
			await send({ ...sampleEvent('48344'), driver, timeZone: 'CST' });
			await whenHandled('48344');
			expect(environment.dialed('48344')).toHaveLength(1);
			expect(await environment.rows('calls_to_make_by_hand', '48344')).toEqual([]);
		});

		it('of two loads under one ID each go to a person', async () => {
			for (const load of ['48345', '48346'])
				await send({ ...sampleEvent(load), eventId: 'evt-shared', driver: undefined });
			for (const load of ['48345', '48346']) {
				await whenHandled(load);
				expect(await environment.rows('calls_to_make_by_hand', load)).toMatchObject([
					{ reference: 'evt-shared' },
				]);
			}
		});

		it('without a type, such as a list of events, go to a person in one entry a day', async () => {
			const { event, ...untyped } = sampleEvent('48347');
			expect(event).not.toBe('');
			expect([await send([sampleEvent('48348')]), await send(untyped)]).toEqual([200, 200]);
			await whenHandled('48347');
			await whenHandled('');
			const asked = await environment.rows('calls_to_make_by_hand');
			expect(asked.filter(({ reason }) => reason === 'Events came without a type')).toHaveLength(1);
			expect(environment.dialed('48347')).toEqual([]);
		});

		it('ring the new driver, also for a late event with the old phone', async () => {
			const departed = sampleEvent('48317');
			const driver = { name: 'Ana Ruiz', phone: 'cell (312) 555-0122' };
			await send({ ...departed, eventId: '48317 new', event: 'driver.reassigned', driver });
			await send(departed);
			await whenHandled('48317');
			expect(environment.dialed('48317')).toMatchObject([{ toPhone: '+13125550122' }]);
		});

		it('ring once when the response of the service is lost', async () => {
			environment.sandbox.faults.add({
				endpoint: 'triggerCheckCall',
				fault: { kind: 'reset', when: 'after' },
			});
			const event = sampleEvent('48306');
			await send(event);
			await whenHandled('48306');
			await send(event);
			await whenHandled('48306');
			expect(environment.dialed('48306')).toHaveLength(1);
			expect(await environment.rows('tms_events', '48306')).toMatchObject([
				{ state: 'reconciled' },
				{ state: 'not needed' },
			]);
		});

		it('take the phone number from driver_phones when the TMS sends none', async () => {
			await environment.session.addDataTableRows('driver_phones', [
				{ loadNumber: '48307', driverName: 'Ray Novak', phone: '(708) 555-0131' },
			]);
			await send({ ...sampleEvent('48307'), driver: undefined });
			await whenHandled('48307');
			expect(environment.dialed('48307')).toMatchObject([
				{ toPhone: '+17085550131', body: { driverName: 'Ray Novak' } },
			]);
		});

		it.each([
			['alvys', '1006321', 1, '+17085550131', alvys],
			['super-dispatch', '38093183', 1, '+12145550119', superDispatch],
		])('of %s are read as documented: load %s, stop %i', async (path, load, stop, phone, event) => {
			const to = url.replace(/[^/]+$/, path);
			await waitUntil('the webhook', async () => await environment.session.webhookIsRegistered(to));
			expect(await send(event, {}, to)).toBe(403);
			expect(await Promise.all([send(event, KEY, to), send(event, KEY, to)])).toEqual([200, 200]);
			await whenHandled(load);
			expect(await send(event, KEY, to)).toBe(200);
			await whenHandled(load);
			expect(environment.dialed(load)).toMatchObject([
				{ toPhone: phone, body: { nextStopIndex: stop } },
			]);
		});

		it.each([
			['rose-rocket', 'ORD-20418', roseRocket],
			['augment', '48310', augment],
		])(
			'of %s are saved, and ignored until event_types has their type',
			async (path, load, event) => {
				const to = url.replace(/[^/]+$/, path);
				await waitUntil(
					'the webhook',
					async () => await environment.session.webhookIsRegistered(to),
				);
				expect(await send(event, KEY, to)).toBe(200);
				await whenHandled(load);
				expect(await environment.rows('tms_events', load)).toMatchObject([{ state: 'ignored' }]);
				expect(environment.dialed(load)).toEqual([]);
			},
		);

		it('without their trip go to a person', async () => {
			const to = url.replace(/[^/]+$/, 'alvys');
			await send({ ...alvys, id: 'large', data: { ...alvys.data, trip: null } }, KEY, to);
			await whenHandled('');
			expect((await environment.rows('calls_to_make_by_hand')).at(-1)).toMatchObject({
				reference: 'large',
				reason: 'The event has no load number',
			});
		});

		it('of two loads without IDs each place their call', async () => {
			const to = url.replace(/[^/]+$/, 'alvys');
			const { id, ...unnamed } = alvys;
			expect(id).not.toBe('');
			const loads = ['1006341', '1006342'];
			await environment.session.addDataTableRows(
				'driver_phones',
				loads.map((loadNumber, nth) => ({ loadNumber, phone: `(708) 555-014${nth}` })),
			);
			for (const loadNumber of loads) {
				const trip = { ...alvys.data.trip, loadNumber };
				await send({ ...unnamed, data: { ...alvys.data, trip } }, KEY, to);
			}
			for (const load of loads) {
				await whenHandled(load);
				expect(environment.dialed(load)).toHaveLength(1);
			}
		});

		it('without load and ID go to a person one by one', async () => {
			const to = url.replace(/[^/]+$/, 'alvys');
			const { id, ...unnamed } = { ...alvys, data: { ...alvys.data, trip: null } };
			expect(id).not.toBe('');
			for (const timestamp of ['2026-05-04T15:00:00Z', '2026-05-04T16:00:00Z'])
				await send({ ...unnamed, timestamp }, KEY, to);
			await whenHandled('');
			const asked = (await environment.rows('calls_to_make_by_hand')).slice(-2);
			expect(asked.map(({ reference }) => reference)).toEqual([
				expect.stringMatching(/^[0-9a-f]{64}$/),
				expect.stringMatching(/^[0-9a-f]{64}$/),
			]);
			expect(new Set(asked.map(({ reference }) => reference)).size).toBe(2);
		});

		// The workflow is run by hand, which only the editor's API does.
		if (isGivenN8n()) return;
		it('are read again, and ring once, when n8n stopped while it read them', async () => {
			await environment.session.addDataTableRows('tms_events', [
				{
					...{ eventId: 'evt-half-read', event: 'load.departed', loadNumber: '48318' },
					...{ nextStopIndex: '1', phone: '+12085550168', state: 'new' },
				},
			]);
			const execution = await environment.start('readAgain', 'Every 30 seconds');
			expect(await environment.waitForEnd(execution)).toBe('success');
			await whenHandled('48318');
			expect(environment.dialed('48318')).toMatchObject([{ toPhone: '+12085550168' }]);
			expect(await environment.rows('tms_events', '48318')).toMatchObject([{ state: 'placed' }]);
		});

		it('go to a person when n8n stopped in the middle, and are not called again', async () => {
			const eventId = 'evt-left-over';
			await environment.session.addDataTableRows('tms_events', [
				{ eventId, loadNumber: '48308', loadKey: '48308', driverName: 'Ana Ruiz', state: 'taken' },
			]);
			const left = { state: 'taken', eventId };
			expect(await environment.rows('tms_events', '48308')).toMatchObject([left]);
			const execution = await environment.start('leftOver', 'Every 30 seconds');
			expect(await environment.waitForEnd(execution)).toBe('success');
			expect(await environment.rows('calls_to_make_by_hand', '48308')).toMatchObject([
				{ name: 'Ana Ruiz', advice: expect.stringContaining('may have rung'), reference: eventId },
			]);
			expect(environment.dialed('48308')).toEqual([]);
		});
	});
}
