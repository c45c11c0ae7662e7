import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, takenPort, temporaryFolder } from './support/start-command.mts';

// Programs are started: on a busy machine that takes its time.
jest.setTimeout(60_000);

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Asks for one line on the error stream, no other output, and the exit code for bad input. */
async function refusal(args: string[], env: Record<string, string> = {}): Promise<string> {
	const { exitCode, stdout, stderr } = await run(args, {
		CARRIER_PLAYGROUND_DATA: join(folder.path, 'data'),
		...env,
	});
	expect({ exitCode, stdout, lines: stderr.trim().split('\n').length }).toEqual({
		exitCode: 2,
		stdout: '',
		lines: 1,
	});
	expect(stderr).not.toContain('    at ');
	return stderr;
}

function dataFolder(name: string, files: Record<string, string>): Record<string, string> {
	const path = join(folder.path, name);
	mkdirSync(join(path, '.n8n'), { recursive: true });
	for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content);
	return { CARRIER_PLAYGROUND_DATA: path };
}

describe('flags that cannot be used', () => {
	it.each([
		[['--foo'], '--foo is no flag'],
		[['extra'], '"extra" is no flag'],
		[['--once=1'], '--once takes no value'],
		[['--n8n-port'], '--n8n-port needs a value'],
		[['--n8n-port', 'abc'], '--n8n-port is "abc": give it a whole number from 1 to 65535'],
		[['--n8n-port', '0'], '--n8n-port is "0"'],
		[['--sandbox-port', '65536'], '--sandbox-port is "65536"'],
		[['--calls=-5'], '--calls is "-5"'],
		[['--calls', '1e3'], '--calls is "1e3"'],
		[['--call-delay', '1.5'], '--call-delay is "1.5"'],
		[['--n8n-port', '5690'], '--n8n-port and --sandbox-port are both 5690'],
		[['--once', '--sandbox-only'], '--once and --sandbox-only cannot be used together'],
		[['--reset', '--sandbox-only'], '--reset is for a whole start'],
	])('%j are refused by name', async (args, message) => {
		expect(await refusal(args)).toContain(message);
	});

	it('tells who forgot the "--" that npm wants before flags', async () => {
		expect(await refusal([], { npm_config_once: 'true' })).toContain('write "npm start -- --once"');
	});
});

describe('ports that are taken', () => {
	it.each(['--n8n-port', '--sandbox-port'])('%s is named with the port', async (flag) => {
		const taken = await takenPort();
		const message = await refusal([flag, String(taken.port)]);
		await taken.free();
		expect(message).toMatch(new RegExp(`^Port ${taken.port}, .* is taken: .* ${flag}`));
	});

	it('deletes nothing when it is also asked to reset', async () => {
		const env = dataFolder('kept', {
			'login.json': '{"email":"a@b.example","password":"Secret-123"}',
		});
		const taken = await takenPort();
		await refusal(['--reset', '--n8n-port', String(taken.port)], env);
		await taken.free();
		const other = await takenPort();
		const again = await refusal(['--reset', '--sandbox-port', String(other.port)], env);
		await other.free();
		expect(again).toContain(String(other.port));
		expect(() =>
			writeFileSync(join(folder.path, 'kept', 'login.json'), '', { flag: 'wx' }),
		).toThrow('EEXIST');
	});
});

describe('environment and files that cannot be used', () => {
	it.each(['CARRIER_PLAYGROUND_CACHE', 'CARRIER_PLAYGROUND_DATA'])(
		'%s has to be a full path',
		async (name) => {
			expect(await refusal(['--once'], { [name]: 'somewhere' })).toContain(
				`${name} is "somewhere"`,
			);
		},
	);

	it('names a data folder that is a file', async () => {
		const file = join(folder.path, 'file');
		writeFileSync(file, '');
		expect(await refusal([], { CARRIER_PLAYGROUND_DATA: join(file, 'data') })).toContain(
			`${join(file, 'data')}, where the playground keeps its data, cannot be used (ENOTDIR)`,
		);
	});

	it('names a cache folder that is a file', async () => {
		const file = join(folder.path, 'cache-file');
		writeFileSync(file, '');
		expect(await refusal([], { CARRIER_PLAYGROUND_CACHE: file })).toContain(
			'where n8n is to be installed, cannot be written (ENOTDIR)',
		);
	});

	it.each([
		["n8n's key", 'key', { '.n8n/config': '{' }, '.n8n/config'],
		[
			"n8n's database",
			'database',
			{ '.n8n/database.sqlite': 'no database' },
			'.n8n/database.sqlite',
		],
		['the login', 'login', { 'login.json': '{"email":"a@b.example"}' }, 'login.json'],
	])('names %s when it is damaged, and the way out', async (_, name, files, file) => {
		const message = await refusal([], dataFolder(name, files));
		expect(message).toContain(join(folder.path, name, file));
		expect(message).toMatch(/is damaged: put a copy back, or .*--reset/);
	});

	it('does not make up a new login for a database that has an owner', async () => {
		const env = dataFolder('no-login', { '.n8n/database.sqlite': 'SQLite format 3\0' });
		expect(await refusal([], env)).toContain('login.json, the login for n8n, is missing');
	});
});

describe('--help', () => {
	it('lists every flag and variable, and starts nothing', async () => {
		const { exitCode, stdout } = await run(['--help']);
		expect(exitCode).toBe(0);
		for (const word of ['--once', '--sandbox-only', '--install-only', '--reset', '--n8n-port']) {
			expect(stdout).toContain(word);
		}
		for (const word of ['--sandbox-port', '--calls', '--call-delay', 'CARRIER_PLAYGROUND_CACHE']) {
			expect(stdout).toContain(word);
		}
	});
});
