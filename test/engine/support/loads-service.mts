import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';

/** A service that has every load, for anyone with its token. */
export interface LoadsService {
	server: Server;
	/** Its access token. */
	credentials: { dispatchApi: IDataObject };
	/** The requests it received. */
	seen: IncomingMessage[];
	/** Number of next requests that fail. */
	failing: number;
	reset(): void;
	close(): void;
}

/** Starts the service on this machine. */
export async function openLoads(): Promise<LoadsService> {
	function reply(request: IncomingMessage, response: ServerResponse) {
		loads.seen.push(request);
		const authorized = request.headers.authorization === 'Bearer secret-token';
		const status = authorized ? 200 : 401;
		response.writeHead(loads.failing-- > 0 ? 503 : status, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ path: request.url }));
	}
	const server = createServer(reply);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const loads: LoadsService = {
		server,
		credentials: { dispatchApi: { baseUrl: `http://127.0.0.1:${port}`, token: 'secret-token' } },
		seen: [],
		failing: 0,
		reset() {
			loads.seen = [];
			loads.failing = 0;
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
	return loads;
}
