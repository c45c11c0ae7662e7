import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');

export interface Ended {
	exitCode: number | null;
	stdout: string;
	stderr: string;
}

export interface Started {
	process: ChildProcess;
	ended: Promise<Ended>;
	/** Settles once the text was printed; rejects when the program ends before. */
	printed(text: string): Promise<void>;
}

/** A folder of its own for one test. */
export function temporaryFolder(): { path: string; remove(): void } {
	const path = mkdtempSync(join(tmpdir(), 'playground-test-'));
	return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts playground/start.mjs as `npm start` does, away from the checkout's own data. */
export function start(args: string[], env: Record<string, string> = {}): Started {
	const child = spawn(process.execPath, [join(ROOT, 'playground', 'start.mjs'), ...args], {
		env: { ...withoutNpm(), ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let stdout = '';
	let stderr = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
	child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
	const ended = once(child, 'close').then(() => ({ exitCode: child.exitCode, stdout, stderr }));
	const printed = (text: string) =>
		new Promise<void>((resolve, reject) => {
			const look = () => stdout.includes(text) && resolve();
			child.stdout.on('data', look);
			look();
			void ended.then(() => reject(new Error(`It ended without printing "${text}": ${stderr}`)));
		});
	return { process: child, ended, printed };
}

/** Runs it to its end. */
export function run(args: string[], env: Record<string, string> = {}): Promise<Ended> {
	return start(args, env).ended;
}

/** Listens on a free port for as long as a test needs that port to be taken. */
export async function takenPort(): Promise<{ port: number; free(): Promise<void> }> {
	const server = createServer();
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No port');
	return {
		port: address.port,
		free: () => new Promise((resolve) => server.close(() => resolve())),
	};
}

/** A port that nothing listens on. */
export async function untakenPort(): Promise<number> {
	const { port, free } = await takenPort();
	await free();
	return port;
}

/** Whether a process is still there. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/** Settles when the check holds; the test's own time limit ends the wait. */
export async function until(check: () => boolean): Promise<void> {
	while (!check()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The tests may run under npm, whose variables change how flags are read. */
function withoutNpm(): NodeJS.ProcessEnv {
	return Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !name.startsWith('npm_config_')),
	);
}
