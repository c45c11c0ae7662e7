// Runs on the n8n in CARRIER_TEST_N8N, or on the playground's: see scripts/versions.mts.
import { exampleTables, exampleWorkflows } from '../../playground/demo/examples.mts';
import {
	CALLING_WORKFLOW,
	INBOX_WORKFLOW,
	OUTCOME_TABLE,
	OUTCOME_WORKFLOW,
	sampleEvent,
} from '../../playground/demo/sample-check-call.mts';
import { productionWebhookUrl } from '../../playground/n8n/session.mts';
import { type JsonObject, textIn } from '../../playground/n8n/rest.mts';
import {
	SANDBOX_CREDENTIAL,
	SANDBOX_CREDENTIAL_TYPE,
	TMS_KEY,
	TMS_KEY_CREDENTIAL,
	WEBHOOK_CREDENTIAL,
	WEBHOOK_SECRET,
} from '../../playground/setup/import-examples.mts';
import { Cluster } from '../queue/support/cluster.mts';
import { leadTo, post } from '../queue/support/workflows.mts';
import { openReports, type Reports } from '../queue/support/reports.mts';
import { waitUntil } from '../support/wait-until.mts';

const cluster = new Cluster();
let reports: Reports;

beforeAll(async () => {
	reports = await openReports();
	// Older versions don't know all of the modules that the playground turns off, and don't start then.
	await cluster.open('regular', { N8N_DISABLED_MODULES: '' });
});
afterAll(async () => {
	await cluster.close();
	await reports.close();
});
beforeEach(() => {
	reports.items.length = 0;
	cluster.sandbox.ledger.clear();
});

const dialed = () => cluster.sandbox.ledger.dialed();
const driver = (line: string) => ({ phone: `+131255501${line}`, load: `V${line}` });

async function haveEnded(workflowId: string, count: number): Promise<string[]> {
	let statuses: string[] = [];
	await waitUntil(`${count} executions`, async () => {
		statuses = (await cluster.executions.of(workflowId)).map(({ status }) => status);
		const ended = statuses.filter((status) => ['success', 'error'].includes(status));
		return ended.length === count;
	});
	return statuses.sort();
}

/** Creates and activates an example. Returns the URL of its webhook, if it has one. Older versions give it another ID. */
async function publishExample(id: string): Promise<string> {
	const { session } = cluster;
	const example = exampleWorkflows().find((one) => one.id === id);
	if (example === undefined) throw new Error(`There is no example ${id}`);
	const { name, nodes, connections, settings = {} } = example;
	// Before some version the Data Table node doesn't find a table by its name.
	const tables = await session.dataTables();
	const withTable = nodes.map((node) => {
		if (node['type'] !== 'n8n-nodes-base.dataTable') return node;
		const parameters: JsonObject = Object(node['parameters']);
		const name = textIn(parameters['dataTableId'], 'value');
		const value = textIn(tables.find((one) => one['name'] === name) ?? {}, 'id');
		return {
			...node,
			parameters: { ...parameters, dataTableId: { __rl: true, mode: 'id', value } },
		};
	});
	const workflow = await session.createWorkflow({ name, nodes: withTable, connections, settings });
	await session.activate(textIn(workflow, 'id'));
	if (id === CALLING_WORKFLOW) return '';
	const url = productionWebhookUrl(session, workflow);
	await waitUntil(name, async () => await session.webhookIsRegistered(url));
	return url;
}

it('turns an event of the TMS into one call and a row with its outcome', async () => {
	const { session, sandbox } = cluster;
	await session.createCredential({
		name: SANDBOX_CREDENTIAL,
		type: SANDBOX_CREDENTIAL_TYPE,
		data: { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north },
	});
	await session.createCredential(TMS_KEY_CREDENTIAL);
	await session.createCredential(WEBHOOK_CREDENTIAL);
	for (const table of exampleTables()) await session.createDataTable(table);
	sandbox.setWebhook({ url: await publishExample(OUTCOME_WORKFLOW), secret: WEBHOOK_SECRET });
	const url = await publishExample(INBOX_WORKFLOW);
	await publishExample(CALLING_WORKFLOW);
	await post(url, sampleEvent('48213'), { [TMS_KEY.name]: TMS_KEY.value });
	await waitUntil('the call', () => dialed().length > 0);
	await sandbox.finishCalls();
	let rows: JsonObject[] = [];
	await waitUntil('the row', async () => {
		// On the hour, the workflow also adds rows of the sandbox's own calls.
		rows = (await session.dataTableRows(OUTCOME_TABLE)).filter(
			({ loadNumber }) => loadNumber === '48213',
		);
		return rows.length > 0;
	});
	const [{ callId } = {}] = dialed();
	expect(rows).toEqual([expect.objectContaining({ loadNumber: '48213', callId: String(callId) })]);
	expect(dialed()).toHaveLength(1);
});

it('lets an execution wait for its event, and continues with the outcome', async () => {
	cluster.sandbox.setWebhook({ url: (await cluster.workflows.event()).url });
	const workflow = await cluster.workflows.checkCall(
		{ waitForOutcome: 'webhook', waitLimit: 30 },
		{ nodes: [reports.node('Report')], connections: { Call: leadTo('Report') } },
	);
	await post(workflow.url, driver('20'));
	await waitUntil('its wait', async () => {
		const [execution] = await cluster.executions.of(workflow.id);
		return execution?.status === 'waiting';
	});
	await cluster.sandbox.finishCalls();
	await waitUntil('the report', () => reports.items.length > 0);
	expect(reports.items).toEqual([
		expect.objectContaining({ timedOut: false, summary: expect.any(String) }),
	]);
	expect(dialed()).toHaveLength(1);
});

it('does not call a driver again whom the last execution called', async () => {
	const workflow = await cluster.workflows.checkCall({});
	for (const count of [1, 2]) {
		await post(workflow.url, driver('30'));
		await haveEnded(workflow.id, count);
	}
	expect(dialed()).toHaveLength(1);
});

it('counts the calls of earlier executions toward a cap per hour', async () => {
	const workflow = await cluster.workflows.checkCall({ rules: { maxCallsPerHour: 1 } });
	for (const line of ['40', '41']) await post(workflow.url, driver(line));
	expect(await haveEnded(workflow.id, 2)).toEqual(['error', 'success']);
	expect(dialed()).toHaveLength(1);
});

it('does not call again on the editor’s retry of an execution that lost the response', async () => {
	const { faults } = cluster.sandbox;
	faults.add({ endpoint: 'triggerCheckCall', fault: { kind: 'reset', when: 'after' } });
	faults.add({ endpoint: 'listCalls', fault: { kind: 'status', status: 403 }, times: 'always' });
	const options = { lookForLostAnswers: 1 };
	const workflow = await cluster.workflows.checkCall({ rules: { skipIfCalledWithin: 0 }, options });
	await post(workflow.url, driver('50'));
	expect(await haveEnded(workflow.id, 1)).toEqual(['error']);
	const [failed] = await cluster.executions.of(workflow.id);
	expect(await cluster.session.executions.error(failed?.id ?? '')).toMatch('may have rung');

	faults.clear();
	await cluster.executions.retry(failed?.id ?? '');
	expect(await haveEnded(workflow.id, 2)).toEqual(['error', 'success']);
	const [retried] = await cluster.executions.of(workflow.id);
	const [{ callId } = {}] = dialed();
	const { items } = await cluster.executions.calls(retried?.id ?? '');
	expect(items).toEqual([expect.objectContaining({ callId, placement: 'reconciled' })]);
	expect(dialed()).toHaveLength(1);
});
