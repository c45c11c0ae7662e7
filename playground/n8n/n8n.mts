import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT_FAILED, UserError } from '../cli/terminal.mts';
import { type Child, exitingWithParent, startChild } from '../process/child.mts';
import { freePort, LOOPBACK } from '../process/ports.mts';
import { installPackage } from '../setup/community-package.mts';
import { makeFolder, n8nFolder } from '../setup/paths.mts';
import { chooseN8n, containerCommand, type N8nChoice } from './choice.mts';
import { asIfStarted } from './given.mts';
import { N8nRest } from './rest.mts';
import { logIn, type N8nSession, type Owner } from './session.mts';

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
	/** Default: what the environment says (see choice.mts). */
	choice?: N8nChoice;
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
	/** n8n's process ID, for a test that kills it. Throws for one that was given, and so does `logFile`. */
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
const FILES_FOLDER = '.n8n-files';

const TEST_OWNER: Owner = {
	email: 'dispatcher@playground.example',
	password: 'Playground-48213',
	firstName: 'Pat',
	lastName: 'Dispatcher',
};

/** n8n then waits for a runner to connect, and starts none (n8n 2.41: task-runner-module.js). */
const WITHOUT_CODE_NODES = { N8N_RUNNERS_MODE: 'external', N8N_RUNNERS_AUTH_TOKEN: 'unused' };

/**
 * Starts a real n8n on this machine and resolves when it is ready. If the environment names one that already runs,
 * takes that as it is.
 * @param onChild receives a way to stop n8n while it is still starting
 * @throws UserError when n8n is not installed, exits during the start, or is not ready in time
 */
export async function startN8n(
	options: N8nOptions,
	onChild: (stop: () => Promise<void>) => void = () => undefined,
): Promise<RunningN8n> {
	const choice = options.choice ?? chooseN8n({ docker: false });
	if (choice.kind === 'given') return await asIfStarted(choice.url, choice.apiKey);
	const program =
		choice.kind === 'container' ? undefined : n8nProgram(options.n8nDir ?? n8nFolder());
	makeFolder(options.userFolder);
	// The only folder that n8n's nodes may write to (N8N_RESTRICT_FILE_ACCESS_TO).
	makeFolder(join(options.userFolder, FILES_FOLDER));
	if (options.packageDir !== undefined) installPackage(options.packageDir, options.userFolder);
	const port = options.port || (await freePort());
	const command = options.command ?? 'start';
	const logFile = join(options.userFolder, `n8n-${command}.log`);
	const env = n8nEnvironment(
		{ userFolder: options.userFolder, port, brokerPort: await freePort() },
		{
			N8N_DISABLE_UI: String(options.editor === false),
			...(options.codeNodes === false && WITHOUT_CODE_NODES),
			...options.env,
		},
	);
	const args = [command, ...(options.args ?? [])];
	const child = startChild({
		...(choice.kind === 'container'
			? {
					...containerCommand(choice.runtime, options.userFolder, env, args),
					env: process.env,
				}
			: { command: process.execPath, args: exitingWithParent([String(program), ...args]), env }),
		cwd: options.userFolder,
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

/** What each command prints when it is ready (n8n 2.41). */
const READY_LINE = {
	start: 'Editor is now accessible via',
	worker: 'n8n worker is now ready',
	webhook: 'Webhook listener waiting for requests',
};

/**
 * Resolves when n8n is ready.
 * @throws UserError when it exits before that, or takes longer
 */
async function waitUntilReady(
	child: Child,
	command: keyof typeof READY_LINE,
	withinMs: number,
	logFile: string,
): Promise<void> {
	const ready = child
		.printed(READY_LINE[command])
		.then(() => (child.isRunning() ? 'ready' : child.exited));
	const late = AbortSignal.timeout(withinMs);
	const tooLate = new Promise<'late'>((resolve) => {
		late.addEventListener('abort', () => resolve('late'));
	});
	const outcome = await Promise.race([ready, child.exited, tooLate]);
	if (outcome === 'ready') return;
	await child.stop();
	const why =
		outcome === 'late' ? `was not ready within ${withinMs / 1000} s` : `stopped (${outcome})`;
	throw new UserError(`n8n ${why} while starting${reason(child)}. Log: ${logFile}`, EXIT_FAILED);
}

/** The line of n8n's output that most likely says why. */
function reason(child: Child): string {
	const line = child.lastLines().findLast((one) => /error|failed|cannot|not available/i.test(one));
	return line === undefined ? '' : ` ("${line.trim().slice(0, 160)}")`;
}

export interface N8nAddresses {
	/** Where n8n keeps everything, in a .n8n folder. */
	userFolder: string;
	port: number;
	/** The port for n8n's task runners. */
	brokerPort: number;
}

/** What n8n inherits from this process's environment: nothing that could point it at another database or host. */
const INHERITED = [
	...['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT'],
	// A folder for compiled code, which saves a fifth of n8n's start where it starts often (.ci/run).
	'NODE_COMPILE_CACHE',
];

/**
 * The environment of an n8n that is private to this machine: it listens on the loopback interface only,
 * keeps all files in its user folder, and does not try to reach the internet.
 * @param extra variables that override all others
 */
export function n8nEnvironment(
	addresses: N8nAddresses,
	extra: Record<string, string> = {},
): NodeJS.ProcessEnv {
	const inherited = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
	const origin = `http://${LOOPBACK}:${addresses.port}`;
	return {
		...inherited,
		HOME: addresses.userFolder,
		N8N_USER_FOLDER: addresses.userFolder,
		N8N_LISTEN_ADDRESS: LOOPBACK,
		N8N_HOST: LOOPBACK,
		N8N_PORT: String(addresses.port),
		N8N_EDITOR_BASE_URL: origin,
		N8N_WEBHOOK_URL: `${origin}/`,
		N8N_RUNNERS_BROKER_PORT: String(addresses.brokerPort),
		// The sandbox's token stays on this machine, even where a proxy is set.
		NO_PROXY: 'localhost,127.0.0.1,::1',
		N8N_SECURE_COOKIE: 'false',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		...OFFLINE,
		...DEFAULTS,
		...extra,
	};
}

/** Each of these would otherwise send a request to the internet, or show the result of one. */
const OFFLINE = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	// n8n 2.41: these modules fetch a catalog when n8n starts and have no setting of their own.
	N8N_DISABLED_MODULES: 'mcp-registry,instance-version-history,instance-reporting',
};

const DEFAULTS = {
	// The package was built a moment ago, so it can't be verified.
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_LOG_LEVEL: 'info',
	// n8n 2.41 registers a published workflow's webhooks the next time it checks its outbox.
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '8',
};
