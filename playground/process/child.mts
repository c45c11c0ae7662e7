import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Problem, textOf } from './problem.mts';

export interface ChildOptions {
	command: string;
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** Gets all that the child prints. */
	logFile: string;
	/** How long it may take to stop when asked to, before it is killed. */
	stopWithinMs?: number;
}

export interface Child {
	pid: number;
	/** The last lines it printed, oldest first. */
	lastLines(): string[];
	/** Settles once it has printed this text, or is gone. */
	printed(text: string): Promise<void>;
	/** Settles once it is gone, with how it ended ("exit code 1", "signal SIGKILL"). */
	exited: Promise<string>;
	isRunning(): boolean;
	/** Asks it to stop, kills it when it does not, and returns when it and its own children are gone. */
	stop(): Promise<void>;
}

/** Arguments for Node.js that make a program stop itself when we are gone, by whatever way. */
export function guarded(args: string[]): string[] {
	return ['--import', pathToFileURL(join(import.meta.dirname, 'guard.mjs')).href, ...args];
}

const KEPT_CHARACTERS = 20_000;
const POLL_MS = 100;

/**
 * Starts a program in a process group of its own (so that Ctrl-C in the terminal reaches us alone and
 * the order of stopping is ours), with a channel whose closing tells it that we are gone.
 */
export function startChild(options: ChildOptions): Child {
	const log = openLog(options.logFile);
	const child = spawn(options.command, options.args, {
		cwd: options.cwd,
		env: options.env,
		detached: true,
		// Straight into the file: a pipe to us would break, and choke the child, when we are gone.
		stdio: ['ignore', log, log, 'ipc'],
	});
	closeSync(log);
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
			endOf(options.logFile)
				.split('\n')
				.filter((line) => line.trim() !== ''),
		printed: async (text) => {
			while (running && !endOf(options.logFile).includes(text)) await wait(POLL_MS);
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

/** Ends what the child started and left behind (n8n's task runners): all of it is in its group. */
function killGroup(pid: number): void {
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// Nobody is left in the group: that is what was wanted.
	}
}

function openLog(file: string): number {
	try {
		return openSync(file, 'w');
	} catch (error) {
		throw new Problem(`${file} cannot be written (${textOf(error)}): give it to your user`);
	}
}

function endOf(file: string): string {
	try {
		return readFileSync(file, 'utf8').slice(-KEPT_CHARACTERS);
	} catch {
		return '';
	}
}
