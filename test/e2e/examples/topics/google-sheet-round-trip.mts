import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { daytimeZone } from '../../../../sandbox/page/routes.mts';
import { GOOGLE_TOKEN, googleSheets, SPREADSHEET } from '../support/destinations/google-sheets.mts';
import { startServiceProxy, type ServiceProxy } from '../support/destinations/proxy.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import { setCalls } from '../support/calls-setting.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import type { Variant } from '../support/examples-import.mts';
import { ExamplesN8n } from '../support/examples-n8n.mts';

const WORKFLOW = 'checkCallsFromAGoogleSheet';
const COLUMNS = [
	...['Load', 'Customer', 'Next Stop', 'Driver', 'Driver Phone', 'Time Zone', 'Call', 'Result'],
	...['Called At', 'Call ID', 'Outcome', 'ETA', 'Late', 'Minutes Late', 'Summary'],
];
const zone = daytimeZone(new Date());
const row = (load: string, phone: string, call = 'yes', result = '', calledAt = '') => [
	...[load, 'Prairie Foods', '1', 'Luis Ortega', phone, zone, call, result, calledAt],
	...['', '', '', '', '', ''],
];

const sheet = googleSheets('Loads');
let proxy: ServiceProxy;
let n8n: ExamplesN8n;
let environment: ExamplesEnvironment;
const folder = mkdtempSync(join(tmpdir(), 'sheet-e2e-'));

const put = (...rows: string[][]) => {
	sheet.rows.splice(0, sheet.rows.length, COLUMNS, ...rows);
};
const cell = (load: string, column: string) =>
	sheet.rows.find(([first]) => first === load)?.[COLUMNS.indexOf(column)] ?? '';
const run = async () => {
	const id = await environment.start(WORKFLOW, 'Run now');
	expect(await environment.waitForEnd(id, { finishCalls: false })).toBe('success');
};
const desk = async (load?: string) => await environment.rows('calls_to_make_by_hand', load, 1000);

/** Loads of a Google Sheet, and back into the same rows. Has an n8n of its own, behind a proxy. */
export function testGoogleSheetRoundTrip(): void {
	beforeAll(async () => {
		proxy = await startServiceProxy([sheet.service]);
		const authority = join(folder, 'authority.pem');
		writeFileSync(authority, proxy.certificate);
		n8n = new ExamplesN8n(false, {
			...{ HTTPS_PROXY: proxy.url, NO_PROXY: '127.0.0.1,localhost' },
			NODE_EXTRA_CA_CERTS: authority,
		});
		await n8n.open();
		const google = {
			...{ name: 'Google Sheets account', type: 'googleSheetsOAuth2Api' },
			data: {
				...{ clientId: 'id', clientSecret: 'secret' },
				oauthTokenData: { access_token: GOOGLE_TOKEN, token_type: 'Bearer' },
			},
		};
		// Pasted once: the other nodes take the sheet from this one.
		const link = `https://docs.google.com/spreadsheets/d/${SPREADSHEET}/edit#gid=0`;
		const documentId = { __rl: true, mode: 'url', value: link };
		const variants: Variant[] = [{ of: WORKFLOW, node: 'Read the sheet', set: { documentId } }];
		environment = await n8n.import(variants, { only: [WORKFLOW], credentials: [google] });
	});
	afterAll(async () => await n8n?.close());
	afterAll(async () => await proxy?.close());
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	afterEach(() => {
		sheet.service.failing = undefined;
		expect(sheet.service.refused).toEqual([]);
	});

	it('does nothing with an empty sheet, and nothing with rows that no one marked', async () => {
		put();
		await run();
		put(row('70101', '(815) 555-0142', ''));
		await run();
		expect(cell('70101', 'Result')).toBe('');
		expect(environment.sandbox.ledger.dialed()).toEqual([]);
	});

	it('tests rows without a call, then calls each once, and writes result and outcome', async () => {
		put(row('70101', '(815) 555-0142', 'Test'), row('70102', 'ask dispatch', 'test'));
		await run();
		expect(cell('70101', 'Result')).toBe('Test: would be called');
		expect(cell('70102', 'Result')).toContain('Test: would not be called: ');
		expect(environment.sandbox.ledger.dialed()).toEqual([]);

		await environment.session.addDataTableRows('do_not_call', [{ phone: '312.555.0121' }]);
		put(
			row('70101', '(815) 555-0142', 'Yes', 'Test: would be called'),
			row('70102', 'ask dispatch'),
			row('70103', '(312) 555-0121'),
			row('70104', '(708) 555-0131', 'no'),
		);
		await Promise.all([run(), run()]);
		await run();
		expect(environment.sandbox.ledger.dialed()).toMatchObject([{ loadNumber: '70101' }]);
		const callId = String(environment.dialed('70101')[0]?.callId);
		expect(cell('70101', 'Call ID')).toBe(callId);
		expect(cell('70102', 'Result')).toContain('For a person: No phone rang.');
		expect(cell('70103', 'Result')).toContain('Not called: ');
		expect(cell('70104', 'Result')).toBe('');
		expect(await desk('70102')).toHaveLength(1);

		await environment.session.addDataTableRows('call_outcomes', [
			{ callId, loadNumber: '70101', outcome: 'reached', eta: '3 PM', delayed: true },
		]);
		await run();
		const columns = ['Outcome', 'ETA', 'Late', 'Minutes Late'];
		expect(columns.map((column) => cell('70101', column))).toEqual(['reached', '3 PM', 'Yes', '']);
		await environment.session.updateDataTableRows('call_outcomes', 'callId', callId, {
			eta: '4 PM',
		});
		await run();
		expect(cell('70101', 'ETA')).toBe('4 PM');
		expect(cell('70101', 'Customer')).toBe('Prairie Foods');
	});

	it('lets rows wait for their hours, and while calls are paused in the credential', async () => {
		const hour = new Date().getUTCHours();
		const night = `Etc/GMT${hour <= 12 ? `+${hour}` : `-${24 - hour}`}`;
		const late = row('70105', '(815) 555-0148');
		late[COLUMNS.indexOf('Time Zone')] = night;
		put(late, row('70106', '(815) 555-0149'), row('70107', '(815) 555-0150', 'test'));
		await setCalls(environment, WORKFLOW, 'paused');
		await run();
		expect(cell('70106', 'Result')).toBe('Waits until calls are no longer paused');
		expect(cell('70107', 'Result')).toBe('Test: would be called once calls are no longer paused');
		await setCalls(environment, WORKFLOW, 'live');
		await run();
		expect(cell('70105', 'Result')).toMatch(/^Waits until \w{3} 8:00 AM in GMT/);
		expect(cell('70106', 'Result')).toBe('Called');
		expect(environment.dialed('70106')).toHaveLength(1);
		expect(await desk('70106')).toEqual([]);
	});

	it('places no call while the sheet is down, and sends one message about it', async () => {
		put(row('70111', '(815) 555-0143'));
		sheet.service.failing = 503;
		await run();
		await run();
		expect(environment.dialed('70111')).toEqual([]);
		const told = (await desk()).filter(({ name }) => name === 'Google Sheet');
		expect(told).toHaveLength(1);
		sheet.service.failing = undefined;
		await run();
		expect(environment.dialed('70111')).toHaveLength(1);
	});

	it('gives a row to a person when its result can not be written, and calls it once', async () => {
		put(row('70131', '(815) 555-0146'), row('70132', '(815) 555-0147'));
		const fault = { kind: 'latency', ms: 3000 } as const;
		environment.sandbox.faults.add({ endpoint: 'triggerCheckCall', fault, times: 'always' });
		const running = run();
		await waitUntil('the calls to begin', () => cell('70132', 'Result') === 'Calling');
		sheet.service.failing = 503;
		await running;
		environment.sandbox.faults.clear();
		sheet.service.failing = undefined;
		await run();
		for (const load of ['70131', '70132']) {
			expect(environment.dialed(load)).toHaveLength(1);
			expect(await desk(load)).toMatchObject([
				{ reason: expect.stringMatching(/could not be written after: Called/) },
			]);
		}
	});

	it('ends each row once when n8n is killed while two runs call', async () => {
		const loads = Array.from({ length: 25 }, (_, nth) => String(70_200 + nth));
		const phone = (nth: number) => (nth === 7 ? 'none' : `+12165550${100 + nth}`);
		put(...loads.map((load, nth) => row(load, phone(nth))));
		const fault = { kind: 'latency', ms: 1000 } as const;
		environment.sandbox.faults.add({ endpoint: 'triggerCheckCall', fault, times: 'always' });
		for (let nth = 0; nth < 2; nth++) await environment.start(WORKFLOW, 'Run now');
		const called = () => loads.filter((load) => environment.dialed(load).length > 0).length;
		await waitUntil('the first calls', () => called() > 2);
		await environment.killAndRestart();
		environment.sandbox.faults.clear();
		expect(called()).toBeLessThan(loads.length - 1);
		const column = COLUMNS.indexOf('Called At');
		for (const cells of sheet.rows.slice(1)) {
			if (cells[COLUMNS.indexOf('Result')] === 'Calling')
				cells[column] = '2026-11-20T10:00:00.000Z';
		}
		await Promise.all([run(), run()]);
		await run();
		for (const load of loads) {
			const calls = environment.dialed(load).length;
			const asked = (await desk(load)).filter(({ reason }) => String(reason) !== '');
			const inDoubt = /may have rung/.test(String(asked[0]?.['advice']));
			expect([load, inDoubt ? calls <= 1 : calls + asked.length === 1]).toEqual([load, true]);
			expect(asked.length).toBeLessThanOrEqual(1);
			expect(cell(load, 'Result')).toMatch(/^(Called|For a person: )/);
		}
	});

	it('gives a row to a person when n8n stopped in the middle', async () => {
		put(row('70121', '(815) 555-0144', 'yes', 'Calling', '2026-11-20T10:00:00.000Z'));
		await run();
		expect(environment.dialed('70121')).toEqual([]);
		expect(cell('70121', 'Result')).toContain('For a person: n8n stopped');
		expect(await desk('70121')).toHaveLength(1);
	});

	it('brings 500 rows to one end each', async () => {
		const loads = Array.from({ length: 500 }, (_, nth) => String(71_000 + nth));
		const areas = ['815', '405', '708', '214', '318'];
		const phone = (nth: number) =>
			nth % 50 === 7 ? 'none' : `+1${areas[nth % 5]}55501${String(nth % 100).padStart(2, '0')}`;
		put(...loads.map((load, nth) => row(load, phone(nth))));
		await run();
		const manual = await desk();
		for (const load of loads) {
			const calls = environment.dialed(load).length;
			const byHand = manual.filter(({ loadNumber }) => loadNumber === load).length;
			expect([load, calls + byHand, cell(load, 'Result').slice(0, 6)]).toEqual([
				...[load, 1],
				byHand === 1 ? 'For a ' : 'Called',
			]);
		}
	});
}
