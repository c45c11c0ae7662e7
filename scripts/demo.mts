// The demonstration ("npm run demo"): a real browser and a real n8n go from installation to a call's
// outcome in one take, recorded as demo.mp4. Needs Chromium, n8n as "npm start" installs it, and
// ffmpeg. "npm run demo -- --check" runs the same steps without recording.
import type { Locator, Page } from 'playwright-core';
import { type Playground, startChromium, withPlayground } from './browser.mts';
import { assertFfmpeg, type Film, startFilm } from './demo/film.mts';

const check = process.argv.includes('--check');
const FILE = 'demo.mp4';
/** n8n's reviewers ask for a short one. */
const MAX_SECONDS = 300;

const PACKAGE = 'n8n-nodes-carrier-load-communications';
const CREDENTIAL = 'Carrier Load Communications (sandbox)';
const id = (name: string) => `[data-test-id="${name}"]`;

/** The demonstration from beginning to end. Every step waits for what a viewer would see. */
export async function playScenes(stage: Stage, playground: Playground): Promise<void> {
	await stage.begin();
	await install(stage, playground);
	await testCredential(stage, playground);
	await placeCheckCall(stage, playground);
	await searchCarriers(stage, playground);
	await receiveEvent(stage, playground);
	await playTms(stage, playground);
	await stage.say(`${PACKAGE}: place calls, receive their outcomes, get call summaries and bids.`);
}

async function install(stage: Stage, { n8nUrl, email, password }: Playground): Promise<void> {
	const { page } = stage;
	await stage.open(
		`${n8nUrl}/settings/community-nodes`,
		page.locator('input[name="emailOrLdapLoginId"]'),
	);
	await stage.say('A real n8n on this machine. A sandbox takes the place of the calling service.');
	await stage.type(page.locator('input[name="emailOrLdapLoginId"]'), email);
	await stage.type(page.locator('input[type="password"]'), password);
	await stage.click(page.getByRole('button', { name: 'Sign in' }));
	await stage.say('Install: Settings → Community nodes → Install, and the name of the package.');
	await stage.click(page.getByRole('button', { name: 'Install a community node' }));
	await stage.type(page.getByRole('dialog').getByRole('textbox'), PACKAGE);
	await stage.say(
		'Here we stop: "npm start" has put the package, built from its source, into this n8n.',
	);
	await page.keyboard.press('Escape');
	await stage.open(`${n8nUrl}/workflow/new`, page.locator(id('canvas-plus-button')));
	await stage.click(page.locator(id('canvas-plus-button')));
	await stage.type(page.locator(id('node-creator-search-bar')), 'check call');
	await stage.click(
		page.locator(id('item-iterator-item')).filter({ hasText: 'Carrier Load' }).first(),
	);
	await stage.click(page.getByText(/^Actions \(\d+\)$/).first());
	await page.getByText('Place a check call').first().waitFor();
	await stage.say('The nodes are found by the words dispatchers use. One node has all operations.');
}

async function testCredential(stage: Stage, { n8nUrl, sandboxUrl }: Playground): Promise<void> {
	const { page } = stage;
	await stage.open(`${n8nUrl}/home/credentials`, page.getByText(CREDENTIAL));
	await stage.click(page.getByText(CREDENTIAL).first());
	const baseUrl = page.locator(`${id('parameter-input-baseUrl')} input`);
	const save = page.locator(id('credential-save-button'));
	await baseUrl.waitFor();
	await stage.say('The credential: the URL and the token of the service. First, a typo.');
	await stage.type(baseUrl, 'calls.example.com');
	const details = page.getByText('More details');
	const reason = page.getByText('does not start with https://').first();
	await stage.clickUntil(save, details.or(reason).first());
	// n8n hides a long reason.
	if (await details.isVisible()) await stage.click(details);
	await reason.waitFor();
	await stage.say('The test says what is wrong, and what to enter.');
	await stage.type(baseUrl, sandboxUrl);
	await stage.clickUntil(save, page.getByText('Connection tested successfully'));
	await stage.say(
		'The right URL: n8n has read today’s figures from the service. Nothing was changed.',
	);
}

async function placeCheckCall(stage: Stage, { n8nUrl }: Playground): Promise<void> {
	const { page } = stage;
	await openNode(stage, `${n8nUrl}/workflow/firstCall`, 'Place check call');
	await stage.say(
		'Place Check Call: whom to call, about which load and stop, and whether to wait.',
	);
	await page.keyboard.press('Escape');
	await stage.click(page.locator(id('execute-workflow-button')));
	await stage.say('It rings a driver, and checks the call list until the call has ended.');
	await page.getByText('Workflow executed successfully').first().waitFor({ timeout: 120_000 });
	await openOnCanvas(stage, 'Place check call');
	await stage.say('One call, with its ID, how it was placed, and its summary and transcript.');
}

async function searchCarriers(stage: Stage, { n8nUrl }: Playground): Promise<void> {
	const { page } = stage;
	await stage.open(`${n8nUrl}/workflow/laneToCarriers`, page.locator(id('canvas-node')));
	await stage.say(
		'Another job: find carriers on a lane, offer them the load, stop at the first bid.',
	);
	await stage.click(page.locator(id('execute-workflow-button')));
	await page.getByText('Workflow executed successfully').first().waitFor({ timeout: 180_000 });
	await stage.say('Carrier Search, Place Carrier Sales Call and Bid: Get Many. A carrier has bid.');
	await openOnCanvas(stage, 'Find carriers');
	await stage.say('Each carrier on the lane, all pages of the list, with its rule assessment.');
}

async function receiveEvent(stage: Stage, { n8nUrl, sandboxUrl }: Playground): Promise<void> {
	const { page } = stage;
	await openNode(stage, `${n8nUrl}/workflow/callOutcomeToTable`, 'Call ended');
	await stage.say(
		'The trigger: it receives the events of the service. We listen for a test event.',
	);
	await stage.click(page.locator(id('node-execute-button')).first());
	const testUrl = await testUrlOf(sandboxUrl);
	await deliver(sandboxUrl, testUrl);
	await page.getByText('call.completed').first().waitFor({ timeout: 60_000 });
	await stage.say(
		'The sandbox has sent one to the test URL: summary, load and metadata at the top.',
	);
}

async function playTms(stage: Stage, { n8nUrl, sandboxUrl }: Playground): Promise<void> {
	const { page } = stage;
	const calls = page.locator('#calls > li');
	await stage.open(sandboxUrl, calls);
	const before = await calls.count();
	await stage.say('All of it together. On the sandbox’s page, we pretend to be the TMS.');
	await stage.click(page.locator('#tms-event button'));
	await calls.nth(before).waitFor({ timeout: 60_000 });
	await stage.say('"Load departed": a published workflow has placed the check call.');
	await page.locator('#calls > li').first().locator('audio').waitFor({ timeout: 60_000 });
	await stage.click(page.locator('#calls > li').first().locator('summary'));
	await stage.say('The call has ended. Its event goes to the trigger’s production URL.');
	await stage.open(
		`${n8nUrl}/workflow/callOutcomeToTable/executions`,
		page.locator(id('execution-list-item')).or(page.locator('[data-test-execution-status]')),
	);
	await stage.say('In n8n, an execution for each event: each outcome is a row, once per call.');
}

async function openNode(stage: Stage, workflowUrl: string, node: string): Promise<void> {
	await stage.open(workflowUrl, stage.page.locator(id('canvas-node')));
	await openOnCanvas(stage, node);
}

async function openOnCanvas({ page }: Stage, node: string): Promise<void> {
	await page.locator(`${id('canvas-node')}[data-node-name="${node}"]`).dblclick();
	await page.locator(id('node-parameters')).waitFor();
}

async function testUrlOf(sandboxUrl: string): Promise<string> {
	const response = await fetch(`${sandboxUrl}/sandbox/page/state`);
	const state: unknown = await response.json();
	return String(Object(state).testUrl);
}

/** Sends the sample event until n8n listens at the test URL. */
async function deliver(sandboxUrl: string, url: string): Promise<void> {
	for (let attempt = 0; attempt < 60; attempt++) {
		const response = await fetch(`${sandboxUrl}/sandbox/page/sample-event`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ url }),
		});
		const delivery: unknown = await response.json();
		if (Object(delivery).status === 200) return;
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
	throw new Error(`n8n did not accept the sample event at ${url}`);
}

/** Adds a visible mouse pointer to the page: Chromium's pictures of it have none. */
function showPointer(): void {
	addEventListener('DOMContentLoaded', () => {
		const dot = document.createElement('div');
		Object.assign(dot.style, {
			...{ position: 'fixed', zIndex: '2147483647', width: '22px', height: '22px' },
			...{ borderRadius: '50%', background: 'rgba(255, 109, 0, 0.55)', pointerEvents: 'none' },
			...{ left: '-50px', top: '-50px', transition: 'left 0.3s, top 0.3s' },
		});
		document.documentElement.append(dot);
		addEventListener(
			'mousemove',
			({ clientX, clientY }) => {
				Object.assign(dot.style, { left: `${clientX - 11}px`, top: `${clientY - 11}px` });
			},
			true,
		);
	});
}

/** What a person does in front of the browser, slowly enough to follow. */
export class Stage {
	readonly page: Page;
	readonly #pace: number;
	readonly #film: Film | undefined;

	/** @param film none for a check, which has no pauses either */
	constructor(page: Page, film: Film | undefined) {
		this.page = page;
		this.#pace = film === undefined ? 0 : 1;
		this.#film = film;
	}

	/** Opens a page. Until it shows `visible`, the film stays with what was seen before. */
	async open(url: string, visible: Locator): Promise<void> {
		this.#film?.hold();
		await this.page.goto(url);
		await visible.first().waitFor({ timeout: 120_000 });
		await this.page.waitForLoadState('networkidle');
		await this.#film?.resume();
	}

	async begin(): Promise<void> {
		await this.page.addInitScript(showPointer);
	}

	/** Shows a caption, and gives time to read it. */
	async say(text: string): Promise<void> {
		console.log(`  ${text}`);
		this.#film?.caption(text);
		await this.pause(1 + text.length / 25);
	}

	async pause(seconds: number): Promise<void> {
		if (this.#pace > 0) await this.page.waitForTimeout(seconds * 1000 * this.#pace);
	}

	async click(target: Locator): Promise<void> {
		await target.waitFor();
		if (this.#pace > 0) {
			await target.hover();
			await this.pause(0.5);
		}
		await target.click();
	}

	/** Clicks again if nothing came of it: n8n ignores a click on Save while it is still saving. */
	async clickUntil(target: Locator, shown: Locator): Promise<void> {
		for (let attempt = 0; attempt < 6; attempt++) {
			await this.click(target);
			const seen = shown.waitFor({ timeout: 10_000 }).then(() => true);
			if (await seen.catch(() => false)) return;
		}
		await shown.waitFor();
	}

	async type(target: Locator, text: string): Promise<void> {
		await this.click(target);
		await target.fill('');
		await target.pressSequentially(text, { delay: 35 * this.#pace });
	}
}

if (!check) assertFfmpeg();

await withPlayground(async (playground) => {
	const browser = await startChromium();
	try {
		const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
		const page = await context.newPage();
		const film = check ? undefined : await startFilm(page);
		await playScenes(new Stage(page, film), playground);
		if (film === undefined) return console.log('All steps of the demonstration work.');
		const { seconds, megabytes } = await film.save(FILE);
		console.log(`${FILE}: ${seconds.toFixed(0)} s, ${megabytes.toFixed(1)} MB`);
		if (seconds > MAX_SECONDS) throw new Error(`The video is longer than ${MAX_SECONDS} s`);
	} finally {
		await browser.close();
	}
});
