import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, occupyPort, temporaryFolder } from './support/start-command.mts';

// These tests start programs, which takes time on a busy machine.

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Expects one line on the error stream, no other output, and the exit code for bad input. */
async function errorLine(args: string[], env: Record<string, string> = {}): Promise<string> {
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

describe('an option that cannot be used', () => {
	it.each([
		[['--foo'], '--foo is not an option'],
		[['extra'], '"extra" is not an option'],
		[['--once=1'], '--once does not take a value'],
		[['--n8n-port'], '--n8n-port needs a value'],
		[['--n8n-port', 'abc'], '--n8n-port must be a whole number from 1 to 65535, not "abc".'],
		[['--n8n-port', '0'], '--n8n-port must be a whole number from 1 to 65535, not "0"'],
		[
			['--sandbox-port', '65536'],
			'--sandbox-port must be a whole number from 1 to 65535, not "65536"',
		],
		[['--calls=-5'], '--calls must be a whole number from 0 to 1000000, not "-5"'],
		[['--calls', '1e3'], '--calls must be a whole number from 0 to 1000000, not "1e3"'],
		[['--call-delay', '1.5'], '--call-delay must be a whole number from 0 to 600000, not "1.5"'],
		[['--n8n-port', '5690'], '--n8n-port and --sandbox-port are both 5690'],
		[['--once', '--install-only'], '--once and --install-only cannot be used together'],
		[['--once', '--watch'], '--once and --watch cannot be used together'],
		[['--reset', '--install-only'], '--reset cannot be used with --install-only'],
	])('is named in the message: %j', async (args, message) => {
		expect(await errorLine(args)).toContain(message);
	});

	it('explains the missing "--" that npm requires before options', async () => {
		expect(await errorLine([], { npm_config_once: 'true' })).toContain(
			'Write "npm start -- --once"',
		);
	});
});

describe('a port that is in use', () => {
	it.each(['--n8n-port', '--sandbox-port'])('is named with its option %s', async (flag) => {
		const occupied = await occupyPort();
		const message = await errorLine([flag, String(occupied.port)]);
		await occupied.free();
		expect(message).toMatch(
			new RegExp(`^Port ${occupied.port} for .* is already in use\\. .* ${flag}`),
		);
	});

	it('keeps --reset from deleting anything', async () => {
		const env = dataFolder('kept', {
			'login.json': '{"email":"a@b.example","password":"Secret-123"}',
		});
		const occupied = await occupyPort();
		await errorLine(['--reset', '--n8n-port', String(occupied.port)], env);
		await occupied.free();
		const other = await occupyPort();
		const again = await errorLine(['--reset', '--sandbox-port', String(other.port)], env);
		await other.free();
		expect(again).toContain(String(other.port));
		expect(() =>
			writeFileSync(join(folder.path, 'kept', 'login.json'), '', { flag: 'wx' }),
		).toThrow('EEXIST');
	});
});

describe('an environment or a file that cannot be used', () => {
	it.each(['CARRIER_PLAYGROUND_CACHE', 'CARRIER_PLAYGROUND_DATA'])(
		'%s must be a full path',
		async (name) => {
			expect(await errorLine(['--once'], { [name]: 'somewhere' })).toContain(
				`${name} must be the full path of a folder, not "somewhere"`,
			);
		},
	);

	it('names a data folder that is a file', async () => {
		const file = join(folder.path, 'file');
		writeFileSync(file, '');
		expect(await errorLine([], { CARRIER_PLAYGROUND_DATA: join(file, 'data') })).toContain(
			`The data folder ${join(file, 'data')} cannot be used (ENOTDIR)`,
		);
	});

	it('names a cache folder that is a file', async () => {
		const file = join(folder.path, 'cache-file');
		writeFileSync(file, '');
		expect(await errorLine([], { CARRIER_PLAYGROUND_CACHE: file })).toContain(
			`n8n cannot be installed in ${file}`,
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
	])('names %s when it is damaged and says what to do', async (_, name, files, file) => {
		const message = await errorLine([], dataFolder(name, files));
		expect(message).toContain(join(folder.path, name, file));
		expect(message).toMatch(/is damaged\. Restore a copy, or .*--reset/);
	});

	it('does not create a new login for a database that has an owner', async () => {
		const env = dataFolder('no-login', { '.n8n/database.sqlite': 'SQLite format 3\0' });
		expect(await errorLine([], env)).toContain('login.json is missing');
	});
});

describe('--help', () => {
	it('lists every option and variable and starts nothing', async () => {
		const { exitCode, stdout } = await run(['--help']);
		expect(exitCode).toBe(0);
		for (const word of ['--once', '--install-only', '--watch', '--reset', '--n8n-port']) {
			expect(stdout).toContain(word);
		}
		for (const word of ['--sandbox-port', '--calls', '--call-delay', 'CARRIER_PLAYGROUND_CACHE']) {
			expect(stdout).toContain(word);
		}
	});
});
