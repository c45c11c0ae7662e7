import { join } from 'node:path';
import type { Sandbox } from '../sandbox/index.mts';
import { build, isBuilt } from './setup/build.mts';
import { checkData, loginFile, makeDataFolder, ownerLogin } from './setup/data.mts';
import { dataProblem, loginProblem } from './setup/unusable-data.mts';
import { furnish } from './setup/import-examples.mts';
import { install, isInstalled, prepareInstallation } from './setup/install.mts';
import { outcomeAddress, runMainJob } from './demo/main-job.mts';
import { type RunningN8n, startN8n } from './n8n/n8n.mts';
import type { N8nSession } from './n8n/session.mts';
import { HELP, type Options, readOptions } from './cli/options.mts';
import { dataFolder, n8nFolder, ROOT } from './setup/paths.mts';
import { assertPortFree } from './process/ports.mts';
import { FAILED, Problem, textOf } from './process/problem.mts';
import { reset } from './setup/reset.mts';
import { holdAlone } from './process/single-instance.mts';
import { Stops } from './process/shutdown.mts';
import { showAddresses, showJob, showSandbox } from './cli/show.mts';
import { complain, say, step } from './cli/terminal.mts';

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const stops = new Stops();
/** Once everything is up, Ctrl-C is the way to end it and no failure. */
let isUp = false;

async function main(): Promise<number> {
	const options = readOptions(process.argv.slice(2));
	if (options.help) {
		say(HELP);
		return 0;
	}
	stayOffProxies();
	if (options.sandboxOnly) return runSandboxOnly(options);
	const data = dataFolder();
	const n8nDir = n8nFolder();
	if (!isInstalled(n8nDir)) prepareInstallation(n8nDir);
	if (!options.installOnly) await claim(options, data);
	if (!isBuilt()) {
		step('Building the package');
		await build();
	}
	if (!isInstalled(n8nDir)) await install(n8nDir, stops);
	return options.installOnly ? 0 : runPlayground(options, data, n8nDir);
}

/** Refuses all that can be refused before anything is deleted, built, installed or started. */
async function claim(options: Options, data: string): Promise<void> {
	makeDataFolder(data);
	stops.add(holdAlone(join(data, 'running'), 'runs the playground'));
	await assertPortFree(options.n8nPort, "n8n's editor", '--n8n-port');
	await assertPortFree(options.sandboxPort, 'the sandbox', '--sandbox-port');
	if (options.reset) reset(data);
	checkData(data);
	ownerLogin(data);
}

async function runPlayground(options: Options, data: string, n8nDir: string): Promise<number> {
	const owner = ownerLogin(data);
	const sandbox = await openSandbox(options);
	step(`Sandbox at ${sandbox.baseUrl}, n8n is starting`);
	const n8n = await startN8n(
		{ userFolder: data, port: options.n8nPort, packageDir: ROOT, n8nDir },
		(stop) => stops.add(stop),
	).catch((error: unknown) => {
		throw dataProblem(error, data);
	});
	step(`n8n at ${n8n.baseUrl}`);
	const session = await n8n.login(owner).catch((error: unknown) => {
		throw loginProblem(error, loginFile(data));
	});
	await furnish(session, { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north });
	sandbox.setWebhook({ url: await outcomeAddress(session) });
	const job = await tryMainJob(session, sandbox, options);
	if (options.once) return job;
	showAddresses(n8n.baseUrl, sandbox, owner);
	isUp = true;
	return untilDead(n8n);
}

/** Runs and shows the main job; the exit code that --once ends with. */
async function tryMainJob(session: N8nSession, sandbox: Sandbox, options: Options) {
	step('Running the main job once: a TMS event for load 48213, which departed Joliet, IL');
	try {
		const result = await runMainJob(session, sandbox, options.callDelayMs + 60_000);
		showJob(result);
		if (result.dialed === 1) return 0;
		throw new Problem(
			`One event was to dial one call, and the sandbox dialed ${result.dialed}`,
			FAILED,
		);
	} catch (error) {
		if (stops.begun) throw error;
		complain(textOf(error));
		return FAILED;
	}
}

async function runSandboxOnly(options: Options): Promise<number> {
	await assertPortFree(options.sandboxPort, 'the sandbox', '--sandbox-port');
	const sandbox = await openSandbox(options);
	showSandbox(sandbox);
	isUp = true;
	return new Promise(() => undefined);
}

async function openSandbox(options: Options): Promise<Sandbox> {
	// Not before it is wanted: who only asked for help, or mistyped a flag, is answered at once.
	const { startSandbox } = await import('../sandbox/index.mts');
	const sandbox = await startSandbox({
		port: options.sandboxPort,
		calls: options.calls,
		callDelayMs: options.callDelayMs,
	});
	stops.add(() => sandbox.close());
	return sandbox;
}

async function untilDead(n8n: RunningN8n): Promise<number> {
	const ended = await n8n.exited;
	throw new Problem(
		`n8n ended (${ended}): start again with "npm start"; its log is ${n8n.logFile}`,
		FAILED,
	);
}

/** Everything here talks to this machine: a company proxy must not get in between. */
function stayOffProxies(): void {
	for (const name of ['NO_PROXY', 'no_proxy']) {
		process.env[name] = [process.env[name], '127.0.0.1', 'localhost'].filter(Boolean).join(',');
	}
}

async function end(exitCode: number): Promise<never> {
	await stops.all();
	process.exit(exitCode);
}

function stopOnSignals(): void {
	for (const [signal, exitCode] of Object.entries(SIGNALS)) {
		process.on(signal, () => {
			if (stops.begun) return;
			say(`\nStopping${isUp ? '; "npm start" goes on where you left off' : ''} …`);
			void end(isUp ? 0 : exitCode);
		});
	}
}

stopOnSignals();
main()
	.then(end)
	.catch(async (error: unknown) => {
		if (stops.begun) return;
		complain(textOf(error));
		await end(error instanceof Problem ? error.exitCode : FAILED);
	});
