import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { API_KEY_VARIABLE, N8N_VARIABLE } from '../../../playground/n8n/choice.mts';
import type { RunningN8n } from '../../../playground/n8n/n8n.mts';
import type { N8nSession } from '../../../playground/n8n/session.mts';
import { ROOT } from '../../../playground/setup/paths.mts';
import { startPreparedN8n } from '../../support/prepared-n8n.mts';
import { createApiKey } from '../support/api-key.mts';
import { temporaryFolder } from '../support/start-command.mts';

const folder = temporaryFolder();
let n8n: RunningN8n;
let session: N8nSession;
let apiKey: string;

beforeAll(async () => {
	n8n = await startPreparedN8n({ userFolder: folder.path, codeNodes: true, packageDir: ROOT });
	session = await n8n.login();
	apiKey = await createApiKey(session);
});
afterAll(async () => {
	await n8n?.stop();
	folder.remove();
});

/** Runs a suite on the n8n above, as somebody would who has started it. Returns what Jest prints. */
async function suite(name: string, args: string[] = [], env: Record<string, string> = {}) {
	const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
	const given = { [N8N_VARIABLE]: n8n.baseUrl, [API_KEY_VARIABLE]: apiKey, ...env };
	const options = { cwd: ROOT, env: { ...process.env, ...given }, maxBuffer: 1e8 };
	const command = [jest, '--selectProjects', name, '-w', '1', '--colors=false', ...args];
	return await promisify(execFile)(process.execPath, command, options).then(
		({ stdout, stderr }) => ({ passed: true, printed: stdout + stderr }),
		({ stdout, stderr }) => ({ passed: false, printed: `${stdout}${stderr}` }),
	);
}

const left = async () => ({
	workflows: await session.workflows(),
	tables: await session.dataTables(),
	credentials: await session.credentials(),
});

it('npm run test:e2e tests TMS events and a wait on a given n8n, and leaves nothing there', async () => {
	const { passed, printed } = await suite('e2e', [
		'--testNamePattern',
		'place one call each when they are sent again|continues with the event',
	]);
	expect(passed ? '' : printed).toBe('');
	expect(printed).toMatch(/Tests: .*\b2 passed/);
	expect(printed).toContain(`On the n8n at ${n8n.baseUrl} runs what webhooks start.`);
	expect(await left()).toEqual({ workflows: [], tables: [], credentials: [] });
	expect(n8n.isRunning()).toBe(true);
});

it.each([
	['a suite that needs its own n8n', 'queue', {}, 'so it runs on one that it starts'],
	['no API key', 'e2e', { [API_KEY_VARIABLE]: '' }, 'CARRIER_N8N needs an API key. Create one'],
	['no URL', 'e2e', { [N8N_VARIABLE]: 'podman' }, 'must be "docker" or the URL of an n8n'],
])('a suite says what is missing: %s', async (_, name, env, text) => {
	const { passed, printed } = await suite(name, [], env);
	expect(printed).toContain(text);
	expect(passed).toBe(false);
});

it('npm run test:e2e refuses a given n8n that has workflows', async () => {
	await session.createWorkflow({ name: 'Mine', nodes: [], connections: {} });
	const { passed, printed } = await suite('e2e');
	expect(printed).toContain('Use an n8n with nothing in it but this package.');
	expect(passed).toBe(false);
	expect(await session.workflows()).toHaveLength(1);
});
