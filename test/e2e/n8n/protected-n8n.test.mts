import { randomUUID } from 'node:crypto';
import { isRecord, textIn } from '../../../playground/n8n/rest.mts';
import { PACKAGE_NAME } from '../../../playground/setup/paths.mts';
import { type Sandbox, startSandbox } from '../../../sandbox/index.mts';
import { waitUntil } from '../../support/wait-until.mts';
import { eventOf, send, signed } from '../triggers/support/events.mts';
import { TriggersEnvironment } from '../triggers/support/triggers-environment.mts';
import { startWaiting } from '../triggers/support/waiting-workflow.mts';

// The SSRF protection forbids n8n's own IP address and the sandbox's at first.
const environment = new TriggersEnvironment({
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_RUNNERS_ENABLED: 'true',
	// For a Code node.
	N8N_RUNNERS_MODE: 'internal',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
});
let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ calls: 20, seed: 7 });
	await environment.open();
});
afterAll(async () => {
	await environment.close();
	await sandbox.close();
});

/** Runs a workflow that begins with a click on Execute Workflow, to its end. */
async function run(nodes: [string, object][]): Promise<string> {
	const { session } = environment;
	const name = `Service ${randomUUID()}`;
	const type = 'carrierLoadCommunicationsApi';
	await session.createCredential({
		...{ name, type },
		data: { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north },
	});
	const names = ['Start', ...nodes.map(([each]) => each)];
	const start = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
	const workflow = await session.createWorkflow({
		name,
		nodes: [['Start', start] as const, ...nodes].map(([each, settings], index) => ({
			...{ id: randomUUID(), name: each, position: [200 * index, 0] },
			...settings,
			credentials: { [type]: { id: null, name } },
		})),
		connections: Object.fromEntries(
			names
				.slice(0, -1)
				.map((each, index) => [
					each,
					{ main: [[{ node: names[index + 1], type: 'main', index: 0 }]] },
				]),
		),
	});
	const path = `/rest/workflows/${textIn(workflow, 'id')}/run`;
	const body = { triggerToStartFrom: { name: 'Start' } };
	const id = textIn(await session.rest.send('run it', 'POST', path, body), 'executionId');
	await waitUntil('its end', async () =>
		['success', 'error'].includes(await session.executions.status(id)),
	);
	return id;
}

const action = (parameters: object) => ({
	...{ type: `${PACKAGE_NAME}.carrierLoadCommunications`, typeVersion: 1 },
	parameters: { resource: 'call', options: {}, ...parameters },
});

describe('with SSRF protection', () => {
	it('a service at a forbidden IP address is an error that says whom to ask', async () => {
		const list = action({ operation: 'getAll', timeRange: 'last7Days', limit: 1 });
		const id = await run([['Calls', list]]);
		const error = await environment.session.executions.error(id);
		expect(error).toMatch(/n8n does not allow requests to .*Ask your n8n administrator/);
	});

	it('an event that may not be passed to its execution starts the workflow, and the log says why', async () => {
		const { url } = await environment.activeTrigger();
		const { n8nResumeUrl } = await startWaiting(environment);
		const { text } = await send(url, signed(eventOf({ metadata: { n8nResumeUrl } })));
		expect(JSON.parse(text)).toMatchObject({ resumed: 0, started: 1 });
		expect(environment.log()).toMatch("n8n's SSRF protection does not allow its own URL");
	});

	it('an event reaches its execution once n8n’s own IP address is allowed', async () => {
		await environment.restart({ N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32' });
		const { url } = await environment.activeTrigger();
		const { n8nResumeUrl } = await startWaiting(environment);
		const { text } = await send(url, signed(eventOf({ metadata: { n8nResumeUrl } })));
		expect(JSON.parse(text)).toMatchObject({ resumed: 1, started: 0 });
	});

	it('a recording is downloaded to n8n’s folder, and a Code node in a task runner reads it', async () => {
		const [call] = (await listedCalls()).filter(({ recordingUrl }) => recordingUrl);
		const download = action({
			...{ operation: 'downloadRecording', callId: String(call?.id), lookBackDays: 90 },
		});
		const jsCode = `const bytes = await this.helpers.getBinaryDataBuffer(0, Object.keys(items[0].binary)[0]);
return [{ json: { content: bytes.toString('base64') } }];`;
		const code = { type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
		const id = await run([
			['Recording', download],
			['Code', code],
		]);
		const { executions } = environment.session;
		expect([await executions.status(id), await executions.error(id)]).toEqual([
			'success',
			'no reason given',
		]);
		const headers = { authorization: `Bearer ${sandbox.tokens.north}` };
		const recording = await fetch(String(call?.recordingUrl), { headers });
		const content = Buffer.from(await recording.arrayBuffer()).toString('base64');
		expect(await environment.itemsOf(id, 'Code')).toEqual([{ content }]);
	});
});

async function listedCalls() {
	const headers = { authorization: `Bearer ${sandbox.tokens.north}` };
	const range = 'startTime=2000-01-01&endTime=2100-01-01';
	const response = await fetch(`${sandbox.baseUrl}/api/v1/calls?${range}`, { headers });
	const page: unknown = await response.json();
	const calls: unknown = isRecord(page) ? page['calls'] : [];
	return (Array.isArray(calls) ? calls : []) as { id: number; recordingUrl?: string }[];
}
