import { join } from 'node:path';
import type { Sandbox } from '../sandbox/index.mts';
import { HELP, type Options, parseOptions } from './cli/options.mts';
import { printReady, printSampleResult } from './cli/output.mts';
import {
	errorMessage,
	EXIT_FAILED,
	exitOn,
	print,
	printError,
	printStep,
	Shutdown,
	UserError,
} from './cli/terminal.mts';
import { outcomeWebhookUrl, runSampleCheckCall, tmsWebhookUrl } from './demo/sample-check-call.mts';
import { chooseN8n, type N8nChoice } from './n8n/choice.mts';
import { openGivenN8n } from './n8n/given.mts';
import { type RunningN8n, startN8n } from './n8n/n8n.mts';
import type { N8nSession, Owner } from './n8n/session.mts';
import { acquireLock } from './process/lock-file.mts';
import { assertPortFree } from './process/ports.mts';
import { build, isBuilt, rebuildOnChange } from './setup/build.mts';
import {
	assertDataReadable,
	explainDataError,
	explainLoginError,
	loginFile,
	makeDataFolder,
	ownerLogin,
	reset,
} from './setup/data.mts';
import { importExamples, TMS_KEY, WEBHOOK_SECRET } from './setup/import-examples.mts';
import { install, isInstalled, prepareInstallation } from './setup/install/install.mts';
import { dataFolder, n8nFolder, ROOT } from './setup/paths.mts';

const shutdown = new Shutdown();
/** Once everything is up, Ctrl-C is the normal way to stop and exits with 0. */
let isUp = false;

async function main(): Promise<number> {
	const options = parseOptions(process.argv.slice(2));
	if (options.help) {
		print(HELP);
		return 0;
	}
	bypassProxiesForThisMachine();

	const choice = chooseN8n(options);
	if (choice.kind === 'given') return await useGivenN8n(choice, options);

	const data = dataFolder();
	const n8nDir = n8nFolder();
	const isReady = choice.kind === 'container' || isInstalled(n8nDir);
	if (!isReady) prepareInstallation(n8nDir);
	if (!options.installOnly) await claimDataAndPorts(options, data);
	await Promise.all([buildPackage(), isReady || install(n8nDir, shutdown)]);
	if (options.installOnly) return 0;

	const owner = ownerLogin(data);
	const sandbox = await openSandbox(options);
	const n8n = await openN8n(options, choice, data, n8nDir);
	const session = await logIn(n8n, owner, data);
	const exitCode = await setUp(session, sandbox, options);
	if (options.once) return exitCode;
	printReady(n8n.baseUrl, sandbox, owner);
	if (options.watch) watchSources(data);
	isUp = true;
	return await waitForExit(n8n);
}

/** Imports into an n8n that already runs, which is neither started nor stopped here. */
async function useGivenN8n(
	{ url, apiKey }: Extract<N8nChoice, { kind: 'given' }>,
	options: Options,
): Promise<number> {
	const session = await openGivenN8n(url, apiKey);
	await assertPortFree(options.sandboxPort, 'the sandbox', '--sandbox-port');
	const sandbox = await openSandbox(options);
	printStep(`Using the n8n at ${url}`);
	const exitCode = await setUp(session, sandbox, options);
	if (options.once) return exitCode;
	print(`Everything is up: ${url}, and the sandbox at ${sandbox.baseUrl}. Press Ctrl-C to stop.`);
	print('Your n8n continues without the sandbox. The published examples stay published.');
	isUp = true;
	return await new Promise<never>(() => undefined);
}

/** Imports the examples, connects n8n and the sandbox, and places the sample check call. */
async function setUp(session: N8nSession, sandbox: Sandbox, options: Options): Promise<number> {
	await importExamples(session, { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north });
	const outcomeUrl = await outcomeWebhookUrl(session);
	sandbox.setWebhook({ url: outcomeUrl, secret: WEBHOOK_SECRET });
	sandbox.setTestUrl(outcomeUrl.replace('/webhook/', '/webhook-test/'));
	sandbox.setTmsUrl(await tmsWebhookUrl(session), { [TMS_KEY.name]: TMS_KEY.value });
	return await placeSampleCheckCall(session, sandbox, options);
}

/** Rejects everything that can be rejected before anything is deleted, built, installed or started. */
async function claimDataAndPorts(options: Options, data: string): Promise<void> {
	makeDataFolder(data);
	shutdown.add(acquireLock(join(data, 'running'), 'is running the playground'));
	await assertPortFree(options.n8nPort, "n8n's editor", '--n8n-port');
	await assertPortFree(options.sandboxPort, 'the sandbox', '--sandbox-port');
	if (options.reset) reset(data);
	assertDataReadable(data);
	ownerLogin(data);
}

async function buildPackage(): Promise<void> {
	if (isBuilt()) return;
	printStep('Building the package');
	await build();
}

async function openSandbox(options: Options): Promise<Sandbox> {
	// Loaded late, so that --help and a mistyped flag are answered right away.
	const { newIds, startSandbox } = await import('../sandbox/index.mts');
	const sandbox = await startSandbox({
		port: options.sandboxPort,
		calls: options.calls,
		callDelayMs: options.callDelayMs,
		// n8n remembers the calls of earlier starts by their IDs.
		idOffset: newIds(),
	});
	shutdown.add(() => sandbox.close());
	printStep(`The sandbox is running at ${sandbox.baseUrl}`);
	return sandbox;
}

async function openN8n(
	options: Options,
	choice: N8nChoice,
	data: string,
	n8nDir: string,
): Promise<RunningN8n> {
	printStep('Starting n8n');
	try {
		const n8n = await startN8n(
			{
				...{ userFolder: data, port: options.n8nPort, packageDir: ROOT, n8nDir, choice },
				env: {
					// That of the sandbox's brokerage, in which its summaries are.
					GENERIC_TIMEZONE: 'America/Chicago',
					// docs/install.md tells operators to do the same.
					N8N_CONCURRENCY_PRODUCTION_LIMIT: '10',
					N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
					...(options.watch && { N8N_DEV_RELOAD: 'true' }),
				},
			},
			(stop) => shutdown.add(stop),
		);
		printStep(`n8n is running at ${n8n.baseUrl}`);
		return n8n;
	} catch (error) {
		throw explainDataError(error, data);
	}
}

async function logIn(n8n: RunningN8n, owner: Owner, data: string): Promise<N8nSession> {
	try {
		return await n8n.login(owner);
	} catch (error) {
		throw explainLoginError(error, loginFile(data));
	}
}

function watchSources(data: string): void {
	shutdown.add(rebuildOnChange(data));
	print('Watching nodes/, credentials/ and icons/: a change is built and reloaded in n8n.');
	print();
}

/** Runs the sample check call and prints its outcome. Returns the exit code for --once. */
async function placeSampleCheckCall(session: N8nSession, sandbox: Sandbox, options: Options) {
	printStep('Placing a sample check call: the TMS reports that a load departed Joliet, IL');
	try {
		const result = await runSampleCheckCall(session, sandbox, options.callDelayMs + 240_000);
		printSampleResult(result);
		if (result.dialed === 1) return 0;
		throw new UserError(
			`The sample event should place one call, but the sandbox received ${result.dialed}`,
			EXIT_FAILED,
		);
	} catch (error) {
		if (shutdown.started) throw error;
		printError(errorMessage(error));
		return EXIT_FAILED;
	}
}

async function waitForExit(n8n: RunningN8n): Promise<never> {
	const exit = await n8n.exited;
	throw new UserError(
		`n8n stopped (${exit}). Run "npm start" to start it again. Log: ${n8n.logFile}`,
		EXIT_FAILED,
	);
}

/** All traffic here stays on this machine, so a company proxy must not get in between. */
function bypassProxiesForThisMachine(): void {
	for (const name of ['NO_PROXY', 'no_proxy']) {
		process.env[name] = [process.env[name], '127.0.0.1', 'localhost'].filter(Boolean).join(',');
	}
}

exitOn(['SIGINT', 'SIGTERM', 'SIGHUP'], shutdown, () => {
	print(`\nStopping …${isUp ? ' Run "npm start" to pick up where you left off.' : ''}`);
	return isUp;
});
main()
	.then((exitCode) => shutdown.exit(exitCode))
	.catch(async (error: unknown) => {
		if (shutdown.started) return;
		printError(errorMessage(error));
		await shutdown.exit(error instanceof UserError ? error.exitCode : EXIT_FAILED);
	});
