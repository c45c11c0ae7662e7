import { DateTime } from 'luxon';
import { chromium, type Browser, type BrowserContextOptions } from 'playwright-core';
import { BOARD_LOGIN } from '../../../../playground/setup/import-examples.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import { age } from '../support/older-rows.mts';
import { type ExamplesN8n, ZONE } from '../support/examples-n8n.mts';
import { type Mailbox, SMTP_CREDENTIAL, startMailbox } from '../support/mailbox.mts';

const BOARD = 'callBoard';
const REPORT = 'yesterdaysReport';
const LOGIN = { username: BOARD_LOGIN.user, password: BOARD_LOGIN.password };
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** The sandbox's number that nobody answers. */
const UNANSWERED = '+13125550190';
const INJECTED = '<img src=x onerror="document.title=\'injected\'">';

let environment: ExamplesEnvironment;
let browser: Browser;
let mailbox: Mailbox;
let boardUrl: string;

/** Has the service place a call that ends only with `finishCalls`. */
async function placeCall(
	loadNumber: string,
	nextStopIndex: number,
	toPhone = '+18155550142',
): Promise<void> {
	const { baseUrl, tokens } = environment.sandbox;
	await fetch(`${baseUrl}/api/v1/track-and-trace/trigger-check-call`, {
		method: 'POST',
		headers: { authorization: `Bearer ${tokens.north}`, 'content-type': 'application/json' },
		body: JSON.stringify({ toPhone, loadNumber, nextStopIndex }),
	});
}

/** The board in a browser of this kind, with what it shows. */
async function openBoard(options: BrowserContextOptions = {}) {
	const context = await browser.newContext({ httpCredentials: LOGIN, ...options });
	const page = await context.newPage();
	await page.goto(boardUrl);
	const shown = async (selector: string) => await page.locator(selector).allInnerTexts();
	return { context, page, shown };
}

/** The node Settings with these values. */
const settings = (values: Record<string, string>) => ({
	assignments: {
		assignments: Object.entries(values).map(([name, value]) => ({
			...{ id: name, name, value, type: 'string' },
		})),
	},
});

/** The call board and the daily report. */
export function testReports(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		mailbox = await startMailbox();
		environment = await n8n.import(
			[
				{
					...{ of: REPORT, node: 'Settings' },
					set: settings({ from: 'n8n@brokerage.test', to: 'lead@brokerage.test' }),
				},
				{
					...{ of: REPORT, node: 'Send the report', set: {} },
					settings: { credentials: { smtp: { id: null, name: SMTP_CREDENTIAL } } },
				},
				{ of: REPORT, as: 'withoutEmail', node: 'Settings', set: {} },
			],
			{
				only: [BOARD, REPORT],
				credentials: [{ name: SMTP_CREDENTIAL, type: 'smtp', data: mailbox.credential }],
			},
		);
		await environment.session.activate(BOARD);
		boardUrl = `${environment.baseUrl}/webhook/call-board`;
		browser = await chromium.launch({
			executablePath: CHROMIUM,
			args: ['--no-sandbox', '--disable-gpu'],
		});
	});

	afterAll(async () => await browser?.close());
	afterAll(async () => await environment?.remove());
	afterAll(async () => await mailbox?.close());

	describe('the call board', () => {
		it('asks for a login, and shows nothing without it', async () => {
			const response = await fetch(boardUrl);
			expect(response.status).toBe(401);
			expect(await response.text()).not.toMatch(/load|call/i);
		});

		it("shows today's calls by how they went, late loads, and the manual calls", async () => {
			const { sandbox, session } = environment;
			// The sandbox's driver is late for the fifth stop.
			await placeCall('48303', 4);
			await sandbox.finishCalls();
			await placeCall('48301', 0);
			const [busy] = sandbox.insert({ loadId: '48302', summary: INJECTED });
			await session.addDataTableRows('call_outcomes', [
				{ loadNumber: '48302', callId: String(busy), outcome: 'noAnswer', summary: '' },
			]);
			// A summary alone doesn't mean that someone was reached.
			sandbox.insert({ loadId: '48304', summary: 'Left a voicemail.' });
			await session.addDataTableRows('calls_to_make_by_hand', [
				{ loadNumber: '48231', name: INJECTED, phone: '+12145550119', reason: 'No phone rang.' },
				{
					loadNumber: '48232',
					name: 'Ana',
					phone: '+12145550119',
					reason: 'No answer.',
					done: true,
				},
				{ loadNumber: '48233', name: 'Sam', reason: 'Opted out.', done: false, owner: 'Dana' },
			]);
			const { context, page, shown } = await openBoard();
			expect(await shown('.tile')).toEqual([
				'1\nNo outcome yet',
				expect.stringMatching(/^\d+\nReached$/),
				// The sandbox has calls of its own that reached no one, at some times of a day.
				expect.stringMatching(/^[1-9]\d*\nNot reached$/),
				expect.stringMatching(/^\d+\nFailed or canceled$/),
				expect.stringMatching(/^[1-9]\d*\nEnded, unclear$/),
				expect.stringMatching(/^[1-9]\d*\nLate$/),
				'2\nManual calls',
			]);
			expect(await shown('#calls li')).toContainEqual(
				expect.stringMatching(/^Load 48302[\s\S]*Not reached/),
			);
			expect(await shown('#calls li')).toContainEqual(
				expect.stringMatching(/Load 48304[\s\S]*Ended, unclear/),
			);
			expect(await shown('#byHand li b')).toEqual(['Load 48231', 'Load 48233']);
			expect(await shown('#waiting li b')).toEqual(['Load 48301']);
			expect(await shown('#late li b')).toContain('Load 48303');
			expect(await shown('#calls li')).toContainEqual(expect.stringContaining(INJECTED));
			const [byHand] = await shown('#byHand li');
			expect(byHand).toContain('No phone rang.');
			expect(byHand).toContain(INJECTED);
			expect(await page.title()).toBe('Call board');
			expect(await page.locator('#week svg').getAttribute('aria-label')).toMatch(
				/^Calls a day\. (\w{3}: \d+, \d+ successful(; |$)){7}$/,
			);
			await context.close();
		});

		it('shows a call that ended on voicemail as one that reached nobody', async () => {
			await placeCall('48307', 0, UNANSWERED);
			await environment.sandbox.finishCalls();
			const { context, shown } = await openBoard();
			expect(await shown('#calls li')).toContainEqual(
				expect.stringMatching(/^Load 48307[\s\S]*Not reached/),
			);
			await context.close();
		});

		it('shows a manual call until it is done, also one of three days ago', async () => {
			const rows = [{ loadNumber: '48235', name: 'Ana', reason: 'No answer.' }];
			await environment.session.addDataTableRows('calls_to_make_by_hand', rows);
			await age(environment, 'calls_to_make_by_hand', '48235', 3);
			const { context, shown } = await openBoard();
			expect(await shown('#byHand li b')).toContain('Load 48235');
			await context.close();
			await environment.session.updateDataTableRows(
				...(['calls_to_make_by_hand', 'loadNumber', '48235', { done: true }] as const),
			);
			const later = await openBoard();
			expect(await later.shown('#byHand li b')).not.toContain('Load 48235');
			await later.context.close();
		});

		it('shows a load as late until a later call says that it is on time', async () => {
			await placeCall('48305', 4);
			await placeCall('48306', 4);
			await environment.sandbox.finishCalls();
			await placeCall('48305', 0);
			await environment.sandbox.finishCalls();
			const { context, shown } = await openBoard();
			const late = await shown('#late li b');
			expect(late).toContain('Load 48306');
			expect(late).not.toContain('Load 48305');
			await context.close();
		});

		it('shows a new call without a click', async () => {
			const { context, page, shown } = await openBoard();
			environment.sandbox.insert({ loadId: '48777' });
			await page.waitForFunction(() => document.body.innerText.includes('Load 48777'), undefined, {
				timeout: 240_000,
			});
			expect(await shown('#calls li b')).toContain('Load 48777');
			await context.close();
		});

		it('fits a phone, and is dark where the phone is', async () => {
			const { context, page } = await openBoard({
				viewport: { width: 360, height: 740 },
				colorScheme: 'dark',
			});
			expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
			expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
				'rgb(20, 23, 28)',
			);
			await context.close();
		});

		it("opens with a note when the service can't be read", async () => {
			const { sandbox } = environment;
			const fault = { kind: 'status', status: 403 } as const;
			sandbox.faults.add({ endpoint: 'listCalls', fault, times: 'always' });
			const { context, shown } = await openBoard();
			sandbox.faults.clear();
			expect(await shown('.problem')).toEqual([
				expect.stringContaining("The service couldn't be read, so figures are missing"),
			]);
			expect(await shown('#byHand li')).toHaveLength(2);
			await context.close();
		});
	});

	describe('the daily report', () => {
		it('is a row, and no email, until the email is set up', async () => {
			const yesterday = DateTime.now().setZone(ZONE).minus({ days: 1 }).set({ hour: 12 });
			environment.sandbox.insert({
				...{ count: 2, createdAt: yesterday.toUTC().toISO() ?? '' },
				summary: 'Left a voicemail.',
			});
			environment.sandbox.insert({
				...{ createdAt: yesterday.toUTC().toISO() ?? '', tags: 'voicemail,no_answer' },
				summary: 'No answer; left a voicemail asking for a call back.',
			});
			await environment.run('withoutEmail');
			expect(mailbox.received()).toEqual([]);
			expect(await environment.rows('daily_report')).toHaveLength(1);
		});

		it('arrives as an email with the figures, a bar for each day, and the late loads', async () => {
			await environment.run(REPORT);
			const [mail] = mailbox.received();
			const [row] = await environment.rows('daily_report');
			expect(mail).toMatchObject({
				subject: expect.stringMatching(/^Calls on \w+, \w+ \d+: \d+$/),
			});
			expect(mail?.subject).toContain(`: ${String(row?.['calls'])}`);
			expect(mail?.text?.trim()).toBe(String(row?.['report']).trim());
			const context = await browser.newContext();
			const page = await context.newPage();
			await page.setContent(String(mail?.html));
			const cells = await page.locator('table').first().locator('td').allInnerTexts();
			expect(cells.map((cell) => cell.split('\n').reverse())).toEqual([
				['calls', String(row?.['calls'])],
				['reached', String(row?.['reached'])],
				['voicemail', String(row?.['voicemail'])],
				['no answer', String(row?.['noAnswer'])],
				['bids', String(row?.['bids'])],
			]);
			expect(Number(row?.['voicemail'])).toBeGreaterThanOrEqual(1);
			const outcomes = ['reached', 'voicemail', 'noAnswer', 'failed'];
			const counted = outcomes.reduce((sum, outcome) => sum + Number(row?.[outcome]), 0);
			// What it can't tell is in none of them.
			expect(counted).toBeLessThanOrEqual(Number(row?.['calls']) - 2);
			expect(String(mail?.html)).toContain("The service's own count, with its own day");
			expect(await page.locator('table').nth(1).locator('table').count()).toBe(7);
			await context.close();
		});

		it('has one row and one email for each run', async () => {
			const before = mailbox.received().length;
			await environment.run(REPORT);
			expect(mailbox.received()).toHaveLength(before + 1);
			expect(await environment.rows('daily_report')).toHaveLength(1);
		});
	});
}
