import { FlagError, HELP, parseFlags } from './flags.mts';
import type { Sandbox, SandboxOptions } from './types.mts';

/** What stopped the sandbox from listening, in one line, and the mend. */
function listenError(error: unknown, { host, port }: SandboxOptions): string {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'EADDRINUSE') {
		return `Port ${port} is taken: stop what listens there, or choose another with --port`;
	}
	if (code === 'EACCES')
		return `Port ${port} is not allowed here: choose one above 1023 with --port`;
	if (code === 'EADDRNOTAVAIL') {
		return `${host} is not an address of this machine: leave --host out, or give one that is`;
	}
	return `The sandbox cannot start: ${error instanceof Error ? error.message : String(error)}`;
}

function announce({ baseUrl, tokens }: Sandbox, { calls, webhookUrl }: SandboxOptions): void {
	console.log(`Sandbox service: ${baseUrl}`);
	console.log(`  access token, organization north: ${tokens.north}`);
	console.log(`  access token, organization south: ${tokens.south}`);
	console.log(`  ${calls} calls in each history; webhooks go to ${webhookUrl ?? 'nowhere'}`);
	console.log('Stop with Ctrl-C.');
}

function fail(line: string): void {
	console.error(line);
	process.exitCode = 2;
}

async function main(): Promise<void> {
	const options = parseFlags(process.argv.slice(2));
	if (options === 'help') return console.log(HELP);
	// Only now: a wrong flag is told without waiting for the server to load.
	const { startSandbox } = await import('./index.mts');
	try {
		const sandbox = await startSandbox(options);
		announce(sandbox, options);
		const stop = () => void sandbox.close();
		process.once('SIGINT', stop);
		process.once('SIGTERM', stop);
	} catch (error) {
		fail(listenError(error, options));
	}
}

main().catch((error: unknown) => {
	if (!(error instanceof FlagError)) throw error;
	fail(error.message);
});
