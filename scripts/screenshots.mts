// Takes the screenshots of the docs from a real n8n with this package and the sandbox ("npm run
// screenshots"). Needs Chromium (Debian: apt-get install chromium) and n8n as "npm start" installs
// it. With names, only those: npm run screenshots -- calling-rules webhook-setup
import { basename, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { BOARD_LOGIN } from '../playground/setup/import-examples.mts';
import { type Playground, startChromium, withPlayground } from './browser.mts';

/** A screenshot: which workflow to open, and which of its nodes, unless it shows the canvas. */
interface Picture {
	/** Its file in docs/images. */
	name: string;
	workflow: string;
	node?: string;
	height: number;
	/** A text in the node's form to click, or to scroll to, before the picture is taken. */
	click?: string;
	scrollTo?: string;
}

const canvas = (name: string, workflow: string): Picture => ({
	...{ name: `workflows/${name}`, workflow, height: 760 },
});

const PICTURES: Picture[] = [
	canvas('editor', 'firstCall'),
	{ name: 'check-call', workflow: 'firstCall', node: 'Place check call', height: 1100 },
	{ name: 'carrier-search', workflow: 'laneToCarriers', node: 'Find carriers', height: 900 },
	{
		...{ name: 'webhook-setup', workflow: 'callOutcomeToTable', node: 'Call ended' },
		...{ height: 760, click: 'Webhook URLs' },
	},
	{
		...{ name: 'calling-rules', workflow: 'checkCallsDaily', node: 'Check call' },
		...{ height: 1000, scrollTo: 'Safety' },
	},
	canvas('call-outcomes', 'callOutcomeToGoogleSheets'),
	canvas('no-answer-ladder', 'noAnswerLadder'),
	canvas('detention-clock', 'detentionClock'),
	canvas('carrier-campaign', 'laneToCarriers'),
	canvas('daily-report', 'yesterdaysReport'),
	canvas('dispatch-assistant', 'dispatchAssistant'),
	{ name: 'polling-trigger', workflow: 'newBidsToTable', node: 'New bid', height: 700 },
];

const WEBHOOK_CREDENTIAL = 'Carrier Load Communications Webhook API';

const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(basename(name));

await withPlayground(takePictures);

async function takePictures(playground: Playground): Promise<void> {
	const browser = await startChromium();
	try {
		const page = await browser.newPage({ deviceScaleFactor: 1 });
		const { n8nUrl, email, password } = playground;
		await page.request.post(`${n8nUrl}/rest/login`, {
			data: { emailOrLdapLoginId: email, password },
		});
		for (const picture of PICTURES) {
			if (isWanted(picture.name)) await take(page, n8nUrl, picture);
		}
		if (isWanted('webhook-credential')) await takeWebhookCredential(page, n8nUrl);
		if (isWanted('sandbox-page')) await takeSandbox(page, playground.sandboxUrl);
		if (isWanted('call-board')) await takeBoard(browser, n8nUrl);
	} finally {
		await browser.close();
	}
}

async function take(page: Page, n8nUrl: string, picture: Picture): Promise<void> {
	const { name, workflow, node, click, scrollTo } = picture;
	await page.setViewportSize({ width: 1280, height: picture.height });
	await page.goto(`${n8nUrl}/workflow/${workflow}`);
	await page.locator('[data-test-id="canvas-node"]').first().waitFor();
	await page.addStyleTag({ content: '*, *::before { animation: none !important }' });
	if (node === undefined) {
		await page.locator('[data-test-id="zoom-to-fit"]').click();
	} else {
		await page.locator(`[data-test-id="canvas-node"][data-node-name="${node}"]`).dblclick();
		await page.locator('[data-test-id="node-parameters"]').waitFor();
	}
	const form = page.locator('[data-test-id="ndv"], .ndv-wrapper').first();
	if (click !== undefined) await form.getByText(click, { exact: true }).first().click();
	if (scrollTo !== undefined) {
		const field = form.getByText(scrollTo, { exact: true }).first();
		await field.evaluate((element) => element.scrollIntoView({ block: 'start' }));
	}
	await page.waitForLoadState('networkidle');
	await save(page, name);
}

/** The dialog as it opens for a new credential, before anything is entered. */
async function takeWebhookCredential(page: Page, n8nUrl: string): Promise<void> {
	await page.setViewportSize({ width: 1280, height: 1250 });
	await page.goto(`${n8nUrl}/home/credentials/create`);
	await page.getByRole('dialog').locator('input').first().click();
	await page.keyboard.type(WEBHOOK_CREDENTIAL);
	await page.getByText(WEBHOOK_CREDENTIAL).last().click();
	await page.getByRole('button', { name: 'Continue' }).click();
	await page.locator('[data-test-id="credential-save-button"]').waitFor();
	await page.waitForLoadState('networkidle');
	await save(page, 'webhook-credential');
}

async function takeSandbox(page: Page, sandboxUrl: string): Promise<void> {
	await page.setViewportSize({ width: 1280, height: 760 });
	await page.goto(sandboxUrl);
	await page.locator('#calls li details').first().click();
	await save(page, 'sandbox-page');
}

async function takeBoard(browser: Browser, n8nUrl: string): Promise<void> {
	const httpCredentials = { username: BOARD_LOGIN.user, password: BOARD_LOGIN.password };
	const page = await browser.newPage({ httpCredentials, deviceScaleFactor: 1 });
	await page.setViewportSize({ width: 1280, height: 900 });
	await page.goto(`${n8nUrl}/webhook/call-board`);
	await page.locator('.tile').first().waitFor();
	await save(page, 'call-board');
}

/** n8n-node build copies every .png and .svg into the package, so these are JPEG. */
async function save(page: Page, name: string): Promise<void> {
	const path = join('docs/images', `${name}.jpg`);
	await page.screenshot({ path, type: 'jpeg', quality: 90, animations: 'disabled' });
	console.log(path);
}
