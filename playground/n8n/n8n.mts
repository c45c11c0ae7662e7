import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, guarded, startChild } from '../process/child.mts';
import { installPackage } from '../setup/community-package.mts';
import { n8nEnvironment } from './environment.mts';
import { N8nRest } from './rest.mts';
import { logIn, type Owner } from './owner.mts';
import type { N8nSession } from './session.mts';
import { n8nFolder } from '../setup/paths.mts';
import { freePort, LOOPBACK } from '../process/ports.mts';
import { FAILED, Problem } from '../process/problem.mts';
import { makeFolder } from '../setup/folders.mts';

export interface N8nOptions {
	/** Where this n8n keeps its database, key and nodes; made when missing. */
	userFolder: string;
	/** 0 or nothing takes a free one. */
	port?: number;
	/** Variables for n8n that win over the playground's own (see n8n-environment.mts). */
	env?: Record<string, string>;
	/** A built package (a folder with package.json and dist/) to load as a community package. */
	packageDir?: string;
	/** The folder whose node_modules holds n8n; the playground's own when not given. */
	n8nDir?: string;
	/** Which of n8n's programs: the whole n8n, or a part of it in queue mode. */
	command?: 'start' | 'worker' | 'webhook';
	/** Arguments for that program: ['--concurrency=5']. */
	args?: string[];
	/** Milliseconds within which it has to be ready. */
	readyWithinMs?: number;
}

export interface RunningN8n {
	baseUrl: string;
	/** The process that is n8n, for a test that kills it. */
	pid: number;
	logFile: string;
	/** Logs in, creating the owner account first when there is none. */
	login(owner?: Owner): Promise<N8nSession>;
	/** Settles when n8n is gone, with how it ended. */
	exited: Promise<string>;
	isRunning(): boolean;
	/** Stops n8n and its task runners; returns when they are gone. May be called twice. */
	stop(): Promise<void>;
}

export const TEST_OWNER: Owner = {
	email: 'dispatcher@playground.example',
	password: 'Playground-48213',
	firstName: 'Pat',
	lastName: 'Dispatcher',
};

/** What each program prints once it takes work (n8n 2.41). */
const READY_LINE = {
	start: 'Editor is now accessible via',
	worker: 'n8n worker is now ready',
	webhook: 'Webhook listener waiting for requests',
};

/**
 * Starts a real n8n on this machine and returns when it takes work.
 * @param onChild gets the way to stop n8n before n8n is ready, for who may have to stop meanwhile
 * @throws Problem when n8n is not installed, ends while it starts, or is not ready in time
 */
export async function startN8n(
	options: N8nOptions,
	onChild: (stop: () => Promise<void>) => void = () => undefined,
): Promise<RunningN8n> {
	const program = n8nProgram(options.n8nDir ?? n8nFolder());
	makeFolder(options.userFolder);
	if (options.packageDir !== undefined)
		await installPackage(options.packageDir, options.userFolder);
	const port = options.port || (await freePort());
	const command = options.command ?? 'start';
	const logFile = join(options.userFolder, `n8n-${command}.log`);
	const child = startChild({
		command: process.execPath,
		args: guarded([program, command, ...(options.args ?? [])]),
		cwd: options.userFolder,
		env: n8nEnvironment(
			{ userFolder: options.userFolder, port, brokerPort: await freePort() },
			options.env,
		),
		logFile,
	});
	onChild(child.stop);
	await untilReady(child, READY_LINE[command], options.readyWithinMs ?? 180_000, logFile);
	const baseUrl = `http://${LOOPBACK}:${port}`;
	return {
		baseUrl,
		pid: child.pid,
		logFile,
		login: (owner = TEST_OWNER) => logIn(new N8nRest(baseUrl), owner),
		exited: child.exited,
		isRunning: child.isRunning,
		stop: child.stop,
	};
}

function n8nProgram(folder: string): string {
	const program = join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	if (existsSync(program)) return program;
	throw new Problem(`n8n is not installed in ${folder}: run "npm start -- --install-only" first`);
}

async function untilReady(child: Child, line: string, withinMs: number, logFile: string) {
	const ready = child.printed(line).then(() => (child.isRunning() ? 'ready' : child.exited));
	const late = AbortSignal.timeout(withinMs);
	const tooLate = new Promise<'late'>((resolve) => {
		late.addEventListener('abort', () => resolve('late'));
	});
	const outcome = await Promise.race([ready, child.exited, tooLate]);
	if (outcome === 'ready') return;
	await child.stop();
	const why =
		outcome === 'late' ? `was not ready within ${withinMs / 1000} s` : `ended (${outcome})`;
	throw new Problem(`n8n ${why} while it started${reason(child)}: its log is ${logFile}`, FAILED);
}

/** The line in n8n's output that most likely says why it gave up. */
function reason(child: Child): string {
	const line = child.lastLines().findLast((one) => /error|failed|cannot|not available/i.test(one));
	return line === undefined ? '' : ` ("${line.trim().slice(0, 160)}")`;
}
