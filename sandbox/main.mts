import { FlagError, HELP, parseFlags } from './flags.mts';
import type { Sandbox, SandboxOptions } from './types.mts';

/** Why the sandbox could not start, and what to do, in one line. */
function listenError(error: unknown, { host, port }: SandboxOptions): string {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'EADDRINUSE') {
		return `Port ${port} is already in use. Stop the program that uses it, or choose another port with --port.`;
	}
	if (code === 'EACCES')
		return `You are not allowed to use port ${port}. Choose one above 1023 with --port.`;
	if (code === 'EADDRNOTAVAIL') {
		return `${host} is not an IP address of this machine. Leave out --host, or choose one that is.`;
	}
	return `The sandbox could not start: ${error instanceof Error ? error.message : String(error)}`;
}

function announce({ baseUrl, tokens }: Sandbox, { calls, webhookUrl }: SandboxOptions): void {
	console.log(`The sandbox is running at ${baseUrl} (open it in a browser to watch calls)`);
	console.log(`  Access token, organization north: ${tokens.north}`);
	console.log(`  Access token, organization south: ${tokens.south}`);
	console.log(
		`  ${calls} past calls each. Webhook events: ${webhookUrl === undefined ? 'off' : `sent to ${webhookUrl}`}`,
	);
	console.log('Press Ctrl-C to stop.');
}

function fail(line: string): void {
	console.error(line);
	process.exitCode = 2;
}

async function main(): Promise<void> {
	const options = parseFlags(process.argv.slice(2));
	if (options === 'help') return console.log(HELP);
	// Loaded late, so that a wrong option is reported right away.
	const { newIds, startSandbox } = await import('./index.mts');
	try {
		const sandbox = await startSandbox({ ...options, idOffset: newIds() });
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
