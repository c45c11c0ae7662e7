import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	CALLING_WORKFLOW,
	INBOX_WORKFLOW,
	sampleEvent,
} from '../../../../playground/demo/sample-check-call.mts';
import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import type { Variant } from '../support/examples-import.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';
import { type ImapMailbox, startImapMailbox } from '../support/imap-mailbox.mts';
import { excelFile } from '../support/spreadsheet.mts';
import { CALLING_VARIANTS, whenHandled as whenHandledIn } from '../support/tms-events.mts';

const EXPORTS = 'tmsExports';
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

const filesIn = (value: string) => ({
	assignments: { assignments: [{ id: 'files', name: 'files', type: 'string', value }] },
});

let environment: ExamplesEnvironment;
let mailbox: ImapMailbox;

const whenHandled = async (load: string) => await whenHandledIn(environment, load);

/** What a person is asked about exports and emails. */
async function askedAbout(what: string): Promise<JsonObject[]> {
	const rows = await environment.rows('calls_to_make_by_hand', undefined, 1000);
	return rows.filter(({ reference }) => String(reference).startsWith(what));
}

/** How many emails are noted as read. */
async function emailsRead(): Promise<number> {
	const rows = await environment.rows('tms_events', undefined, 2000);
	return rows.filter(({ event }) => event === 'export by email').length;
}

/** Waits until n8n runs nothing of a workflow. */
async function whenQuiet(id: string): Promise<void> {
	await waitUntil(`the end of what ${id} runs`, async () => {
		const newest = await environment.session.executions.newest(id);
		return newest.every(({ status }) => !['new', 'running'].includes(String(status)));
	});
}

/** Exports of a TMS, in a folder and by email. */
export function testTmsExports(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		mailbox = await startImapMailbox();
		const imap = { name: 'TMS export mailbox', type: 'imap', data: mailbox.credential };
		const variants: Variant[] = [
			{
				of: EXPORTS,
				node: 'Settings',
				// n8n's home folder is its working directory here.
				set: filesIn('.n8n-files/tms/*.{csv,xlsx}'),
			},
			{
				of: EXPORTS,
				as: 'notAllowed',
				node: 'Settings',
				set: filesIn('/etc/host*'),
			},
			{ of: EXPORTS, node: 'Export by email', set: {}, settings: { disabled: false } },
			...CALLING_VARIANTS,
		];
		environment = await n8n.import(variants, {
			only: [INBOX_WORKFLOW, CALLING_WORKFLOW, EXPORTS],
			credentials: [imap],
		});
		await environment.publish(INBOX_WORKFLOW, CALLING_WORKFLOW, EXPORTS);
		await waitUntil('n8n to open the mailbox', () => mailbox.watching() > 0);
	});

	afterAll(async () => await environment?.remove());
	afterAll(async () => await mailbox?.close());

	describe('TMS exports in a real n8n', () => {
		it('come from a CSV and an Excel export, too, each row once', async () => {
			const folder = join(environment.userFolder, '.n8n-files', 'tms');
			mkdirSync(folder, { recursive: true });
			writeFileSync(join(folder, '1.csv'), csvFile('48311', '48312'));
			writeFileSync(join(folder, '2.xlsx'), excelFileOf('48313'));
			await Promise.all([environment.run(EXPORTS), environment.run(EXPORTS)]);
			await environment.run(EXPORTS);
			for (const load of ['48311', '48312', '48313']) {
				await whenHandled(load);
				expect(environment.dialed(load)).toMatchObject([
					{ toPhone: `+131255501${load.slice(-2)}` },
				]);
			}
		});

		it('come from all exports that can be read; a person hears of the others, and of rows without a load', async () => {
			const folder = join(environment.userFolder, '.n8n-files', 'tms');
			writeFileSync(join(folder, '0-broken.xlsx'), excelFileOf('48321').subarray(0, 4000));
			const others = csvFile('48321', '48322', '48323', '48324')
				.toString()
				.replace('Load', 'Load #');
			writeFileSync(join(folder, '3-renamed.csv'), others);
			const some = csvFile('48325', '', '48326').toString();
			writeFileSync(join(folder, '4-some.csv'), some);
			await environment.run(EXPORTS);
			await environment.run(EXPORTS);
			for (const load of ['48325', '48326']) {
				await whenHandled(load);
				expect(environment.dialed(load)).toHaveLength(1);
			}
			expect((await askedAbout('export')).map(({ reason }) => reason).sort()).toEqual([
				'1 rows of 4-some.csv have no load number or no status',
				'4 rows of 3-renamed.csv have no load number or no status',
				expect.stringMatching(/^An export from the TMS could not be read/),
			]);
			expect(environment.dialed('48321')).toEqual([]);
		});

		it('place no call for a row of a load that was delivered or canceled', async () => {
			const folder = join(environment.userFolder, '.n8n-files', 'tms');
			const [delivered, cancelled] = ['48327', '48328'].map((load) => csvFile(load).toString());
			const rows = [
				delivered?.replace('In transit', 'Delivered'),
				cancelled?.split('\n')[1]?.replace('In transit', 'Cancelled'),
			];
			writeFileSync(join(folder, '5-ended.csv'), rows.join('\n'));
			await environment.run(EXPORTS);
			for (const load of ['48327', '48328']) {
				await whenHandled(load);
				expect(await environment.rows('tms_events', load)).toMatchObject([{ state: 'noted' }]);
				expect(environment.dialed(load)).toEqual([]);
			}
		});

		it('ask a person when n8n may not read the folder', async () => {
			await environment.run('notAllowed');
			expect((await askedAbout('export file none')).map(({ advice }) => advice)).toEqual([
				expect.stringContaining('/etc/host*'),
			]);
		});

		it('come by email, too, each row once if the email is sent again', async () => {
			const attachments = {
				'loads.csv': csvFile('48331', '48332'),
				'more.xlsx': excelFileOf('48333'),
			};
			const mail = { from: 'TMS <exports@tms.example>', subject: 'Loads in transit', attachments };
			for (let nth = 0; nth < 3; nth++) mailbox.put(mail);
			for (const load of ['48331', '48332', '48333']) await whenHandled(load);
			await waitUntil('all emails to be read', async () => (await emailsRead()) === 3);
			expect(mailbox.seen()).toBe(0);
			await whenQuiet(EXPORTS);
			for (const load of ['48331', '48332', '48333']) {
				await whenHandled(load);
				expect(environment.dialed(load)).toMatchObject([
					{ toPhone: `+131255501${load.slice(-2)}` },
				]);
			}
		});

		it('by email from an unknown sender start nothing; without a readable export, they go to a person', async () => {
			const before = await emailsRead();
			const stranger = 'exports@tms.example <somebody@elsewhere.example>';
			mailbox.put({ from: stranger, subject: 'x', attachments: { 'a.csv': csvFile('48334') } });
			const from = 'exports@tms.example';
			const pdf = { 'error.pdf': Buffer.from('no') };
			mailbox.put({ from, subject: 'Report failed', attachments: pdf });
			const half = excelFileOf('48335').subarray(0, 4000);
			mailbox.put({
				...{ from, subject: 'Broken' },
				attachments: { 'b.xlsx': half, 'good.csv': csvFile('48336'), ...pdf },
			});
			await waitUntil('the emails to be read', async () => (await emailsRead()) === before + 2);
			await whenQuiet(EXPORTS);
			await whenHandled('48336');
			expect(environment.dialed('48336')).toHaveLength(1);
			const asked = await askedAbout('email');
			expect(asked.map(({ reason, advice }) => `${reason} / ${advice}`).sort()).toEqual([
				expect.stringMatching(/^An email from the TMS has no CSV or Excel file .*"Report failed"/),
				expect.stringMatching(/^An export from the TMS could not be read: .*"Broken"/),
			]);
			expect(environment.dialed('48334')).toEqual([]);
		});

		it('by email are read again if n8n stopped before their rows were saved', async () => {
			const from = 'exports@tms.example';
			const loads = Array.from({ length: 300 }, (_, nth) => String(49_000 + nth));
			const rows = csvFile(...loads)
				.toString()
				.replaceAll('In transit', 'At pickup');
			const fetched = mailbox.fetched();
			mailbox.put({ from, subject: 'Many', attachments: { 'many.csv': Buffer.from(rows) } });
			await waitUntil('n8n to have the email', () => mailbox.fetched() > fetched);
			await environment.killAndRestart();
			const before = await environment.rows('tms_events', undefined, 2000);
			expect(before.filter(({ event }) => event === 'at.pickup')).toEqual([]);
			await waitUntil('n8n to open the mailbox', () => mailbox.watching() > 0);
			mailbox.put({ from, subject: 'Next', attachments: { 'next.csv': csvFile('48341') } });
			await whenHandled('48341');
			await waitUntil('all rows', async () => {
				// An email that comes while n8n opens the mailbox makes two executions read all emails at once, so a load
				// may have its row twice. It is called once all the same.
				const events = await environment.rows('tms_events', undefined, 2000);
				const read = events.filter(({ event }) => event === 'at.pickup');
				return new Set(read.map(({ loadNumber }) => loadNumber)).size === loads.length;
			});
			expect(environment.dialed('48341')).toHaveLength(1);
		});
	});
}
