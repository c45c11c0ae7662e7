import { chromium, type Browser, type BrowserContextOptions } from 'playwright-core';
import { BOARD_LOGIN } from '../../../../playground/setup/import-examples.mts';
import type { ExamplesEnvironment } from '../support/examples-environment.mts';
import type { ExamplesN8n } from '../support/examples-n8n.mts';
import { type Mailbox, SMTP_CREDENTIAL, startMailbox } from '../support/mailbox.mts';

const BOARD = 'callBoard';
const REPORT = 'yesterdaysReport';
const LOGIN = { username: BOARD_LOGIN.user, password: BOARD_LOGIN.password };
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const INJECTED = '<img src=x onerror="document.title=\'injected\'">';

let environment: ExamplesEnvironment;
let browser: Browser;
let mailbox: Mailbox;
let boardUrl: string;

/** Has the service place a call that ends only with `finishCalls`. */
async function placeCall(loadNumber: string, nextStopIndex: number): Promise<void> {
	const { baseUrl, tokens } = environment.sandbox;
	await fetch(`${baseUrl}/api/v1/track-and-trace/trigger-check-call`, {
		method: 'POST',
		headers: { authorization: `Bearer ${tokens.north}`, 'content-type': 'application/json' },
		body: JSON.stringify({ toPhone: '+18155550142', loadNumber, nextStopIndex }),
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

/** The call board and the daily report. */
export function testReports(n8n: ExamplesN8n): void {
	beforeAll(async () => {
		mailbox = await startMailbox();
		environment = await n8n.import(
			[
				{
					of: REPORT,
					node: 'Send the report',
					set: { fromEmail: 'n8n@brokerage.test', toEmail: 'lead@brokerage.test' },
					settings: { disabled: false, credentials: { smtp: { id: null, name: SMTP_CREDENTIAL } } },
				},
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

		it("shows today's calls by how they went, late loads, and the calls to make by hand", async () => {
			const { sandbox, session } = environment;
			// The sandbox's driver is late for the fifth stop.
			await placeCall('48303', 4);
			await sandbox.finishCalls();
			await placeCall('48301', 0);
			const [busy] = sandbox.insert({ loadId: '48302', summary: INJECTED });
			await session.addDataTableRows('call_outcomes', [
				{ loadNumber: '48302', callId: String(busy), outcome: 'noAnswer', summary: '' },
			]);
			await session.addDataTableRows('calls_to_make_by_hand', [
				{ loadNumber: '48231', name: INJECTED, phone: '+12145550119', reason: 'No phone rang.' },
			]);
			const { context, page, shown } = await openBoard();
			expect(await shown('.tile')).toEqual([
				'1\nNo outcome yet',
				expect.stringMatching(/^\d+\nReached$/),
				'1\nNot reached',
				'0\nFailed',
				expect.stringMatching(/^[1-9]\d*\nLate$/),
				'1\nTo call by hand',
			]);
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
			expect(await shown('#byHand li')).toHaveLength(1);
			await context.close();
		});
	});

	describe('the daily report', () => {
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
				['successful', String(row?.['successfulCalls'])],
				['bids', String(row?.['bids'])],
				['accepted', String(row?.['acceptedBids'])],
			]);
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
