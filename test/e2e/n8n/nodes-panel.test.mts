import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { RunningN8n } from '../../../playground/n8n/n8n.mts';
import { ROOT } from '../../../playground/setup/paths.mts';
import { startChromium } from '../../../scripts/browser.mts';
import { startPreparedN8n } from '../../support/prepared-n8n.mts';

// The editor searches names and codex aliases in its own way, so the words that people type are typed
// into the real nodes panel.

const OWNER = {
	email: 'dispatcher@playground.example',
	password: 'Playground-48213',
	firstName: 'Pat',
	lastName: 'Dispatcher',
};
const WORDS = [
	...['driver', 'freight', 'load', 'carrier', 'check call', 'dispatch', 'detention'],
	...['truck', 'sales call', 'recording', 'transcript', 'call driver'],
	...['outbound call', 'shipment', 'logistics', 'trucking', 'appointment'],
	...['place a check call', 'place check call', 'agent call', 'download recording'],
	...['get many bids', 'bids', 'call ends', 'call outcome'],
];
const NAME = /^Carrier Load Communications\b/;

const userFolder = mkdtempSync(join(tmpdir(), 'nodes-panel-'));
const testId = (name: string) => `[data-test-id="${name}"]`;

let n8n: RunningN8n;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	n8n = await startPreparedN8n({ userFolder, packageDir: ROOT, editor: true });
	await n8n.login(OWNER);
	browser = await startChromium();
	page = await browser.newPage();
	await page.request.post(`${n8n.baseUrl}/rest/login`, {
		data: { emailOrLdapLoginId: OWNER.email, password: OWNER.password },
	});
	await page.goto(`${n8n.baseUrl}/workflow/new`);
	await page.locator(testId('canvas-plus-button')).click({ timeout: 300_000 });
});
afterAll(async () => {
	await browser?.close();
	await n8n?.stop();
	rmSync(userFolder, { recursive: true, force: true });
});

it.each(WORDS)('the first node that the nodes panel finds for "%s" is this one', async (word) => {
	const [first] = await found(word);
	expect(first).toMatch(NAME);
});

it.each(['call', 'phone', 'voice'])(
	'the nodes panel finds this node for "%s", too',
	async (word) => {
		// n8n puts its own nodes with these words first: Execute Sub-workflow ("calling"), and Twilio.
		expect((await found(word)).slice(0, 5)).toContainEqual(expect.stringMatching(NAME));
	},
);

async function found(word: string): Promise<string[]> {
	// A word that nothing matches empties the list, so that what is read next belongs to this word.
	const search = page.locator(testId('node-creator-search-bar'));
	await search.fill('no node has this name');
	await page.locator(testId('node-creator-no-results')).waitFor();
	await search.fill(word);
	const items = page.locator(testId('item-iterator-item'));
	await items.first().waitFor();
	return await items.allInnerTexts();
}
