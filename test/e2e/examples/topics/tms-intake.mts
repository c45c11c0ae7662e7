import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TMS_KEY } from '../../../../playground/setup/import-examples.mts';
import {
	CALLING_WORKFLOW,
	INBOX_WORKFLOW,
	sampleEvent,
} from '../../../../playground/demo/sample-check-call.mts';
import { exampleWorkflows } from '../../../../playground/demo/examples.mts';
import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import { daytimeZone } from '../../../../sandbox/page/routes.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import { postEvent, type ExamplesEnvironment } from '../support/examples-environment.mts';
import type { Variant } from '../support/examples-import.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';
import { type ImapMailbox, startImapMailbox } from '../support/imap-mailbox.mts';
import { excelFile } from '../support/spreadsheet.mts';

const EXPORTS = ['tmsExportToCheckCalls', 'tmsExportByEmail'];
const KEY: Record<string, string> = { [TMS_KEY.name]: TMS_KEY.value };

/** As documented, with made-up values (addresses in docs/jobs/tms-intake.md). */
const alvys = {
	...{ id: 'e1f0-1', type: 'trip.status.changed', timestamp: '2026-05-04T14:32:11.482Z' },
	version: 'v1',
	data: {
		...{ previousStatus: 'Dispatched', status: 'InTransit' },
		trip: {
			...{ id: '93d579d3', tripNumber: '1006321-1', loadNumber: '1006321', status: 'InTransit' },
			stops: [
				{
					...{ id: 's1', stopType: 'Pickup', address: { city: 'Joliet', state: 'IL' } },
					...{ arrivedAt: '2026-05-04T13:00:00Z', departedAt: '2026-05-04T14:30:00Z' },
				},
				{ id: 's2', stopType: 'Delivery', arrivedAt: null, departedAt: null },
			],
			driver1: { id: 'driver-7' },
		},
	},
};
const roseRocket = {
	...{ id: 'rr-1', type: 'Order Status Changed', refId: 'ORD-20418', ownerId: 'u1', orgId: 'o1' },
	...{ json: {}, createdAt: '2026-05-04T14:32:11.482Z', objectKey: 'order' },
};
const superDispatch = {
	...{ action: 'order.picked_up', guid: '550e8400-e29b-41d4-a716-446655440000' },
	...{
		occurred_at: '2026-05-04T14:30:00.000000+0000',
		data: { id: 38093183, status: 'picked_up' },
	},
};
const augment = {
	...{ loadNumber: '48310', brokerageLoadInternalId: 'b-1' },
	trackingEvent: {
		...{ nextSequence: 3, eventType: 'DELAYED', eventSource: 'MACROPOINT' },
		...{ eventUtc: '2026-05-04T14:32:11Z', city: 'Joliet', stateOrProvince: 'IL' },
		driver: { id: 'd1', name: 'Ray Novak', phone: '+12085550167', phoneExtension: '12' },
	},
};

const HEADER = ['Load', 'Next Stop', 'Driver', 'Driver Phone', 'Time Zone', 'Status'];

/** A row of an export, with the columns of the header. */
function exportRow(load: string) {
	const timeZone = String(sampleEvent(load).timeZone);
	return [load, '1', 'Ana Ruiz', `(312) 555-01${load.slice(-2)}`, timeZone, 'In transit'];
}

const csvFile = (...loads: string[]) =>
	Buffer.from([HEADER, ...loads.map(exportRow)].map((row) => row.join(',')).join('\n'));

const excelFileOf = (load: string) =>
	excelFile([Object.fromEntries(exportRow(load).map((value, nth) => [HEADER[nth], value]))]);

/** The example's calling rules, with another zone in place of the phone number's. */
function rulesInDaytime(): JsonObject {
	const example = exampleWorkflows().find(({ id }) => id === CALLING_WORKFLOW);
	const node = example?.nodes.find(({ name }) => name === 'Check call');
	const { rules } = Object(node?.['parameters']);
	const { range } = rules.hours;
	const zone = String(range.zone).replace("'phone'", `'${daytimeZone(new Date())}'`);
	return { rules: { ...rules, hours: { range: { ...range, zone } } } };
}

let environment: ExamplesEnvironment;
let mailbox: ImapMailbox;
let url: string;

const send = async (event: object, headers = KEY, to = url) => await postEvent(to, event, headers);

/** Waits until n8n runs nothing of a workflow. */
async function whenQuiet(id: string): Promise<void> {
	await waitUntil(`the end of what ${id} runs`, async () => {
		const newest = await environment.session.executions.newest(id);
		return newest.every(({ status }) => !['new', 'running'].includes(String(status)));
	});
}

const OPEN = ['', 'waiting', 'taken'];

/** Waits until every event about a load has ended. */
async function whenHandled(load: string): Promise<void> {
	await waitUntil(`the end of the events about load ${load}`, async () => {
		const inbox = await environment.rows('tms_inbox');
		const rows = await environment.rows('tms_events', load);
		return (
			inbox.length === 0 &&
			rows.length > 0 &&
			rows.every(({ state }) => !OPEN.includes(String(state ?? '')))
		);
	});
}

/** Events and exports of a TMS. */
export function testTmsIntake(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		mailbox = await startImapMailbox();
		const imap = { name: 'TMS export mailbox', type: 'imap', data: mailbox.credential };
		const variants: Variant[] = [
			{
				of: 'tmsExportToCheckCalls',
				node: 'Settings',
				set: {
					assignments: {
						assignments: [
							// n8n's home folder is its working directory here.
							{ id: 'files', name: 'files', type: 'string', value: '.n8n-files/tms/*.{csv,xlsx}' },
						],
					},
				},
			},
			// Where an event names no zone, so that the tests call at any time of day.
			{ of: CALLING_WORKFLOW, node: 'Check call', set: rulesInDaytime },
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
				node: 'Every 30 seconds',
				set: { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } },
			},
		];
		environment = await n8n.import(variants, {
			only: [INBOX_WORKFLOW, CALLING_WORKFLOW, 'tmsPayloads', ...EXPORTS],
			credentials: [imap],
		});
		url = await environment.publish(
			INBOX_WORKFLOW,
			CALLING_WORKFLOW,
			'tmsPayloads',
			'tmsExportByEmail',
		);
		await waitUntil('n8n to open the mailbox', () => mailbox.watching() > 0);
	});

	afterAll(async () => await environment?.remove());
	afterAll(async () => await mailbox?.close());

	describe('TMS events in a real n8n', () => {
		it('are refused without the header, and with a wrong one', async () => {
			expect(await send(sampleEvent('48301'), {})).toBe(403);
			expect(await send(sampleEvent('48301'), { [TMS_KEY.name]: 'guess' })).toBe(403);
			expect(await environment.rows('tms_events')).toEqual([]);
		});

		it('place one call each when they are sent again, at the same moment and later', async () => {
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
			await send(event);
			await whenHandled('48303');
			expect(environment.dialed('48303')).toHaveLength(1);
			expect(await environment.rows('tms_events', '48303')).toMatchObject([
				{ eventId: expect.stringMatching(/^[0-9a-f]{64}$/), state: 'placed' },
			]);
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

		it('of a load that was canceled or delivered place no call, in either order', async () => {
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

		it('that are not in event_types place no call, visibly', async () => {
			await send({ ...sampleEvent('48316'), event: 'invoice.paid' });
			await whenHandled('48316');
			expect(await environment.rows('tms_events', '48316')).toMatchObject([{ state: 'ignored' }]);
			expect(environment.dialed('48316')).toEqual([]);
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

		it('come from a CSV and an Excel export, too, each row once', async () => {
			const folder = join(environment.userFolder, '.n8n-files', 'tms');
			mkdirSync(folder, { recursive: true });
			writeFileSync(join(folder, '1.csv'), csvFile('48311', '48312'));
			writeFileSync(join(folder, '2.xlsx'), excelFileOf('48313'));
			await environment.run('tmsExportToCheckCalls');
			await environment.run('tmsExportToCheckCalls');
			for (const load of ['48311', '48312', '48313']) {
				await whenHandled(load);
				expect(environment.dialed(load)).toMatchObject([
					{ toPhone: `+131255501${load.slice(-2)}` },
				]);
			}
		});

		it('come by email, too, each row once, also if the email is sent again', async () => {
			const attachments = {
				'loads.csv': csvFile('48331', '48332'),
				'more.xlsx': excelFileOf('48333'),
			};
			const mail = { from: 'TMS <exports@tms.example>', subject: 'Loads in transit', attachments };
			for (let nth = 0; nth < 3; nth++) mailbox.put(mail);
			for (const load of ['48331', '48332', '48333']) await whenHandled(load);
			await waitUntil('all emails to be read', () => mailbox.seen() === 3);
			await whenQuiet('tmsExportByEmail');
			for (const load of ['48331', '48332', '48333']) {
				await whenHandled(load);
				expect(environment.dialed(load)).toMatchObject([
					{ toPhone: `+131255501${load.slice(-2)}` },
				]);
			}
		});

		it('by email from a stranger start nothing; without a readable export, they go to a person', async () => {
			const before = mailbox.seen();
			const stranger = 'exports@tms.example <somebody@elsewhere.example>';
			mailbox.put({ from: stranger, subject: 'x', attachments: { 'a.csv': csvFile('48334') } });
			const from = 'exports@tms.example';
			mailbox.put({
				from,
				subject: 'Report failed',
				attachments: { 'error.pdf': Buffer.from('no') },
			});
			const half = excelFileOf('48335').subarray(0, 4000);
			mailbox.put({ from, subject: 'Broken', attachments: { 'b.xlsx': half } });
			await waitUntil('the emails to be read', () => mailbox.seen() === before + 3);
			const asked = async () =>
				(await environment.rows('calls_to_make_by_hand')).filter(({ reference }) =>
					String(reference).startsWith('email'),
				);
			await waitUntil('the questions', async () => (await asked()).length >= 2);
			await whenQuiet('tmsExportByEmail');
			expect((await asked()).map(({ reason, advice }) => `${reason} / ${advice}`).sort()).toEqual([
				expect.stringMatching(/^An email from the TMS has no CSV or Excel file .*"Report failed"/),
				expect.stringMatching(/^An export from the TMS could not be read: .*"Broken"/),
			]);
			expect(environment.dialed('48334')).toEqual([]);
		});
	});
}
