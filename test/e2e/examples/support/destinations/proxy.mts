import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { selfSigned } from '../../../../support/self-signed.mts';
import { isRecord, type JsonObject } from '../../../../../playground/n8n/rest.mts';

/** A request that a node sent to a service. */
export interface ServiceRequest {
	method: string;
	/** Decoded, without the query. */
	path: string;
	query: URLSearchParams;
	headers: IncomingMessage['headers'];
	body: JsonObject;
}

export interface ServiceAnswer {
	status: number;
	/** A Buffer is sent as it is, anything else as JSON. Left out for an empty response. */
	body?: unknown;
}

/** Plays one service: answers as the service documents it, and refuses everything else. */
export interface StandIn {
	host: string;
	/** How long its responses take, after it has done what was asked. */
	delayMs?: number;
	answer(request: ServiceRequest): ServiceAnswer;
}

/**
 * An HTTPS proxy on loopback that leads to stand-ins instead of the internet. Its certificate is
 * valid for their hosts; a client trusts it through NODE_EXTRA_CA_CERTS.
 */
export interface ServiceProxy {
	url: string;
	/** PEM. */
	certificate: string;
	/** Hosts that were asked for and have no stand-in. */
	strangers: string[];
	close(): Promise<void>;
}

export async function startServiceProxy(standIns: StandIn[]): Promise<ServiceProxy> {
	const { key, cert } = selfSigned(standIns.map(({ host }) => host));
	const strangers: string[] = [];
	const sockets = new Set<Socket>();
	const services = createHttps({ key, cert }, (request, response) => {
		void readRequest(request).then(async (read) => {
			const standIn = standIns.find(({ host }) => host === request.headers.host);
			const { status, body } = standIn?.answer(read) ?? { status: 502 };
			await wait(standIn?.delayMs ?? 0);
			const isFile = Buffer.isBuffer(body);
			const type = isFile ? 'application/octet-stream' : 'application/json';
			response.writeHead(status, { 'content-type': type });
			response.end(isFile ? body : body === undefined ? undefined : JSON.stringify(body));
		});
	});
	const port = await listen(services, sockets);
	const proxy = createHttp((_request, response) => response.writeHead(405).end());
	proxy.on('connect', ({ url = '' }: IncomingMessage, client: Socket) => {
		const [host = ''] = url.split(':');
		if (!standIns.some((standIn) => standIn.host === host)) {
			strangers.push(host);
			client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			return;
		}
		const tunnel = connect(port, '127.0.0.1', () => {
			client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			tunnel.pipe(client).pipe(tunnel);
		});
		for (const socket of [client, tunnel]) socket.on('error', () => socket.destroy());
	});
	const proxyPort = await listen(proxy, sockets);
	return {
		url: `http://127.0.0.1:${proxyPort}`,
		certificate: cert,
		strangers,
		async close() {
			for (const socket of sockets) socket.destroy();
			for (const server of [proxy, services]) {
				server.close();
				await once(server, 'close');
			}
		},
	};
}

async function listen(server: Server, sockets: Set<Socket>): Promise<number> {
	server.on('connection', (socket: Socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address: AddressInfo | string | null = server.address();
	if (address === null || typeof address === 'string') throw new Error('No port');
	return address.port;
}

async function readRequest(request: IncomingMessage): Promise<ServiceRequest> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
	const text = Buffer.concat(chunks).toString('utf8');
	const body: unknown = text === '' ? {} : JSON.parse(text);
	const url = new URL(request.url ?? '/', 'https://service.test');
	return {
		method: request.method ?? '',
		path: decodeURIComponent(url.pathname),
		query: url.searchParams,
		headers: request.headers,
		body: isRecord(body) ? body : {},
	};
}
