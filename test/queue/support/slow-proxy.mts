import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { randomInt } from '../../../sandbox/data/brokerage.mts';

/** A local server, seen through a network that can become slow. */
export interface SlowProxy {
	port: number;
	/** From now on, each piece of a reply takes 0 to this many milliseconds longer, drawn from the seed. */
	delayUpTo(ms: number): void;
	/** New connections go to another local port, and open ones end. */
	leadTo(port: number): void;
	close(): Promise<void>;
}

export async function startSlowProxy(targetPort: number, seed: number): Promise<SlowProxy> {
	let to = targetPort;
	let longest = 0;
	let drawn = 0;
	const sockets = new Set<Socket>();
	const relay = createServer((client) => {
		const target = createConnection({ host: '127.0.0.1', port: to });
		for (const socket of [client, target]) {
			sockets.add(socket.setNoDelay());
			socket.on('error', () => socket.destroy());
			socket.on('close', () => {
				sockets.delete(socket);
				client.destroy();
				target.destroy();
			});
		}
		client.pipe(target);
		// Pieces keep their order.
		let before: Promise<unknown> = Promise.resolve();
		target.on('data', (piece) => {
			const ms = randomInt(seed, drawn++, 0) % (longest + 1);
			const passed = Promise.all([before, ms > 0 && wait(ms)]);
			before = passed.then(() => client.destroyed || client.write(piece));
		});
	});
	await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
	return {
		port: (relay.address() as AddressInfo).port,
		delayUpTo(ms) {
			longest = ms;
		},
		leadTo(port) {
			to = port;
			for (const socket of sockets) socket.destroy();
		},
		async close() {
			const closed = new Promise((resolve) => relay.close(resolve));
			for (const socket of sockets) socket.destroy();
			await closed;
		},
	};
}
