import { API_KEY_VARIABLE } from '../../../playground/n8n/choice.mts';
import { openGivenN8n } from '../../../playground/n8n/given.mts';
import type { RunningN8n } from '../../../playground/n8n/n8n.mts';
import type { N8nSession } from '../../../playground/n8n/session.mts';
import { textIn } from '../../../playground/n8n/rest.mts';
import { freePort } from '../../../playground/process/ports.mts';
import { ROOT } from '../../../playground/setup/paths.mts';
import { startPreparedN8n } from '../../support/prepared-n8n.mts';
import { createApiKey } from '../support/api-key.mts';
import { sampleRows } from '../support/sample-rows.mts';
import { run, temporaryFolder } from '../support/start-command.mts';

const folder = temporaryFolder();
let n8n: RunningN8n;
let session: N8nSession;
let env: Record<string, string>;

/** An n8n that somebody else has started. */
async function startOther(packageDir?: string): Promise<void> {
	n8n = await startPreparedN8n({
		...{ userFolder: folder.path, codeNodes: true },
		...(packageDir !== undefined && { packageDir }),
	});
	session = await n8n.login();
}

const use = (url = n8n.baseUrl, more: string[] = []) =>
	run(['--n8n', url, '--once', '--call-delay', '500', ...more], env);

beforeAll(async () => {
	await startOther();
	env = { [API_KEY_VARIABLE]: await createApiKey(session) };
});
afterAll(async () => {
	await n8n?.stop();
	folder.remove();
});

it('npm start -- --n8n says that the package is missing there', async () => {
	const { exitCode, stderr } = await use();
	expect(stderr).toContain("doesn't have this package. Install it there (docs/install.md)");
	expect(exitCode).toBe(1);
	await n8n.stop();
	await startOther(ROOT);
});

it('npm start -- --n8n imports the examples once and places the sample check call', async () => {
	const port = ['--sandbox-port', String(await freePort())];
	expect(await use(n8n.baseUrl, port)).toMatchObject({ exitCode: 0, stderr: '' });
	const imported = (await session.workflows()).length;
	expect(await sampleRows(session)).toHaveLength(1);

	// The sandbox has another port now.
	const other = ['--sandbox-port', String(await freePort())];
	expect(await use(n8n.baseUrl, other)).toMatchObject({ exitCode: 0, stderr: '' });
	expect(await session.workflows()).toHaveLength(imported);
	expect(await sampleRows(session)).toHaveLength(2);
	expect(n8n.isRunning()).toBe(true);
});

it('npm start -- --n8n sends no event if a workflow uses another credential than the sandbox', async () => {
	const given = await openGivenN8n(n8n.baseUrl, env[API_KEY_VARIABLE] ?? '');
	const calling = await given.workflow('tmsEventToCheckCall');
	const real = await session.createCredential({
		...{ name: 'The real service', type: 'carrierLoadCommunicationsApi' },
		data: { baseUrl: 'https://calls.example.com', accessToken: 'secret' },
	});
	const id = textIn(calling, 'id');
	const whole = await session.workflow(id);
	const nodes = JSON.parse(
		JSON.stringify(whole?.['nodes']).replaceAll(
			/"carrierLoadCommunicationsApi":\{"id":"[^"]+"/g,
			`"carrierLoadCommunicationsApi":{"id":"${textIn(real, 'id')}"`,
		),
	);
	await session.rest.send('change', 'PATCH', `/rest/workflows/${id}`, {
		...{ nodes, versionId: whole?.['versionId'] },
	});
	const result = await use(n8n.baseUrl, ['--sandbox-port', String(await freePort())]);
	expect(result.stderr).toContain('The sample event was not sent, so no phone rang');
	expect(result.exitCode).toBe(1);
});

it.each([
	['a wrong API key', () => use(), { [API_KEY_VARIABLE]: 'wrong' }, 'does not accept the API key'],
	['no API key', () => use(), { [API_KEY_VARIABLE]: '' }, '--n8n needs an API key. Create one'],
	['no n8n there', () => use('http://127.0.0.1:9'), {}, 'No n8n responds at http://127.0.0.1:9'],
	['another machine', () => use('http://10.0.0.8:5678'), {}, 'an n8n on this machine'],
	['no URL', () => use('n8n'), {}, 'such as http://localhost:5678, not "n8n"'],
	['--docker as well', () => use(n8n.baseUrl, ['--docker']), {}, 'cannot be used together'],
	['no Docker', () => run(['--docker']), { PATH: '' }, '--docker needs Docker or Podman'],
])('npm start says what is missing: %s', async (_, start, given: Record<string, string>, text) => {
	const before = env;
	const path = process.env['PATH'];
	env = { ...env, ...given };
	if (given['PATH'] !== undefined) process.env['PATH'] = '';
	try {
		const { exitCode, stderr } = await start();
		expect(stderr).toContain(text);
		expect(exitCode).not.toBe(0);
	} finally {
		env = before;
		process.env['PATH'] = path;
	}
});
