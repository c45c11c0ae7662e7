import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookRequest } from '../harness/index.mts';

/** A response. `hangUp` closes the connection instead, and `never` leaves the sender waiting. */
export interface Reply {
	status?: number;
	body?: object;
	headers?: Record<string, string>;
	instead?: 'hangUp' | 'never';
}

/** A server that responds to each request with the status, or reply, that `take` returns for it. */
export async function receiver(
	take: (request: WebhookRequest) => Promise<number | Reply>,
): Promise<Server> {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const headers = Object.fromEntries(
				Object.entries(request.headers).filter(([name]) => /^(x-|content-type)/.test(name)),
			) as Record<string, string>;
			void take({
				rawBody: Buffer.concat(chunks),
				headers,
				query: { path: request.url ?? '' },
			}).then((reply) => {
				const { status, body, instead, ...more } =
					typeof reply === 'number' ? { status: reply } : reply;
				if (instead === 'hangUp') return void request.socket.destroy();
				if (instead === 'never') return;
				const own = 'headers' in more ? more.headers : {};
				response.writeHead(status ?? 200, { 'content-type': 'application/json', ...own });
				response.end(JSON.stringify(body ?? {}));
			});
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server;
}

/** The URL of a local server. */
export function addressOf(server: Server): string {
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
