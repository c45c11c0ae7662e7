import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

interface Ended {
	code: number | null;
	out: string;
	err: string;
}

/** Runs the sandbox as a user does. `seen` is called with everything printed so far. */
function run(args: string[], seen?: (out: string, child: ChildProcess) => void): Promise<Ended> {
	const child = spawn('node', ['sandbox/main.mts', ...args], { cwd: root });
	const output: Ended = { code: null, out: '', err: '' };
	child.stdout.on('data', (chunk: Buffer) => {
		output.out += String(chunk);
		seen?.(output.out, child);
	});
	child.stderr.on('data', (chunk: Buffer) => (output.err += String(chunk)));
	return new Promise((resolve) => child.on('close', (code) => resolve({ ...output, code })));
}

describe('the command that starts the sandbox', () => {
	it('prints the URL and the tokens, responds, and stops cleanly on Ctrl-C', async () => {
		const statuses: Promise<number>[] = [];
		const { code, out, err } = await run(
			['--port=0', '--calls=5', '--seed=3'],
			(printed, child) => {
				const baseUrl = /running at (\S+)/.exec(printed)?.[1];
				const token = /organization south: (\S+)/.exec(printed)?.[1];
				if (!baseUrl || !token || !printed.includes('Ctrl-C') || statuses.length > 0) return;
				const url = `${baseUrl}/api/v1/calls?startTime=2000-01-01&endTime=2100-01-01`;
				const status = fetch(url, { headers: { authorization: `Bearer ${token}` } }).then(
					(answer) => answer.status,
				);
				statuses.push(status.finally(() => child.kill('SIGINT')));
			},
		);
		expect(await Promise.all(statuses)).toEqual([200]);
		expect([code, err]).toEqual([0, '']);
		expect(out).toContain('5 past calls each');
	});

	it('explains every option', async () => {
		const { code, out } = await run(['--help']);
		expect(code).toBe(0);
		for (const flag of ['port', 'host', 'calls', 'seed', 'history-days', 'call-delay', 'latency']) {
			expect(out).toContain(`--${flag} `);
		}
		for (const flag of ['webhook-url', 'webhook-secret', 'started-events', 'help']) {
			expect(out).toContain(`--${flag}`);
		}
	});

	it.each([
		[['--prot=4010'], '--prot is not an option. Options: --port'],
		[['4010'], '"4010" is not an option. Options: --port'],
		[['--port'], '--port needs a value: --port=VALUE'],
		[['--port', '--calls=5'], '--port needs a value: --port=VALUE'],
		[['--port=http'], '--port must be a whole number from 0 to 65535, not "http"'],
		[['--port=65536'], '--port must be a whole number from 0 to 65535, not "65536"'],
		[['--calls=-1'], '--calls must be a whole number from 0 to 1000000, not "-1"'],
		[['--calls=1e9'], '--calls must be a whole number from 0 to 1000000, not "1e9"'],
		[['--latency='], '--latency must be a whole number'],
		[['--host=example.com'], '--host must be an IP address or localhost, not "example.com"'],
		[['--webhook-url=n8n'], '--webhook-url must be an http or https URL, not "n8n"'],
		[['--webhook-secret='], '--webhook-secret must not be empty'],
		[['--started-events=yes'], '--started-events does not take a value'],
	])('says in one line what is wrong with %j and exits with 2', async (args, line) => {
		const { code, out, err } = await run(args);
		expect([code, out, err.trimEnd().split('\n').length]).toEqual([2, '', 1]);
		expect(err).toContain(line);
	});

	it('says in one line that the port is in use and exits with 2', async () => {
		const other = createServer();
		await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
		const { port } = other.address() as AddressInfo;
		const { code, err } = await run([`--port=${port}`]);
		expect([code, err]).toEqual([
			2,
			`Port ${port} is already in use. Stop the program that uses it, or choose another port with --port.\n`,
		]);
		await new Promise((resolve) => other.close(resolve));
	});
});
