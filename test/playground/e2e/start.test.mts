import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownerLogin } from '../../../playground/setup/data.mts';
import { exampleWorkflows, FIRST_WORKFLOW } from '../../../playground/demo/examples.mts';
import {
	EXAMPLE_CREDENTIALS,
	SANDBOX_CREDENTIAL,
	SANDBOX_CREDENTIAL_TYPE,
	sandboxCredentialId,
} from '../../../playground/setup/import-examples.mts';
import {
	CALLING_WORKFLOW,
	INBOX_WORKFLOW,
	OUTCOME_WORKFLOW,
} from '../../../playground/demo/sample-check-call.mts';
import { freePort } from '../../../playground/process/ports.mts';
import { logIn, type N8nSession } from '../../../playground/n8n/session.mts';
import { type JsonObject, N8nApiError, N8nRest, textIn } from '../../../playground/n8n/rest.mts';
import { startPreparedN8n } from '../../support/prepared-n8n.mts';
import { waitUntil as eventually } from '../../support/wait-until.mts';
import { sampleRows } from '../support/sample-rows.mts';
import {
	isAlive,
	run,
	type RunningCommand,
	start,
	temporaryFolder,
	waitUntil,
} from '../support/start-command.mts';

// One playground, started again and again as a user would. A start takes 12 s of CPU time, so each test continues
// with what the last one left, sometimes with the playground still running.
const folder = temporaryFolder();
const env = { CARRIER_PLAYGROUND_DATA: folder.path };
let n8nUrl: string;
let ports: string[];
let playground: RunningCommand;

beforeAll(async () => {
	const [n8nPort, sandboxPort] = [await freePort(), await freePort()];
	n8nUrl = `http://127.0.0.1:${n8nPort}`;
	ports = ['--n8n-port', String(n8nPort), '--sandbox-port', String(sandboxPort)];
});
afterAll(async () => {
	playground?.process.kill();
	await playground?.exited;
	folder.remove();
});

const once = () => run(['--once', '--call-delay', '500', ...ports], env);

async function startAndStay(): Promise<void> {
	playground = start(ports, env);
	await playground.printed('Everything is up');
}

/** Does something in the n8n of the running playground, as a user would. */
async function asUser(work: (session: N8nSession) => Promise<void>): Promise<void> {
	await work(await logIn(new N8nRest(n8nUrl), ownerLogin(folder.path)));
}

/** Looks and does something in n8n while the playground isn't running. */
async function betweenStarts(work: (session: N8nSession) => Promise<void>): Promise<void> {
	const n8n = await startPreparedN8n({ userFolder: folder.path });
	try {
		await work(await n8n.login(ownerLogin(folder.path)));
	} finally {
		await n8n.stop();
	}
}

/** Changes where the credential of the examples leads. */
async function pointCredentialAt(session: N8nSession, baseUrl: string): Promise<void> {
	await session.updateCredential((await sandboxCredentialId(session)) ?? '', {
		name: SANDBOX_CREDENTIAL,
		type: SANDBOX_CREDENTIAL_TYPE,
		data: { baseUrl, accessToken: 'secret' },
	});
}

/** Those that an event started. The example that calls also looks at its table every ten minutes. */
function fromWebhooks(executions: JsonObject[]): JsonObject[] {
	return executions.filter(({ mode }) => mode === 'webhook');
}

/** The n8n that a running playground started. */
function n8nOf({ pid }: { pid?: number | undefined }): number {
	return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);
}

it('places the sample check call in a fresh n8n: one event, one call, one row', async () => {
	const { exitCode, stdout, stderr } = await once();
	expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
	expect(stdout).toContain('Calls placed: 1.');
	expect(stdout).toMatch(/loadNumber +482\d\d\n/);
	expect(stdout).toMatch(/outcome +reached\n/);
	expect(stdout).toMatch(/delayed +false\n/);
	expect(stdout).toMatch(/summary +\S.*Luis Ortega/);
	expect(stdout).toMatch(
		/placed the call, in the node with the truck: http\S+\/workflow\/tmsEventToCheckCall\/executions\/\d+\n/,
	);
});

it('exits with one line when n8n dies', async () => {
	await startAndStay();
	// What the next start must not change.
	await asUser(async (session) => {
		const path = `/rest/workflows/${CALLING_WORKFLOW}`;
		await session.rest.send('rename', 'PATCH', path, { name: 'Chicago departures' });
		await session.createWorkflow({ id: 'mine', name: 'Mine', nodes: [], connections: {} });
		await session.createCredential({
			name: 'Mine',
			type: SANDBOX_CREDENTIAL_TYPE,
			data: { baseUrl: 'https://calls.example.com', accessToken: 'secret' },
		});
	});

	process.kill(n8nOf(playground.process), 'SIGKILL');
	const { exitCode, stderr } = await playground.exited;
	expect(exitCode).toBe(1);
	expect(stderr).toBe(
		`n8n stopped (signal SIGKILL). Run "npm start" to start it again. Log: ${join(folder.path, 'n8n-start.log')}\n`,
	);
});

it('creates nothing twice, and changes nothing the user made', async () => {
	await startAndStay();
	const { stdout, stderr } = playground.soFar();
	expect(stderr).toBe('');
	expect(stdout).not.toMatch(/created|imported|now points/);

	await asUser(async (session) => {
		expect(await session.workflow(CALLING_WORKFLOW)).toMatchObject({ name: 'Chicago departures' });
		expect(await session.workflow('mine')).toMatchObject({ name: 'Mine' });
		expect(await session.workflow(FIRST_WORKFLOW)).toMatchObject({
			...{ name: '1 · Start here: New bids → table and chat' },
			tags: [{ name: '1 Start' }],
		});
		const names = (await session.credentials()).map(({ name }) => name).sort();
		expect(names).toEqual(
			[SANDBOX_CREDENTIAL, ...EXAMPLE_CREDENTIALS.map(({ name }) => name), 'Mine'].sort(),
		);
		expect(await sampleRows(session)).toHaveLength(3);
		const success = { status: 'success' };
		const ofEvents = fromWebhooks(await session.executions.newest(INBOX_WORKFLOW));
		expect(ofEvents).toMatchObject([success, success, success]);
	});
});

it('serves all of the editor', async () => {
	const page = await (await fetch(n8nUrl)).text();
	expect(page).toContain('n8n:config:rest-endpoint');
	const files = [...page.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, file]) => file);
	expect(files.length).toBeGreaterThan(3);
	for (const file of files) {
		const response = await fetch(`${n8nUrl}/${file}`);
		await response.arrayBuffer();
		expect(response.status).toBe(200);
		// For a file that it doesn't have, n8n may serve the page itself.
		expect(response.headers.get('content-type')).toMatch(/javascript|css/);
	}
});

it('stays up until Ctrl-C and then leaves nothing running', async () => {
	const n8n = n8nOf(playground.process);
	expect(isAlive(n8n)).toBe(true);

	const second = await run(ports, env);
	expect(second).toMatchObject({ exitCode: 2, stdout: '' });
	expect(second.stderr).toContain(
		`Process ${playground.process.pid} is running the playground already`,
	);
	// What the next start must notice.
	await asUser((session) => pointCredentialAt(session, 'https://calls.example.com'));

	playground.process.kill('SIGINT');
	const { exitCode, stdout } = await playground.exited;
	expect(exitCode).toBe(0);
	expect(stdout).toContain(ownerLogin(folder.path).password);
	expect(stdout).toMatch(/Base URL +http:\/\/127\.0\.0\.1:\d+\n +Access Token +\S+\n/);
	expect(isAlive(n8n)).toBe(false);
	expect(existsSync(join(folder.path, '.cache', 'n8n', 'public'))).toBe(false);
});

it('sends no sample event to a workflow that uses another service than the sandbox', async () => {
	const startedAt = Date.now();
	const { exitCode, stderr } = await once();
	expect(exitCode).toBe(1);
	expect(stderr).toBe(
		'The workflow "Chicago departures" uses https://calls.example.com instead of the sandbox. The sample event was not sent, so no phone rang.\n',
	);
	await betweenStarts(async (session) => {
		const times = fromWebhooks(await session.executions.newest()).map((one) =>
			Date.parse(textIn(one, 'startedAt')),
		);
		expect(times.length).toBeGreaterThanOrEqual(6);
		expect(Math.max(...times)).toBeLessThan(startedAt);
		await pointCredentialAt(session, 'http://127.0.0.1:1');
		await leaveInactive(session);
	});
});

/** An example as an interrupted start leaves it, and another one that the user deactivated. */
async function leaveInactive(session: N8nSession): Promise<void> {
	const [example] = exampleWorkflows().filter(({ id }) => id === OUTCOME_WORKFLOW);
	if (example === undefined) throw new Error('The example is missing');
	const path = `/rest/workflows/${OUTCOME_WORKFLOW}`;
	await session.rest.send('archive', 'POST', `${path}/archive`, {});
	await eventually('n8n to delete the workflow', async () => {
		try {
			await session.rest.send('delete', 'DELETE', path);
			return true;
		} catch (error) {
			// n8n 2.41 unpublishes an archived workflow in the background.
			if (error instanceof N8nApiError && error.status === 409) return false;
			throw error;
		}
	});
	await session.createWorkflow(example);
	await session.deactivate(CALLING_WORKFLOW);
}

it('activates an example left inactive by an interrupted start, but none that the user deactivated', async () => {
	const { exitCode, stdout, stderr } = await once();
	expect(exitCode).toBe(1);
	expect(stdout).toContain('Workflows imported: 1 (1 published)');
	expect(stderr).toMatch(
		/^The workflow "Chicago departures" is not published\. Publish it at http\S+\n$/,
	);

	await startAndStay();
	expect(playground.soFar().stdout).not.toContain('imported');
	await asUser(async (session) => {
		expect(await session.workflow(OUTCOME_WORKFLOW)).toMatchObject({ active: true });
		expect(await session.workflow(CALLING_WORKFLOW)).toMatchObject({ active: false });
	});
});

it('stops n8n even when it is killed itself', async () => {
	const n8n = n8nOf(playground.process);
	expect(isAlive(n8n)).toBe(true);
	playground.process.kill('SIGKILL');
	await playground.exited;
	await waitUntil(() => !isAlive(n8n));
});
