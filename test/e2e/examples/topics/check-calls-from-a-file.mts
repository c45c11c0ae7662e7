import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, type JsonObject, recordsIn, textIn } from '../../../../playground/n8n/rest.mts';
import { BOARD_LOGIN } from '../../../../playground/setup/import-examples.mts';
import { EXAMPLES } from '../../../../playground/setup/paths.mts';
import { daytimeZone } from '../../../../sandbox/page/routes.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import { setCalls } from '../support/calls-setting.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';
import { FormBrowser, type FormPage } from '../support/form-browser.mts';
import { excelFile, readSheet } from '../support/spreadsheet.mts';

const WORKFLOW = 'checkCallsFromAFile';
const SAMPLE = join(EXAMPLES, 'sample-files', 'loads-to-call.csv');

let environment: ExamplesEnvironment;
let browser: FormBrowser;

const file = (content: string | Buffer, name = 'loads.csv') =>
	new File([new Uint8Array(Buffer.from(content))], name);
const zone = daytimeZone(new Date());
const header = 'Load,Customer,Next Stop,Driver,Driver Phone,Time Zone';
const row = (load: string, phone: string, zoneOfRow = zone) =>
	`${load},Prairie Foods,1,Luis Ortega,${phone},${zoneOfRow}`;
const csv = (...rows: string[]) => file([header, ...rows].join('\n'));

const upload = async (loads: File) => await (await browser.open('loads-to-call')).submit(loads);
const uploadNumber = (page: FormPage) => /Upload (\d+)/.exec(page.html)?.[1] ?? '';
const YES = JSON.stringify(['Yes, call now']);
const NO = JSON.stringify(['No']);
const OPEN = ['new', 'checked', 'waiting', 'taken'];

/** A zone where it is midnight. */
function night(): string {
	const hour = new Date().getUTCHours();
	return `Etc/GMT${hour <= 12 ? `+${hour}` : `-${24 - hour}`}`;
}

/** Confirms the dry run, and waits until no row of the upload is open. Returns its number. */
async function call(page: FormPage): Promise<string> {
	const number = uploadNumber(await page.submit('', YES));
	await waitUntil('the calls', async () => {
		const rows = await rowsOf(number);
		return rows.every(({ state }) => !OPEN.includes(String(state)));
	});
	return number;
}

async function rowsOf(number: string): Promise<JsonObject[]> {
	return (await environment.rows('loads_from_files', undefined, 1000)).filter(
		(one) => one['upload'] === number,
	);
}

/** The rows of the file with results, as Excel shows them. */
async function results(number: string): Promise<JsonObject[]> {
	const { html } = await (await browser.open('call-results')).submit(number);
	const encoded = /decodeURIComponent\("([^"]+)"\)/.exec(html)?.[1] ?? '';
	const files: unknown = JSON.parse(decodeURIComponent(encoded));
	const data = recordsIn(files)[0]?.['data'];
	const bytes =
		isRecord(data) && Array.isArray(data['data']) ? data['data'].map(Number) : undefined;
	if (bytes !== undefined) return readSheet(Buffer.from(bytes));
	return readSheet(Buffer.from(String(data), 'latin1'));
}

/** Loads from a file, and back into the file. */
export function testCheckCallsFromAFile(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		const everySecond = { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } };
		environment = await n8n.import(
			[
				{ of: WORKFLOW, node: 'Every minute', set: everySecond },
				// What is left over is old after no time instead of 10 minutes.
				{
					of: WORKFLOW,
					as: 'leftOverRows',
					node: 'Left over',
					set: {
						filters: { conditions: [{ keyName: 'state', condition: 'eq', keyValue: 'taken' }] },
					},
				},
			],
			{ only: [WORKFLOW] },
		);
		await environment.session.activate(WORKFLOW);
		browser = new FormBrowser(environment.baseUrl);
		await waitUntil('the form', async () => (await browser.visit('loads-to-call')) !== 404);
	});
	afterAll(async () => await environment?.remove());

	const dialed = () => environment.sandbox.ledger.dialed();
	const desk = async (load?: string) => await environment.rows('calls_to_make_by_hand', load);

	describe('check calls from a file in a real n8n', () => {
		it('opens the forms only for who is logged in', async () => {
			expect(await browser.visit('loads-to-call')).toBe(401);
			expect(await browser.visit('call-results')).toBe(401);
			browser.logIn(BOARD_LOGIN);
			expect(await browser.visit('loads-to-call')).toBe(200);
			const { html } = await browser.open('loads-to-call');
			expect(html).toContain('Load, Next Stop (0 is the pickup), Driver, Driver Phone');
		});

		it('shows that nothing can be read when a file is empty, has a header only, or is no spreadsheet', async () => {
			for (const one of [file(`${header}\n`), file(`${header}\n,,,,,\n`)]) {
				expect((await upload(one)).html).toContain('No row has a Load, a Driver or a Driver Phone');
			}
			const own = await upload(file('Load #,Driver Name,Driver Phone,Stop\n1,Luis,,0\n'));
			expect(own.html).toContain('Columns found: Load #, Driver Name, Driver Phone, Stop.');
			expect(own.html).toContain('Columns missing: Load, Next Stop, Driver.');
			expect((await upload(file('not a workbook', 'loads.xlsx'))).html).toMatch(
				/No row has|Dry run/,
			);
			expect(dialed()).toEqual([]);
		});

		it('shows the sample file as a dry run, and places no call without a yes', async () => {
			const page = await upload(file(readFileSync(SAMPLE)));
			expect(page.html).toContain('50511');
			const shown = [
				/<td>4<\/td><td>50513<\/td><td>Ray Novak<\/td><td>ask dispatch<\/td><td>For a person: Driver Phone contains letters/,
				/<td>5<\/td><td>50511<\/td><td>.*<td>Would be skipped: same call as an earlier row/,
				/<td>6<\/td><td>50514<\/td><td>.*<td>For a person: .* is a number of United Kingdom/,
			];
			for (const row of shown) expect(page.html).toMatch(row);
			expect(page.html).not.toMatch(/nextAllowedAt|Safety/);
			expect((await page.submit('', NO)).html).toContain('Nobody was called');
			expect(dialed()).toEqual([]);
			expect(await desk()).toEqual([]);
		});

		it('calls each load once, and returns every row of the file in order with its result', async () => {
			await environment.session.addDataTableRows('do_not_call', [{ phone: '312.555.0121' }]);
			const rows = [
				row('0050611', '(815) 555-0142'),
				row('50612', '312-555-0121'),
				row('50613', 'ask dispatch'),
				row('0050611', '+1 815 555 0142'),
				row('', '(708) 555-0131'),
			];
			const number = await call(await upload(file(`\uFEFF${[header, ...rows].join('\r\n')}\r\n`)));
			expect(dialed().map(({ toPhone, loadNumber }) => [toPhone, loadNumber])).toEqual([
				['+18155550142', '0050611'],
			]);
			const callId = String(dialed()[0]?.callId);
			await environment.session.addDataTableRows('call_outcomes', [
				{ callId, loadNumber: '0050611', outcome: 'reached', eta: '3 PM', delayed: true },
			]);
			expect(await results(number)).toMatchObject([
				{ Load: '0050611', Customer: 'Prairie Foods', Result: 'Called', Outcome: 'reached' },
				{ Load: '50612', Result: 'Not called: on the do-not-call list' },
				{ Load: '50613', Result: expect.stringContaining('Driver Phone contains letters') },
				{ Load: '0050611', Result: expect.stringContaining('Skipped: '), 'Call ID': callId },
				{ Result: expect.stringMatching(/^For a person: .*\bLoad is required/) },
			]);
			for (const { reason } of await desk()) expect(reason).not.toMatch(/To Phone|Load Number/);
			const late = { ETA: '3 PM', Late: 'Yes', 'Minutes Late': null };
			expect((await results(number))[0]).toMatchObject(late);
			expect((await desk()).map(({ phone, reference }) => [phone, reference])).toEqual([
				['ask dispatch', `file row 4, upload ${number}`],
				['(708) 555-0131', `file row 6, upload ${number}`],
			]);
		});

		it('leaves in the rows what the dry run knew, until they are called a moment later', async () => {
			const rows = [row('50641', '(708) 555-0141'), row('50642', 'ask'), row('', '(708) 555-0143')];
			const page = await upload(csv(...rows, row('50644', '(708) 555-0144', night())));
			const number = uploadNumber(await page.submit('', YES));
			await waitUntil('the call', () => environment.dialed('50641').length === 1);
			const results = async (node: string) =>
				(await environment.outputItems(number, node)).map(({ json }) =>
					textIn(Object(json), 'result'),
				);
			expect(await results('Let them be called')).toEqual([
				'Would be called',
				expect.stringMatching(/^For a person: Driver Phone contains letters/),
				expect.stringMatching(/^For a person: Load is required/),
				expect.stringMatching(/^Later: from /),
			]);
			expect(await results('These are to be called')).toEqual(['To be called']);
		});

		it('returns the same columns in the same order, also those that are empty', async () => {
			const columns = [
				...[...header.split(','), 'Result', 'Call ID', 'Outcome', 'ETA', 'Late'],
				...['Minutes Late', 'Summary'],
			];
			const asRow = Object.fromEntries(header.split(',').map((name) => [name, '']));
			const loads = { ...asRow, Load: '50615', 'Driver Phone': 'ask' };
			for (const one of [csv('50615,,,,ask,'), file(excelFile([loads]), 'loads.xlsx')]) {
				const [first = {}] = await results(await call(await upload(one)));
				expect(Object.keys(first)).toEqual(columns);
			}
		});

		it('reads an Excel file, and lets rows wait for their hours', async () => {
			const columns = header.split(',');
			const asRow = (text: string) =>
				Object.fromEntries(text.split(',').map((value, nth) => [columns[nth], value]));
			const rows = [row('50621', '(708) 555-0131'), row('50622', '(708) 555-0132', night())];
			const page = await upload(file(excelFile(rows.map(asRow)), 'LOADS.XLSX'));
			const later = /50622<\/td>.*?<td>Later: (from \w{3} 8:00 AM in GMT[^<]*)</.exec(
				page.html,
			)?.[1];
			expect(later).toBeDefined();
			const confirmed = await page.submit('', YES);
			expect(confirmed.html).toContain('is being called');
			expect(confirmed.html).toContain(
				`Within a minute: 1. Later: 1, ${later}. Not called or skipped: 0. For a person: 0, in the Data table calls_to_make_by_hand (Home → Data tables).`,
			);
			const number = uploadNumber(confirmed);
			const link = `call-results?upload=${number}`;
			expect(confirmed.html).toContain(`href="${environment.baseUrl}/form/${link}"`);
			expect((await browser.open(link)).html).toContain(`value="${number}"`);
			await waitUntil('the call', () => environment.dialed('50621').length > 0);
			await waitUntil('the wait', async () =>
				(await rowsOf(number)).some(({ result }) => result === `Later: ${later}`),
			);
			expect(environment.dialed('50622')).toEqual([]);
			expect(await rowsOf(number)).toMatchObject([{ state: 'done' }, { state: 'waiting' }]);
		});

		it('says that no one is called now if all rows are for later', async () => {
			const rows = [row('50623', '(708) 555-0133', night()), row('50624', 'ask', night())];
			const { html } = await (await upload(csv(...rows))).submit('', YES);
			expect(html).toContain('is saved: nobody is called now');
			expect(html).toMatch(/Within a minute: 0\. Later: 1, from .*For a person: 1/);
		});

		it('lets rows wait while calls are paused in the credential, and calls them afterwards', async () => {
			await setCalls(environment, WORKFLOW, 'paused');
			const page = await upload(csv(row('50625', '(708) 555-0135')));
			expect(page.html).toContain('Would be called: once calls are no longer paused');
			const confirmed = await page.submit('', YES);
			expect(confirmed.html).toContain('is saved: calls are paused');
			expect(confirmed.html).toContain('Once calls are no longer paused in the credential: 1.');
			const number = uploadNumber(confirmed);
			const result = 'To be called once calls are no longer paused';
			await waitUntil('the wait', async () =>
				(await rowsOf(number)).some(
					(one) => one['state'] === 'waiting' && one['result'] === result,
				),
			);
			expect(await desk('50625')).toEqual([]);
			expect(environment.dialed('50625')).toEqual([]);
			await setCalls(environment, WORKFLOW, 'live');
			await waitUntil('the call', () => environment.dialed('50625').length === 1);
		});

		it('brings 500 rows to one end each, also while the service fails now and then', async () => {
			const { sandbox } = environment;
			const numbers = Array.from({ length: 500 }, (_, nth) => 60_000 + nth);
			const areas = ['815', '312', '708', '214', '405', '318'];
			const phone = (nth: number) =>
				nth % 50 === 7
					? 'none'
					: `+1${areas[nth % 6]}55501${String(Math.floor(nth / 6)).padStart(2, '0')}`;
			sandbox.faults.add({
				endpoint: 'triggerCheckCall',
				fault: { kind: 'status', status: 500 },
				times: 5,
				skip: 20,
			});
			const page = await upload(csv(...numbers.map((load, nth) => row(String(load), phone(nth)))));
			const number = await call(page);
			const ends = await rowsOf(number);
			const manual = await environment.rows('calls_to_make_by_hand', undefined, 1000);
			expect(ends).toHaveLength(500);
			for (const { loadNumber, state, result } of ends) {
				const calls = environment.dialed(String(loadNumber)).length;
				const byHand = manual.filter((one) => one['loadNumber'] === loadNumber).length;
				const listed = String(result).startsWith('Not called: ') ? 1 : 0;
				expect([loadNumber, calls + byHand + listed, state]).toEqual([
					...[loadNumber, 1],
					byHand === 1 ? 'by hand' : 'done',
				]);
			}
			expect(manual.filter(({ phone: to }) => to === 'none')).toHaveLength(10);
		});

		it('gives a row to a person when n8n stopped in the middle', async () => {
			await environment.session.addDataTableRows('loads_from_files', [
				{ upload: '1', row: 2, loadNumber: '50631', state: 'taken', columns: '{}' },
			]);
			const execution = await environment.start('leftOverRows', 'Every minute');
			expect(await environment.waitForEnd(execution)).toBe('success');
			expect(await desk('50631')).toMatchObject([
				{ reason: expect.stringContaining('n8n stopped') },
			]);
			expect(await rowsOf('1')).toMatchObject([{ state: 'by hand' }]);
			expect(environment.dialed('50631')).toEqual([]);
		});
	});
}
