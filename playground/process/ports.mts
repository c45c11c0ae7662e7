import { createServer } from 'node:net';
import { codeOf, Problem } from './problem.mts';

/** Everything listens here, so that nothing of the playground can be reached from outside. */
export const LOOPBACK = '127.0.0.1';

/**
 * Checks that a port can be listened on.
 * @throws Problem naming the port, what wanted it, and the flag that takes another.
 */
export async function assertPortFree(port: number, purpose: string, flag: string): Promise<void> {
	const code = await listenError(port);
	if (code === undefined) return;
	if (code === 'EADDRINUSE') {
		throw new Problem(
			`Port ${port}, wanted for ${purpose}, is taken: stop the program that uses it, or take another port with ${flag}`,
		);
	}
	throw new Problem(
		`Port ${port}, wanted for ${purpose}, cannot be opened (${code}): take another port with ${flag}`,
	);
}

/** A port that is free now, for what has no flag of its own. */
export async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, LOOPBACK, resolve);
	});
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	if (address === null || typeof address === 'string') throw new Problem('No free port was found');
	return address.port;
}

function listenError(port: number): Promise<string | undefined> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', (error) => resolve(codeOf(error) ?? error.message));
		server.listen(port, LOOPBACK, () => server.close(() => resolve(undefined)));
	});
}
