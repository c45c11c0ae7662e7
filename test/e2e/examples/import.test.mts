import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import {
	type Example,
	exampleTables,
	exampleWorkflows,
} from '../../../playground/demo/examples.mts';
import type { RunningN8n } from '../../../playground/n8n/n8n.mts';
import { isRecord, type JsonObject, recordsIn, textIn } from '../../../playground/n8n/rest.mts';
import type { N8nSession } from '../../../playground/n8n/session.mts';
import { EXAMPLES, ROOT } from '../../../playground/setup/paths.mts';
import { startChromium } from '../../../scripts/browser.mts';
import { startPreparedN8n } from '../../support/prepared-n8n.mts';
import { neededCredentials } from '../../support/needed-credentials.mts';
import { waitUntil } from '../../support/wait-until.mts';

// Every example as a user gets it: through the editor's own "Import from file…" into an n8n that has nothing but the tables
// of "Create the tables". n8n then gives the workflow another ID and drops its settings.

const OWNER = {
	email: 'dispatcher@playground.example',
	password: 'Playground-48213',
	firstName: 'Pat',
	lastName: 'Dispatcher',
};
const OAUTH = {
	...{ clientId: 'id', clientSecret: 'secret' },
	oauthTokenData: { access_token: 'import-test', token_type: 'Bearer' },
};
/** A user's own: no name is one that an example has. */
const CREDENTIALS: Record<string, JsonObject> = {
	carrierLoadCommunicationsApi: { baseUrl: 'http://127.0.0.1:9', accessToken: 'import-test' },
	httpBasicAuth: { user: 'import', password: 'test' },
	smtp: { host: '127.0.0.1', port: 9, secure: false, disableStartTls: true },
	openAiApi: { apiKey: 'import-test', url: 'http://127.0.0.1:9' },
	carrierLoadCommunicationsWebhookApi: { method: 'bearer', token: 'import-test' },
	httpHeaderAuth: { name: 'x-import', value: 'test' },
	googleSheetsOAuth2Api: OAUTH,
	microsoftExcelOAuth2Api: OAUTH,
	hubspotAppToken: { appToken: 'import-test' },
	slackApi: { accessToken: 'import-test' },
	imap: { user: 'import', password: 'test', host: '127.0.0.1', port: 9, secure: false },
	n8nApi: { apiKey: 'import-test', baseUrl: 'http://127.0.0.1:9' },
};

/** What a user has to enter besides, and n8n marks until then. */
const TO_ENTER = ['Write to the TMS', 'Read the sheet', 'Add or update the row'];

const userFolder = mkdtempSync(join(tmpdir(), 'import-e2e-'));
const testId = (name: string) => `[data-test-id="${name}"]`;
const examples = exampleWorkflows();

let n8n: RunningN8n;
let session: N8nSession;
let browser: Browser;
let page: Page;
const idOf: Record<string, string> = {};

beforeAll(async () => {
	// Nothing here may reach the internet.
	const env = { HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1,localhost' };
	n8n = await startPreparedN8n({ userFolder, packageDir: ROOT, editor: true, env });
	session = await n8n.login(OWNER);
	for (const [type, data] of Object.entries(CREDENTIALS)) {
		const { id } = await session.createCredential({ name: `My own ${type}`, type, data });
		idOf[type] = String(id);
	}
	browser = await startChromium();
	page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
	await page.request.post(`${n8n.baseUrl}/rest/login`, {
		data: { emailOrLdapLoginId: OWNER.email, password: OWNER.password },
	});
	await page.goto(`${n8n.baseUrl}/workflow/new`);
	const input = page.locator(testId('workflow-import-input'));
	await input.waitFor({ state: 'attached', timeout: 300_000 });
});
afterAll(async () => {
	await browser?.close();
	await n8n?.stop();
	rmSync(userFolder, { recursive: true, force: true });
});

/** Opens a new workflow without loading the editor again. */
async function openNew(): Promise<void> {
	await page.evaluate(() => {
		const { $router } = Object(document.querySelector('#app')).__vue_app__.config.globalProperties;
		$router.push(`/workflow/new?nth=${performance.now()}`);
	});
	const plus = page.locator(testId('canvas-plus-button'));
	// On a busy machine, the editor may not have saved the last example yet, and asks.
	const leave = page.getByRole('button', { name: 'Leave without saving' });
	await plus.or(leave).first().waitFor();
	if (await leave.isVisible()) await leave.click();
	await plus.waitFor();
}

/** Imports an example into a new workflow. Returns it as n8n has saved it. */
async function importInEditor({ file, nodes }: Example): Promise<JsonObject> {
	await openNew();
	const saved = page.waitForResponse(
		(response) =>
			new URL(response.url()).pathname === '/rest/workflows' &&
			response.request().method() === 'POST',
	);
	await page.locator(testId('workflow-import-input')).setInputFiles(join(EXAMPLES, file));
	await page
		.locator(testId('canvas-node'))
		.nth(nodes.length - notesIn(nodes) - 1)
		.waitFor();
	await page.keyboard.press('Control+s');
	const answer: unknown = await (await saved).json();
	const workflow = isRecord(answer) ? answer['data'] : undefined;
	if (!isRecord(workflow)) throw new Error(`${file} was not saved: ${JSON.stringify(answer)}`);
	return workflow;
}

const notesIn = (nodes: JsonObject[]) =>
	nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote').length;

const marked = async () =>
	await page
		.locator(`${testId('canvas-node')}:has(${testId('node-issues')})`)
		.evaluateAll((nodes) => nodes.map((node) => String(node.getAttribute('data-node-name'))));

/** Chooses the credential of a type in one node: opens its list and clicks it. */
async function choose(node: string, type: string): Promise<void> {
	await page.locator(`${testId('canvas-node')}[data-node-name="${node}"]`).dblclick();
	await page.locator(testId('node-credentials-select')).first().click();
	await page
		.locator(testId(`node-credentials-select-item-${idOf[type]}`))
		.first()
		.click();
	await page.locator(testId('ndv-close-button')).click();
	await page.locator(testId('node-credentials-select')).first().waitFor({ state: 'detached' });
}

/** The credential types that the enabled nodes need, with the nodes that do. */
function neededBy(nodes: JsonObject[]): Map<string, string[]> {
	const needed = new Map<string, string[]>();
	for (const node of nodes) {
		for (const type of neededCredentials(node)) {
			needed.set(type, [...(needed.get(type) ?? []), textIn(node, 'name')]);
		}
	}
	return needed;
}

it('"Create the tables" creates all data tables at a click, and needs nothing else', async () => {
	const example = examples.find(({ id }) => id === 'createTheTables');
	if (example === undefined) throw new Error('The example is missing');
	const id = textIn(await importInEditor(example), 'id');
	expect(await marked()).toEqual([]);
	await page.locator(testId('execute-workflow-button')).click();
	await page.getByText('Workflow executed successfully').first().waitFor({ timeout: 300_000 });
	const types = await session.dataTableRows('event_types');
	// A second click changes nothing.
	await page.locator(testId('execute-workflow-button')).click();
	await waitUntil('the second run', async () => {
		const runs = await session.executions.newest(id);
		return runs.length === 2 && runs.every(({ status }) => status === 'success');
	});
	expect(await session.dataTableRows('event_types')).toEqual(types);
	const names = (await session.dataTables()).map((table) => textIn(table, 'name'));
	expect(names.sort()).toEqual(
		exampleTables()
			.map(({ name }) => name)
			.sort(),
	);
	expect(types.length).toBeGreaterThan(3);
});

describe.each(examples)('the example $file, imported in the editor', (example) => {
	let nodes: JsonObject[];
	let id: string;

	it('keeps its nodes, gets another ID, and has nothing that n8n marks as wrong', async () => {
		const workflow = await importInEditor(example);
		nodes = recordsIn(workflow, 'nodes');
		id = textIn(workflow, 'id');
		const names = (of: JsonObject[]) => of.map((node) => textIn(node, 'name')).sort();
		expect(names(nodes)).toEqual(names(example.nodes));
		expect(workflow['id']).not.toBe(example.id);
		// n8n marks a node without a credential as soon as one of its type exists.
		const unchosen = nodes
			.filter((node) => node['credentials'] === undefined && neededCredentials(node).length > 0)
			.map((node) => textIn(node, 'name'));
		const allowed = [...TO_ENTER, ...unchosen];
		expect((await marked()).filter((name) => !allowed.includes(name))).toEqual([]);
	});

	it('names no other workflow, and only tables that "Create the tables" has created', async () => {
		expect(JSON.stringify(nodes)).not.toMatch(/"workflowId"|"errorWorkflow"|executeWorkflow"/);
		const tables = (await session.dataTables()).map((table) => textIn(table, 'name'));
		const used = nodes
			.map(({ parameters }) => Object(parameters).dataTableId)
			.filter(isRecord)
			.map(({ mode, value }) => (mode === 'name' ? String(value) : JSON.stringify(value)));
		expect(used.filter((table) => !tables.includes(table))).toEqual([]);
	});

	const needed = neededBy(example.nodes);
	if (needed.size === 0) return;

	// The notes count on it: see test/unit/examples/clicks.test.mts.
	it('has a credential that is chosen in one node in all nodes that need it', async () => {
		for (const [type, [node = '']] of needed) await choose(node, type);
		await page.keyboard.press('Control+s');
		const chosen = async () => {
			const saved = recordsIn(await session.workflow(id), 'nodes');
			return [...needed].flatMap(([type, names]) =>
				names.map((name) => {
					const node = saved.find((one) => one['name'] === name);
					return Object(node?.['credentials'])[type]?.id === idOf[type];
				}),
			);
		};
		await waitUntil('n8n to save', async () => !(await chosen()).includes(false));
		expect((await marked()).filter((name) => !TO_ENTER.includes(name))).toEqual([]);
	});
});
