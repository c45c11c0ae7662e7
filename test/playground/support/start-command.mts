import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');

export interface ExitResult {
	exitCode: number | null;
	stdout: string;
	stderr: string;
}

export interface RunningCommand {
	process: ChildProcess;
	exited: Promise<ExitResult>;
	/** Resolves when the text was printed. Rejects when the program exits before. */
	printed(text: string): Promise<void>;
	/** What it has printed until now. */
	soFar(): { stdout: string; stderr: string };
}

/** A new empty folder for one test. */
export function temporaryFolder(): { path: string; remove(): void } {
	const path = mkdtempSync(join(tmpdir(), 'playground-test-'));
	return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts playground/start.mjs as `npm start` does, away from the checkout's own data. */
export function start(args: string[], env: Record<string, string> = {}): RunningCommand {
	const child = spawn(process.execPath, [join(ROOT, 'playground', 'start.mjs'), ...args], {
		env: { ...withoutNpm(), ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let stdout = '';
	let stderr = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
	child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
	const exited = once(child, 'close').then(() => ({ exitCode: child.exitCode, stdout, stderr }));
	const printed = (text: string) =>
		new Promise<void>((resolve, reject) => {
			const look = () => stdout.includes(text) && resolve();
			child.stdout.on('data', look);
			look();
			void exited.then(() => reject(new Error(`It exited without printing "${text}": ${stderr}`)));
		});
	return { process: child, exited, printed, soFar: () => ({ stdout, stderr }) };
}

/** Runs it until it exits. */
export function run(args: string[], env: Record<string, string> = {}): Promise<ExitResult> {
	return start(args, env).exited;
}

/** Listens on a free port while a test needs that port to be in use. */
export async function occupyPort(): Promise<{ port: number; free(): Promise<void> }> {
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

/** Whether a process still exists. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/** Resolves when the condition holds. The test's own time limit ends the wait. */
export async function waitUntil(check: () => boolean): Promise<void> {
	while (!check()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The tests may run under npm, whose variables change how flags are read. */
function withoutNpm(): NodeJS.ProcessEnv {
	return Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !name.startsWith('npm_config_')),
	);
}
