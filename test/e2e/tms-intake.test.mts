import { TMS_KEY } from '../../playground/setup/import-examples.mts';
import {
	productionWebhookUrl,
	waitUntilRegistered,
} from '../../playground/n8n/production-webhook.mts';
import { CALLING_WORKFLOW, sampleEvent } from '../../playground/demo/sample-check-call.mts';
import { waitUntil } from '../support/wait-until.mts';
import {
	startExamplesEnvironment,
	type ExamplesEnvironment,
} from './support/examples-environment.mts';

const KEY = { [TMS_KEY.name]: TMS_KEY.value };

let environment: ExamplesEnvironment;
let url: string;

beforeAll(async () => {
	environment = await startExamplesEnvironment([
		// What is left over is old after no time instead of 20 minutes.
		{
			of: CALLING_WORKFLOW,
			as: 'leftOver',
			node: 'Events left over',
			set: {
				filters: {
					conditions: [
						{ keyName: 'state', condition: 'eq', keyValue: 'received' },
						{ keyName: 'createdAt', condition: 'lt', keyValue: '={{ $now.toISO() }}' },
					],
				},
			},
		},
	]);
	const { session } = environment;
	await session.activate(CALLING_WORKFLOW);
	const workflow = (await session.workflow(CALLING_WORKFLOW)) ?? {};
	url = productionWebhookUrl(session, workflow);
	await waitUntilRegistered(session, workflow, url);
});

afterAll(async () => await environment?.close());

const dialed = (load: string) =>
	environment.sandbox.ledger.dialed().filter(({ loadNumber }) => loadNumber === load);

async function send(event: object, headers: Record<string, string> = KEY): Promise<number> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(event),
	});
	await response.arrayBuffer();
	return response.status;
}

const rowsOf = async (table: string, load: string) =>
	(await environment.rows(table)).filter(({ loadNumber }) => loadNumber === load);

/** Waits until every event about a load has ended, and n8n runs nothing. */
async function whenHandled(load: string): Promise<void> {
	await waitUntil(`the end of the events about load ${load}`, async () => {
		const rows = await rowsOf('tms_events', load);
		const running = await environment.session.executions.newest(CALLING_WORKFLOW);
		return (
			rows.length > 0 &&
			rows.every(({ state }) => state !== 'received') &&
			running.every(({ status }) => !['new', 'running'].includes(String(status)))
		);
	});
}

describe('TMS events in a real n8n', () => {
	it('are refused without the header, and with a wrong one', async () => {
		expect(await send(sampleEvent('48301'), {})).toBe(403);
		expect(await send(sampleEvent('48301'), { [TMS_KEY.name]: 'guess' })).toBe(403);
		expect(await environment.rows('tms_events')).toEqual([]);
	});

	it('place one call each, however often and however close together they are sent', async () => {
		const event = sampleEvent('48302');
		const together = await Promise.all([send(event), send(event), send(event)]);
		await whenHandled('48302');
		expect([...together, await send(event)]).toEqual([200, 200, 200, 200]);
		await whenHandled('48302');
		expect(dialed('48302')).toMatchObject([{ toPhone: '+18155550142' }]);
		expect(await rowsOf('tms_events', '48302')).toMatchObject([
			{ eventId: event.eventId, state: 'placed', callId: String(dialed('48302')[0]?.callId) },
		]);
	});

	it('without an ID are told apart by event, load and stop', async () => {
		const { eventId, ...event } = sampleEvent('48303');
		expect(eventId).not.toBe('');
		await send(event);
		await send(event);
		await whenHandled('48303');
		expect(dialed('48303')).toHaveLength(1);
		expect(await rowsOf('tms_events', '48303')).toMatchObject([
			{ eventId: 'load.departed 48303 1', state: 'placed' },
		]);
	});

	it('go to a person, once, when the driver cannot be called', async () => {
		const driver = { name: 'Sam Ellis', phone: 'ask his dispatcher' };
		const event = { ...sampleEvent('48304'), driver };
		await send(event);
		await whenHandled('48304');
		await send(event);
		await whenHandled('48304');
		expect(await rowsOf('calls_to_make_by_hand', '48304')).toMatchObject([
			{ name: 'Sam Ellis', phone: 'ask his dispatcher', reference: event.eventId },
		]);
		expect(dialed('48304')).toEqual([]);
	});

	it('go to a person outside calling hours', async () => {
		const hour = new Date().getUTCHours();
		// Midnight to 1 AM there.
		const timeZone = `Etc/GMT${hour <= 12 ? `+${hour}` : `-${24 - hour}`}`;
		await send({ ...sampleEvent('48305'), timeZone });
		await whenHandled('48305');
		expect(await rowsOf('calls_to_make_by_hand', '48305')).toMatchObject([
			{ reason: expect.stringContaining('No phone rang') },
		]);
		expect(dialed('48305')).toEqual([]);
	});

	it('ring once when the service loses its answer', async () => {
		environment.sandbox.faults.add({
			endpoint: 'triggerCheckCall',
			fault: { kind: 'reset', when: 'after' },
		});
		const event = sampleEvent('48306');
		await send(event);
		await whenHandled('48306');
		await send(event);
		await whenHandled('48306');
		expect(dialed('48306')).toHaveLength(1);
		expect(await rowsOf('tms_events', '48306')).toMatchObject([{ state: 'reconciled' }]);
	});

	it('take the phone number from driver_phones when the TMS sends none', async () => {
		await environment.session.addDataTableRows('driver_phones', [
			{ loadNumber: '48307', driverName: 'Ray Novak', phone: '(708) 555-0131' },
		]);
		await send({ ...sampleEvent('48307'), driver: undefined });
		await whenHandled('48307');
		expect(dialed('48307')).toMatchObject([
			{ toPhone: '+17085550131', body: { driverName: 'Ray Novak' } },
		]);
	});

	it('go to a person when n8n stopped in the middle, and are not called again', async () => {
		const eventId = 'evt-left-over';
		await environment.session.addDataTableRows('tms_events', [
			{ eventId, loadNumber: '48308', driverName: 'Ana Ruiz', state: 'received' },
		]);
		const { session } = environment;
		for (let run = 0; run < 2; run++) {
			const execution = await environment.start('leftOver', 'Every 10 minutes');
			expect(await environment.waitForEnd(execution)).toBe('success');
		}
		await send({ ...sampleEvent('48308'), eventId });
		await whenHandled('48308');
		expect(await rowsOf('calls_to_make_by_hand', '48308')).toMatchObject([
			{ name: 'Ana Ruiz', advice: expect.stringContaining('may have rung'), reference: eventId },
		]);
		expect(dialed('48308')).toEqual([]);
		expect((await session.executions.newest(CALLING_WORKFLOW)).length).toBeGreaterThan(0);
	});
});
