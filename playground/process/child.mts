import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { errorMessage, UserError } from '../cli/terminal.mts';

export interface ChildOptions {
	command: string;
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** Receives everything the child prints. */
	logFile: string;
	/** How long it may take to stop before it is killed. */
	stopWithinMs?: number;
	/** Receives what it sends with process.send. */
	onMessage?: ((message: unknown) => void) | undefined;
}

export interface Child {
	pid: number;
	/** The last lines it printed, oldest first. */
	lastLines(): string[];
	/** Resolves when it has printed this text or has exited. */
	printed(text: string): Promise<void>;
	/** Resolves when it has exited, with how ("exit code 1", "signal SIGKILL"). */
	exited: Promise<string>;
	isRunning(): boolean;
	/** Asks it to stop, kills it if it doesn't, and resolves when it and its own children are gone. */
	stop(): Promise<void>;
}

/** Node.js arguments that make a program stop when this process is gone, for any reason. */
export function exitingWithParent(args: string[]): string[] {
	return [
		'--import',
		pathToFileURL(join(import.meta.dirname, 'exit-with-parent.mjs')).href,
		...args,
	];
}

const TAIL_CHARACTERS = 20_000;
const POLL_MS = 100;

/**
 * Starts a program in its own process group (so that Ctrl-C in the terminal reaches only this process,
 * which decides the order of stopping), with a channel that closes when this process is gone.
 */
export function startChild(options: ChildOptions): Child {
	const log = openLog(options.logFile);
	const child = spawn(options.command, options.args, {
		cwd: options.cwd,
		env: options.env,
		detached: true,
		// Straight to the file: a pipe to this process would break, and block the child, when it is gone.
		stdio: ['ignore', log, log, 'ipc'],
	});
	closeSync(log);
	if (options.onMessage) child.on('message', options.onMessage);
	let running = true;
	const exited = new Promise<string>((resolve) => {
		child.once('error', (error) => {
			running = false;
			resolve(error.message);
		});
		child.once('exit', (code, signal) => {
			running = false;
			resolve(signal === null ? `exit code ${code}` : `signal ${signal}`);
		});
	});
	const pid = child.pid ?? 0;
	return {
		pid,
		exited,
		lastLines: () =>
			tailOf(options.logFile)
				.split('\n')
				.filter((line) => line.trim() !== ''),
		printed: async (text) => {
			while (running && !tailOf(options.logFile).includes(text)) await wait(POLL_MS);
		},
		isRunning: () => running,
		stop: async () => {
			if (running) await stopProcess(child, exited, options.stopWithinMs ?? 15_000);
			if (pid > 0) killGroup(pid);
		},
	};
}

async function stopProcess(child: ChildProcess, exited: Promise<string>, withinMs: number) {
	child.kill('SIGTERM');
	const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
	await exited;
	clearTimeout(timer);
}

/** Kills what the child started and left behind (n8n's task runners), all of it in the child's group. */
function killGroup(pid: number): void {
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// The group is empty already.
	}
}

function openLog(file: string): number {
	try {
		return openSync(file, 'w');
	} catch (error) {
		throw new UserError(`Cannot write ${file} (${errorMessage(error)}). Check who owns it.`);
	}
}

function tailOf(file: string): string {
	try {
		return readFileSync(file, 'utf8').slice(-TAIL_CHARACTERS);
	} catch {
		return '';
	}
}
