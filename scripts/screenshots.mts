// Takes the screenshots of the docs from a real n8n with this package and the sandbox ("npm run
// screenshots"). Needs Chromium (Debian: apt-get install chromium) and n8n as "npm start" installs
// it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { freePort } from '../playground/process/ports.mts';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'].concat([
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
]);
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** A screenshot: which workflow to open, and which of its nodes, unless it shows the canvas. */
interface Picture {
	file: string;
	workflow: string;
	node?: string;
	height: number;
}

const PICTURES: Picture[] = [
	{ file: 'editor.jpg', workflow: 'checkCallAndWait', height: 760 },
	{ file: 'check-call.jpg', workflow: 'checkCallAndWait', node: 'Check call', height: 1100 },
	{ file: 'carrier-search.jpg', workflow: 'laneToCarriers', node: 'Find carriers', height: 900 },
	{
		file: 'webhook-trigger.jpg',
		workflow: 'callOutcomeToTable',
		node: 'Call outcome',
		height: 900,
	},
	{ file: 'tms-intake.jpg', workflow: 'tmsEventToCheckCall', height: 760 },
	{ file: 'no-answer-ladder.jpg', workflow: 'noAnswerLadder', height: 760 },
	{ file: 'detention-clock.jpg', workflow: 'detentionClock', height: 760 },
	{ file: 'carrier-campaign.jpg', workflow: 'laneToCarriers', height: 760 },
	{ file: 'polling-trigger.jpg', workflow: 'newBidsToTable', node: 'New bid', height: 700 },
];

const data = mkdtempSync(join(tmpdir(), 'carrier-screenshots-'));
const n8nPort = await freePort();
const playground = spawn(
	process.execPath,
	['playground/start.mts', '--n8n-port', `${n8nPort}`, '--sandbox-port', `${await freePort()}`],
	{ env: { ...process.env, CARRIER_PLAYGROUND_DATA: data }, stdio: ['ignore', 'pipe', 'inherit'] },
);

try {
	await new Promise<void>((ready, failed) => {
		playground.stdout.on('data', (text: Buffer) => {
			process.stdout.write(text);
			if (text.includes('Everything is up')) ready();
		});
		playground.once('exit', (code) => failed(new Error(`The playground exited with ${code}`)));
	});
	await takePictures(`http://127.0.0.1:${n8nPort}`);
} finally {
	playground.kill('SIGTERM');
	await new Promise((exited) => playground.once('exit', exited));
	rmSync(data, { recursive: true, force: true });
}

async function takePictures(baseUrl: string): Promise<void> {
	if (!existsSync(executablePath)) throw new Error(`There is no Chromium at ${executablePath}`);
	const { email, password } = JSON.parse(readFileSync(join(data, 'login.json'), 'utf8'));
	const browser = await chromium.launch({ executablePath, args: FLAGS });
	try {
		const page = await browser.newPage({ deviceScaleFactor: 1 });
		await page.request.post(`${baseUrl}/rest/login`, {
			data: { emailOrLdapLoginId: email, password },
		});
		for (const picture of PICTURES) await take(page, baseUrl, picture);
	} finally {
		await browser.close();
	}
}

async function take(page: Page, baseUrl: string, picture: Picture): Promise<void> {
	await page.setViewportSize({ width: 1280, height: picture.height });
	await page.goto(`${baseUrl}/workflow/${picture.workflow}`);
	await page.locator('[data-test-id="canvas-node"]').first().waitFor();
	await page.addStyleTag({ content: '*, *::before { animation: none !important }' });
	if (picture.node === undefined) {
		await page.locator('[data-test-id="zoom-to-fit"]').click();
	} else {
		const name = `[data-test-id="canvas-node"][data-node-name="${picture.node}"]`;
		await page.locator(name).dblclick();
		await page.locator('[data-test-id="node-parameters"]').waitFor();
	}
	await page.waitForLoadState('networkidle');
	await page.screenshot({
		path: join('docs/images', picture.file),
		// n8n-node build copies every .png and .svg into the package, so these are JPEG.
		type: 'jpeg',
		quality: 90,
		animations: 'disabled',
	});
	console.log(`docs/images/${picture.file}`);
}
