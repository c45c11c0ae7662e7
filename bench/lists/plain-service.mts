// A service that answers any page of calls or bids at once, after a fixed latency: the rows are
// rendered before it listens, and a page is a part of their bytes, so no offset takes longer than
// another. (The sandbox prepares the page that follows without overlap, which favors some readers.)
// Its rows are the sandbox's. /100000/50/api/v1/calls has 100,000 calls and 50 ms latency.
// /traffic tells about the requests since it was last asked.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openBrokerage } from '../../sandbox/data/brokerage.mts';
import { bidHistory } from '../../sandbox/data/calls/bids.mts';
import { factsOf } from '../../sandbox/data/calls/call-facts.mts';
import { callHistory } from '../../sandbox/data/calls/calls.mts';
import { openCarrierNetwork } from '../../sandbox/data/freight/carrier-network.mts';
import type { History } from '../../sandbox/data/series/series.mts';

export interface Traffic {
	requests: number;
	/** How many requests were open at a time on average, from the first one to the last byte. */
	inFlight: number;
}

interface Rendered {
	bytes: Buffer;
	/** Where each row starts, and where the one after the last would. */
	starts: Float64Array;
}

const BLOCK = 10_000;
/** Every third call brings a bid. */
const CALLS_PER_BID = 3;
const HISTORY = { seed: 1, historyDays: 90, end: Date.UTC(2026, 0, 1), serviceUrl: () => '' };

/** The newest rows of a history, newest first, each followed by a comma. */
function render(history: History, rows: number): Rendered {
	const starts = new Float64Array(rows + 1);
	const blocks: Buffer[] = [];
	for (let row = 0; row < rows; ) {
		const texts: string[] = [];
		for (const end = Math.min(rows, row + BLOCK); row < end; row++) {
			const text = `${history.json(history.size - 1 - row)},`;
			starts[row + 1] = (starts[row] ?? 0) + Buffer.byteLength(text);
			texts.push(text);
		}
		blocks.push(Buffer.from(texts.join('')));
	}
	return { bytes: Buffer.concat(blocks), starts };
}

function renderLists(rows: number): Record<string, Rendered> {
	const brokerage = openBrokerage('north', { ...HISTORY, calls: CALLS_PER_BID * rows });
	const facts = factsOf(brokerage, openCarrierNetwork(brokerage));
	return { calls: render(callHistory(facts), rows), bids: render(bidHistory(facts), rows) };
}

let open = 0;
let requests = 0;
let [firstAt, changedAt, openMs] = [0, 0, 0];

function countOpen(change: 1 | -1): void {
	const now = performance.now();
	if (requests === 0) firstAt = now;
	else openMs += open * (now - changedAt);
	changedAt = now;
	open += change;
	if (change > 0) requests++;
}

function takeTraffic(): Traffic {
	const traffic = { requests, inFlight: openMs / (changedAt - firstAt) };
	[requests, openMs] = [0, 0];
	return traffic;
}

const KEYS: Record<string, string> = { calls: 'calls', bids: 'salesBids' };

function answer(response: ServerResponse, list: string, total: number, query: URLSearchParams) {
	const { bytes, starts } = lists[list] ?? { bytes: Buffer.alloc(0), starts: new Float64Array(1) };
	const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 50)];
	const end = Math.min(total, offset + limit);
	const begin = Math.min(offset, end);
	const page = bytes.subarray(starts[begin], Math.max(0, (starts[end] ?? 0) - 1));
	const head = Buffer.from(`{"${KEYS[list]}":[`);
	const tail = Buffer.from(`],"pagination":${JSON.stringify({ limit, offset, total })}}`);
	const rows = begin < end ? page : Buffer.alloc(0);
	const length = head.length + rows.length + tail.length;
	response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length });
	response.cork();
	for (const part of [head, rows, tail]) response.write(part);
	response.end();
}

const lists = renderLists(Number(process.argv[2]));
const server = createServer((request, response) => {
	const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
	if (pathname === '/traffic') return void response.end(JSON.stringify(takeTraffic()));
	const [, rows, latencyMs, list] = /^\/(\d+)\/(\d+)\/api\/v1\/(calls|bids)$/.exec(pathname) ?? [];
	if (list === undefined) return void response.writeHead(404).end();
	countOpen(1);
	response.on('close', () => countOpen(-1));
	setTimeout(() => answer(response, list, Number(rows), searchParams), Number(latencyMs));
});
server.listen(0, '127.0.0.1', () => {
	console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
