import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sandbox } from '../../../sandbox/index.mts';
import { type Reply, request, CHECK_CALL, checkCall } from './requests.mts';

export interface Received {
	headers: IncomingHttpHeaders;
	body: string;
	event: { event: string; id: string; data: Record<string, unknown>; metadata?: unknown };
}

/** A real HTTP server that receives webhooks and responds with the given statuses, then 200. */
export interface Receiver {
	url: string;
	received: Received[];
	close(): Promise<void>;
}

export async function startReceiver(statuses: number[] = []): Promise<Receiver> {
	const received: Received[] = [];
	const server = createServer((request, answer) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body = Buffer.concat(chunks).toString('utf8');
			received.push({ headers: request.headers, body, event: JSON.parse(body) });
			answer.writeHead(statuses.shift() ?? 200).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/webhook`,
		received,
		close: () =>
			new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
	};
}

/** Starts receivers that are closed when the test ends, even if it fails. */
export function receiverPerTest(): (statuses?: number[]) => Promise<Receiver> {
	const started: Receiver[] = [];
	afterEach(async () => {
		await Promise.all(started.splice(0).map((receiver) => receiver.close()));
	});
	return async (statuses) => {
		const receiver = await startReceiver(statuses);
		started.push(receiver);
		return receiver;
	};
}

export const metadata = { tmsId: 'T-1', stop: 2 };

export const placeCheckCall = (sandbox: Sandbox, loadNumber: string): Promise<Reply> =>
	request(sandbox, CHECK_CALL, { body: { ...checkCall, loadNumber, metadata } });

/** The load of each webhook, in order of arrival. */
export const loadsOf = ({ received }: Receiver): unknown[] =>
	received.map(({ event }) => event.data['loadNumber']);
