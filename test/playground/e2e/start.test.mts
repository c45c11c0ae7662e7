import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownerLogin } from '../../../playground/setup/data.mts';
import { exampleWorkflows } from '../../../playground/demo/examples.mts';
import { EXAMPLE_CREDENTIALS } from '../../../playground/setup/example-credentials.mts';
import {
	SANDBOX_CREDENTIAL,
	SANDBOX_CREDENTIAL_TYPE,
	sandboxCredentialId,
} from '../../../playground/setup/import-examples.mts';
import {
	CALLING_WORKFLOW,
	OUTCOME_TABLE,
	OUTCOME_WORKFLOW,
} from '../../../playground/demo/sample-check-call.mts';
import { freePort } from '../../../playground/process/ports.mts';
import { startN8n } from '../../../playground/n8n/n8n.mts';
import { N8nApiError } from '../../../playground/n8n/rest.mts';
import type { N8nSession } from '../../../playground/n8n/session.mts';
import { waitUntil as eventually } from '../../support/wait-until.mts';
import { isAlive, run, start, temporaryFolder, waitUntil } from '../support/start-command.mts';

// One playground, started again and again as a user would. Each test continues where the last one
// stopped.
const folder = temporaryFolder();
const env = { CARRIER_PLAYGROUND_DATA: folder.path };
let ports: string[];

beforeAll(async () => {
	const [n8nPort, sandboxPort] = [await freePort(), await freePort()];
	ports = ['--n8n-port', String(n8nPort), '--sandbox-port', String(sandboxPort)];
});
afterAll(() => folder.remove());

const once = () => run(['--once', '--call-delay', '500', ...ports], env);

/** Does in n8n what a user would do between two starts. */
async function asUser<T>(work: (session: N8nSession) => Promise<T>): Promise<T> {
	const n8n = await startN8n({ userFolder: folder.path, editor: false, codeNodes: false });
	try {
		return await work(await n8n.login(ownerLogin(folder.path)));
	} finally {
		await n8n.stop();
	}
}

/** The n8n that a running playground started. */
function n8nOf(playground: number | undefined): number {
	return Number(
		readFileSync(`/proc/${playground}/task/${playground}/children`, 'utf8').split(' ')[0],
	);
}

it('places the sample check call in a fresh n8n: one event, one call, one row', async () => {
	const { exitCode, stdout, stderr } = await once();
	expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
	expect(stdout).toContain('Calls placed: 1.');
	expect(stdout).toMatch(/loadNumber +48213\n/);
	expect(stdout).toMatch(/status +COMPLETED\n/);
	expect(stdout).toMatch(/delayed +false\n/);
	expect(stdout).toMatch(/summary +\S.*Luis Ortega/);
});

it('creates nothing twice, and changes nothing the user made', async () => {
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

	const { exitCode, stdout } = await once();
	expect(exitCode).toBe(0);
	expect(stdout).not.toMatch(/created|imported|now points/);

	await asUser(async (session) => {
		expect(await session.workflow(CALLING_WORKFLOW)).toMatchObject({ name: 'Chicago departures' });
		expect(await session.workflow('mine')).toMatchObject({ name: 'Mine' });
		const names = (await session.credentials()).map(({ name }) => name).sort();
		expect(names).toEqual(
			[SANDBOX_CREDENTIAL, ...EXAMPLE_CREDENTIALS.map(({ name }) => name), 'Mine'].sort(),
		);
		expect(await session.dataTableRows(OUTCOME_TABLE)).toHaveLength(2);
		expect(await session.executions.newest(CALLING_WORKFLOW)).toMatchObject([
			{ status: 'success' },
			{ status: 'success' },
		]);
	});
});

it('activates an example left inactive by an interrupted start, but none that the user deactivated', async () => {
	const [example] = exampleWorkflows().filter(({ id }) => id === OUTCOME_WORKFLOW);
	if (example === undefined) throw new Error('The example is missing');
	await asUser(async (session) => {
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
	});
	const { exitCode, stderr } = await once();
	expect(exitCode).toBe(1);
	expect(stderr).toMatch(
		/^The workflow "Chicago departures" is not published\. Publish it at http\S+\n$/,
	);
	await asUser(async (session) => {
		expect(await session.workflow(OUTCOME_WORKFLOW)).toMatchObject({ active: true });
		expect(await session.workflow(CALLING_WORKFLOW)).toMatchObject({ active: false });
		await session.activate(CALLING_WORKFLOW);
	});
});

it('stays up until Ctrl-C and then leaves nothing running', async () => {
	const playground = start(ports, env);
	await playground.printed('Everything is up');
	const n8n = n8nOf(playground.process.pid);
	expect(isAlive(n8n)).toBe(true);

	const second = await run(ports, env);
	expect(second).toMatchObject({ exitCode: 2, stdout: '' });
	expect(second.stderr).toContain(
		`Process ${playground.process.pid} is running the playground already`,
	);

	playground.process.kill('SIGINT');
	const { exitCode, stdout } = await playground.exited;
	expect(exitCode).toBe(0);
	expect(stdout).toContain(ownerLogin(folder.path).password);
	expect(isAlive(n8n)).toBe(false);
});

it('exits with one line when n8n dies', async () => {
	const playground = start(ports, env);
	await playground.printed('Everything is up');
	process.kill(n8nOf(playground.process.pid), 'SIGKILL');
	const { exitCode, stderr } = await playground.exited;
	expect(exitCode).toBe(1);
	expect(stderr).toBe(
		`n8n stopped (signal SIGKILL). Run "npm start" to start it again. Log: ${join(folder.path, 'n8n-start.log')}\n`,
	);
});

it('stops n8n even when it is killed itself', async () => {
	const playground = start(ports, env);
	await playground.printed('Everything is up');
	const n8n = n8nOf(playground.process.pid);
	playground.process.kill('SIGKILL');
	await playground.exited;
	await waitUntil(() => !isAlive(n8n));
});

it('sends no sample event to a workflow that uses another service than the sandbox', async () => {
	const before = await asUser(async (session) => {
		await session.updateCredential((await sandboxCredentialId(session)) ?? '', {
			name: SANDBOX_CREDENTIAL,
			type: SANDBOX_CREDENTIAL_TYPE,
			data: { baseUrl: 'https://calls.example.com', accessToken: 'secret' },
		});
		return session.executions.newest();
	});
	const { exitCode, stderr } = await once();
	expect(exitCode).toBe(1);
	expect(stderr).toBe(
		'The workflow "Chicago departures" uses https://calls.example.com instead of the sandbox. The sample event was not sent, so no phone rang.\n',
	);
	await asUser(async (session) => {
		expect(await session.executions.newest()).toEqual(before);
	});
});
