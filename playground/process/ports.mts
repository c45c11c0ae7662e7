import { createServer } from 'node:net';
import { errorCode, UserError } from '../cli/terminal.mts';

/** Everything listens here, so nothing in the playground can be reached from another machine. */
export const LOOPBACK = '127.0.0.1';

/**
 * Checks that a port can be listened on.
 * @throws UserError that names the port, what it is for, and the option to change it
 */
export async function assertPortFree(port: number, purpose: string, flag: string): Promise<void> {
	const code = await listenError(port);
	if (code === undefined) return;
	if (code === 'EADDRINUSE') {
		throw new UserError(
			`Port ${port} for ${purpose} is already in use. Stop the program that uses it, or choose another port with ${flag}.`,
		);
	}
	throw new UserError(
		`Port ${port} for ${purpose} cannot be opened (${code}). Choose another port with ${flag}.`,
	);
}

/** Below the ports that systems hand out to whoever asks for any port. */
const FIRST_PORT = 15_000;
const PORTS = 17_000;
let asked = 0;

/**
 * A port that is free right now, for what has no option of its own. Whoever listens on it later
 * still finds it free: a process never gets the same one twice, and others begin elsewhere.
 */
export async function freePort(): Promise<number> {
	for (let tries = 0; tries < 100; tries++) {
		const port = FIRST_PORT + ((process.pid * 211 + asked++) % PORTS);
		if ((await listenError(port)) === undefined) return port;
	}
	throw new UserError('No free port was found.');
}

function listenError(port: number): Promise<string | undefined> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', (error) => resolve(errorCode(error) ?? error.message));
		server.listen(port, LOOPBACK, () => server.close(() => resolve(undefined)));
	});
}
