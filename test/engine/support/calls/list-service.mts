import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListedCall {
	id?: unknown;
	createdAt: unknown;
	[field: string]: unknown;
}

/** A service that takes every call, and lists calls as a test says. */
export interface ListService {
	credentials: { carrierLoadCommunicationsApi: { baseUrl: string; accessToken: string } };
	/** What the list has, in its order. The test may change it at any time. */
	calls: ListedCall[];
	/** Whether it breaks off the connection when a call is requested: after placing it, or before. */
	loses: 'response' | 'call' | undefined;
	/** How many calls were requested. */
	requested: number;
	/** How many rows each page had that was read. */
	pages: number[];
	/** The startTime and endTime of each page. */
	ranges: [string, string][];
	close(): Promise<void>;
}

/** @param onPlaced makes the call of a request's body, to be answered and listed */
export async function openListService(
	onPlaced: (body: { toPhone: string; loadNumber: string }, index: number) => ListedCall,
): Promise<ListService> {
	const service = {
		calls: [] as ListedCall[],
		pages: [] as number[],
		ranges: [] as [string, string][],
		loses: undefined as ListService['loses'],
		requested: 0,
	};
	const { calls, pages, ranges } = service;
	let last = { asked: '', within: calls };
	const callsWithin = (startTime: string, endTime: string) =>
		calls.filter(({ createdAt: at }) => {
			const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
			return (
				Number.isNaN(time) ||
				!String(at).endsWith('Z') ||
				(String(at) > startTime && String(at) < endTime)
			);
		});
	const server = createServer(async (request, response) => {
		const url = new URL(request.url ?? '/', 'http://localhost');
		const answer = (body: object) =>
			response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
		if (request.method === 'POST') {
			const body = JSON.parse(await textOf(request));
			const index = service.requested++;
			const call = onPlaced(body, index);
			if (service.loses !== 'call') calls.push(call);
			if (service.loses) {
				request.socket.destroy();
				return;
			}
			answer({
				success: true,
				call: { id: call.id, createdAt: call.createdAt, status: 'IN_PROGRESS' },
			});
			return;
		}
		const { startTime = '', endTime = '', offset, limit } = Object.fromEntries(url.searchParams);
		// All pages of a reading ask for one range, of up to 50,000 calls.
		const asked = `${startTime} ${endTime} ${calls.length}`;
		if (last.asked !== asked) last = { asked, within: callsWithin(startTime, endTime) };
		const { within } = last;
		const page = within.slice(Number(offset ?? 0)).slice(0, Number(limit ?? 100));
		pages.push(page.length);
		ranges.push([startTime, endTime]);
		answer({ calls: page, pagination: { offset, limit, total: within.length } });
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return Object.assign(service, {
		credentials: { carrierLoadCommunicationsApi: { baseUrl, accessToken: 'token-of-the-test' } },
		async close() {
			await new Promise((resolve) => {
				server.close(resolve);
				server.closeAllConnections();
			});
		},
	});
}

async function textOf(request: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return text;
}
