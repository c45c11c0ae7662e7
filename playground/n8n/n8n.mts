import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exitingWithParent, startChild } from '../process/child.mts';
import { installPackage } from '../setup/community-package.mts';
import { n8nEnvironment } from './environment.mts';
import { N8nRest } from './rest.mts';
import { logIn, type Owner } from './owner.mts';
import { waitUntilReady } from './ready.mts';
import type { N8nSession } from './session.mts';
import { n8nFolder } from '../setup/paths.mts';
import { freePort, LOOPBACK } from '../process/ports.mts';
import { UserError } from '../process/user-error.mts';
import { makeFolder } from '../setup/folders.mts';

export interface N8nOptions {
	/** Where this n8n keeps its database, key and nodes. Created if missing. */
	userFolder: string;
	/** Default: any free port. */
	port?: number;
	/** Variables that override the playground's own (see environment.mts). */
	env?: Record<string, string>;
	/** A built package (a folder with package.json and dist/) to load as a community package. */
	packageDir?: string;
	/** The folder whose node_modules holds n8n. Default: the playground's own. */
	n8nDir?: string;
	/**
	 * Whether n8n serves its editor; default: true. For tests that use only its REST API and webhooks:
	 * without it, n8n doesn't write a copy of the editor's 1,000 files, and starts in two thirds of the time.
	 */
	editor?: boolean;
	/**
	 * Whether it can run Code nodes, which need a second process; default: true. If not, a test can still
	 * ask for them with N8N_RUNNERS_MODE: 'internal'.
	 */
	codeNodes?: boolean;
	/** Which of n8n's commands: all of n8n, or one part of it in queue mode. */
	command?: 'start' | 'worker' | 'webhook';
	/** Arguments for that command: ['--concurrency=5']. */
	args?: string[];
	/** How long it may take to start, in milliseconds. */
	readyWithinMs?: number;
	/** Receives what code in n8n's process sends with process.send. */
	onMessage?: (message: unknown) => void;
}

export interface RunningN8n {
	baseUrl: string;
	/** n8n's process ID, for a test that kills it. */
	pid: number;
	logFile: string;
	/** Logs in, creating the owner account first if there is none. */
	login(owner?: Owner): Promise<N8nSession>;
	/** Resolves when n8n has exited, with how. */
	exited: Promise<string>;
	isRunning(): boolean;
	/** Stops n8n and its task runners and resolves when they are gone. May be called twice. */
	stop(): Promise<void>;
}

/** In the user folder. n8n 2.41 allows its nodes ~/.n8n-files, and doesn't create it. */
export const FILES_FOLDER = '.n8n-files';

const TEST_OWNER: Owner = {
	email: 'dispatcher@playground.example',
	password: 'Playground-48213',
	firstName: 'Pat',
	lastName: 'Dispatcher',
};

/** n8n then waits for a runner to connect, and starts none (n8n 2.41: task-runner-module.js). */
const WITHOUT_CODE_NODES = { N8N_RUNNERS_MODE: 'external', N8N_RUNNERS_AUTH_TOKEN: 'unused' };

/**
 * Starts a real n8n on this machine and resolves when it is ready.
 * @param onChild receives a way to stop n8n while it is still starting
 * @throws UserError when n8n is not installed, exits during the start, or is not ready in time
 */
export async function startN8n(
	options: N8nOptions,
	onChild: (stop: () => Promise<void>) => void = () => undefined,
): Promise<RunningN8n> {
	const program = n8nProgram(options.n8nDir ?? n8nFolder());
	makeFolder(options.userFolder);
	// The only folder that n8n's nodes may write to (N8N_RESTRICT_FILE_ACCESS_TO).
	makeFolder(join(options.userFolder, FILES_FOLDER));
	if (options.packageDir !== undefined) installPackage(options.packageDir, options.userFolder);
	const port = options.port || (await freePort());
	const command = options.command ?? 'start';
	const logFile = join(options.userFolder, `n8n-${command}.log`);
	const child = startChild({
		command: process.execPath,
		args: exitingWithParent([program, command, ...(options.args ?? [])]),
		cwd: options.userFolder,
		env: n8nEnvironment(
			{ userFolder: options.userFolder, port, brokerPort: await freePort() },
			{
				N8N_DISABLE_UI: String(options.editor === false),
				...(options.codeNodes === false && WITHOUT_CODE_NODES),
				...options.env,
			},
		),
		logFile,
		onMessage: options.onMessage,
	});
	const stop = async () => {
		await child.stop();
		removeEditorFiles(options.userFolder);
	};
	onChild(stop);
	await waitUntilReady(child, command, options.readyWithinMs ?? 600_000, logFile);
	const baseUrl = `http://${LOOPBACK}:${port}`;
	return {
		baseUrl,
		pid: child.pid,
		logFile,
		login: (owner = TEST_OWNER) => logIn(new N8nRest(baseUrl), owner),
		exited: child.exited,
		isRunning: child.isRunning,
		stop,
	};
}

/**
 * Removes the copy of the editor that n8n 2.41 writes anew at each start: 1,000 files, which `n8n-node lint` would
 * check, because it ignores no folder.
 */
function removeEditorFiles(userFolder: string): void {
	rmSync(join(userFolder, '.cache', 'n8n', 'public'), { recursive: true, force: true });
}

function n8nProgram(folder: string): string {
	const program = join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	if (existsSync(program)) return program;
	throw new UserError(
		`n8n is not installed in ${folder}. Run "npm start -- --install-only" first.`,
	);
}
