import { createServer } from 'node:net';
import { errorCode, UserError } from './user-error.mts';

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

/** A port that is free right now, for what has no option of its own. */
export async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, LOOPBACK, resolve);
	});
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	if (address === null || typeof address === 'string')
		throw new UserError('No free port was found.');
	return address.port;
}

function listenError(port: number): Promise<string | undefined> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', (error) => resolve(errorCode(error) ?? error.message));
		server.listen(port, LOOPBACK, () => server.close(() => resolve(undefined)));
	});
}
