import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';

/** The service's token, which must not reach the stranger. */
export const TOKEN = 'hostile-service-token-7c1f';

/** What the service does with one list or file. */
const FAULTS = [
	...['none', 'none', 'none', 'totalLow', 'totalHigh', 'noTotal', 'status', 'status', 'inserted'],
	...['deleted', 'repeats', 'clockAhead', 'denied', 'deniedLater', 'errorNone', 'zeros', 'spaces'],
	...['equals', 'manyObjects', 'manyTexts', 'manyNumbers', 'tooLarge', 'longId', 'digits', 'deep'],
	...['echo', 'trickle', 'broken', 'redirect', 'manyLoads', 'deniedPage', 'endless'],
] as const;
type Fault = (typeof FAULTS)[number];

interface Plan {
	fault: Fault;
	status: number;
	/** How many records the list has. */
	count: number;
	/** The type and name of a file. */
	type: string;
	name: string;
}

const plans = fc.record<Plan>({
	fault: fc.constantFrom(...FAULTS),
	status: fc.constantFrom(429, 500, 502, 503, 504, 520, 521, 522, 523, 524),
	count: fc.integer({ min: 0, max: 260 }),
	type: fc.constantFrom(
		...['audio/wav', 'audio/mpeg', 'application/x-msdownload', 'application/octet-stream'],
		...['text/html', ''],
	),
	name: fc.constantFrom('call.wav', 'invoice.exe', 'run.bat', '../../etc/cron.d/x.wav', 'CON.wav'),
});

type Row = Record<string, unknown>;

/** One list, as long as the test runs. */
interface Asked {
	plan: Plan;
	rows: Row[];
	/** Names of the records that were there all the time. */
	there: Set<string>;
	requests: number;
}

const MANY_OBJECTS = Buffer.from('{},'.repeat(2_100_000));
/** As many as are just read. */
const MANY_TEXTS = Buffer.from(`${'"",'.repeat(199_000)}{}]}`);
const MANY_NUMBERS = Buffer.from(`${'1234567890123456,'.repeat(199_000)}{}]}`);
const MANY_LOADS = Array.from({ length: 50_000 }, (_, nth) => nth.toString(36)).join(';');
/** Records of a page of an endless list. */
const ENDLESS = 20_000;
const LONG = 60_000;
const CLAMP = 100;
const MINUTE_MS = 60_000;

/** A list's key in its answer. */
const KEYS: Record<string, string> = {
	calls: 'calls',
	conversations: 'conversations',
	bids: 'salesBids',
	carriers: 'carriers',
	analytics: 'data',
};

/** A service that sends, at random, what has stopped n8n or misled a workflow, and a stranger's host. */
export class HostileService {
	baseUrl = '';
	strangerUrl = '';
	responses = 0;
	/** While it is calm, nothing is wrong. */
	isCalm = false;
	/** How often each load's call was requested and not refused with 429. */
	readonly placed = new Map<string, number>();
	/** What the stranger was sent: method, URL, headers and body as text. */
	readonly strangerGot: string[] = [];
	readonly faults = new Map<string, number>();

	private readonly asked = new Map<string, Asked>();
	private readonly planned = new Map<string, Plan[]>();
	private readonly servers = [
		createServer((request, response) => this.answer(request, response)),
		createServer((request, response) => this.recordStranger(request, response)),
	];

	private readonly seed: number;

	constructor(seed: number) {
		this.seed = seed;
	}

	async open(): Promise<void> {
		const urls = await Promise.all(
			this.servers.map(async (server) => {
				await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
				return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
			}),
		);
		[this.baseUrl = '', this.strangerUrl = ''] = urls;
	}

	async close(): Promise<void> {
		for (const server of this.servers) {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		}
	}

	/** The names of a list's records that were there all the time; undefined if it was not asked for. */
	recordsOf(path: string, load: string): Set<string> | undefined {
		return this.asked.get(`${path} ${load}`)?.there;
	}

	/** What a list suffered from, and the requests for it. */
	historyOf(path: string, load: string): string {
		const { plan, requests = 0 } = this.asked.get(`${path} ${load}`) ?? {};
		return `${plan?.fault}, ${plan?.count} records, ${requests} requests`;
	}

	private recordStranger(request: IncomingMessage, response: ServerResponse): void {
		let body = '';
		request.on('data', (chunk) => (body += String(chunk)));
		request.on('end', () => {
			const { method, url, rawHeaders } = request;
			this.strangerGot.push([method, url, ...rawHeaders, body].join('\n'));
			response.writeHead(200, { 'content-type': 'audio/wav' }).end('RIFF');
		});
	}

	private answer(request: IncomingMessage, response: ServerResponse): void {
		this.responses++;
		response.on('error', () => {});
		const { pathname, searchParams: query } = new URL(request.url ?? '', this.baseUrl);
		const path = pathname.split('/').at(-1) ?? '';
		const key = KEYS[path];
		if (request.method === 'POST') return void this.answerCall(request, response);
		const load = query.get('loadId') ?? query.get('origin') ?? query.get('startDate') ?? '';
		// A file, or what HTTP Request asks for, has its name in its path. The list of all calls changes.
		const part = load === '' ? `at ${Math.floor(this.responses / 30)}` : load;
		const name = key === undefined ? pathname : `${path} ${part}`;
		const asked = this.planFor(name, key === undefined ? 'files' : path, load);
		const { plan } = asked;
		const number = asked.requests++;
		const count = (this.faults.get(plan.fault) ?? 0) + 1;
		this.faults.set(plan.fault, count);
		if (FOR_HTTP_REQUEST.test(pathname)) return this.answerHttpRequest(plan, response);
		if (this.answerWithFault(plan, number, response)) return;
		if (key === undefined) return sendFile(plan, response);
		const sent = this.page(asked, number, query, request.headers.authorization);
		const headers = { 'content-type': 'application/json' };
		const ahead = plan.fault === 'clockAhead' ? 3 * MINUTE_MS : 0;
		response.setHeader('date', new Date(Date.now() + ahead).toUTCString());
		response.writeHead(200, headers).end(JSON.stringify({ [key]: sent.rows, ...sent.others }));
	}

	/** Places a call, or seems to. */
	private async answerCall(request: IncomingMessage, response: ServerResponse): Promise<void> {
		let text = '';
		for await (const chunk of request) text += String(chunk);
		const { loadNumber, toPhone } = JSON.parse(text);
		const asked = this.planFor(`placed ${loadNumber}`, 'placed', 'placed');
		const { plan } = asked;
		const number = asked.requests++;
		const isRefused = plan.fault === 'status' && plan.status === 429 && number === 0;
		if (!isRefused) this.placed.set(loadNumber, (this.placed.get(loadNumber) ?? 0) + 1);
		if (this.answerWithFault(plan, number, response)) return;
		const call = { id: nextId++, toPhone, status: 'IN_PROGRESS', loadNumber };
		const answer = { success: true, call, message: request.headers.authorization };
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
	}

	/** Only redirects: how n8n's own node reads bodies is not ours, and one that never ends stops it. */
	private answerHttpRequest(plan: Plan, response: ServerResponse): void {
		if (plan.count % 3 === 0) response.writeHead(200).end('{}');
		else this.answerWithFault({ ...plan, fault: 'redirect' }, 0, response);
	}

	/** Whether it answered with something else than a page or a file. */
	private answerWithFault(plan: Plan, number: number, response: ServerResponse): boolean {
		const start = '{"calls":[';
		const json = (status: number, body: string) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(body);
		switch (plan.fault) {
			case 'status':
				if (number === 0) json(plan.status, '{}');
				return number === 0;
			case 'denied':
				json(200, JSON.stringify(DENIED));
				return true;
			case 'deniedPage':
				json(200, JSON.stringify({ ...DENIED, pagination: { limit: 100, offset: 0, total: 0 } }));
				return true;
			case 'deniedLater':
				if (number > 0) json(200, JSON.stringify(DENIED));
				return number > 0;
			case 'equals':
				json(400, JSON.stringify({ message: `a${'='.repeat(LONG)}a` }));
				return true;
			case 'manyObjects':
			case 'manyTexts':
			case 'manyNumbers':
				response.writeHead(200).write(start);
				response.end(MANY[plan.fault]);
				return true;
			case 'tooLarge':
				response.writeHead(200).write(start);
				flood(response, 99);
				return true;
			case 'deep':
				json(200, `${'[{"calls":'.repeat(50_000)}1${'}]'.repeat(50_000)}`);
				return true;
			case 'digits':
				json(200, `{"calls":[{"id":${'1'.repeat(1_000_000)}}]}`);
				return true;
			case 'trickle':
				response.writeHead(200);
				trickle(response);
				return true;
			case 'broken':
				if (number > 0) return false;
				response.writeHead(200, { 'content-length': '999999' }).write(start);
				setTimeout(() => response.destroy(), 20);
				return true;
			case 'redirect':
				response.writeHead(plan.count % 2 === 0 ? 302 : 307, {
					location: `${this.strangerUrl}/elsewhere`,
				});
				response.end();
				return true;
			default:
				return false;
		}
	}

	private page(asked: Asked, number: number, query: URLSearchParams, token = '') {
		const { plan, rows, there } = asked;
		if (plan.fault === 'endless') return endlessPage(Number(query.get('offset')));
		if (plan.fault === 'inserted' && number > 0 && number < 5) {
			for (let nth = 0; nth < 3; nth++) rows.unshift(rowOf(`new ${number} ${nth}`, rows[0]));
		}
		if (plan.fault === 'deleted' && number === 1) {
			for (const { summary } of rows.splice(0, 2)) there.delete(String(summary));
		}
		const offset = plan.fault === 'repeats' ? 0 : Number(query.get('offset'));
		// Carriers and analytics have no pages: without a total, nobody could know of more.
		const clamp = query.has('startDate') || query.has('origin') ? Infinity : CLAMP;
		const limit = Math.min(Number(query.get('limit') ?? clamp), clamp);
		const end = Date.parse(query.get('endTime') ?? '') || Infinity;
		const listed =
			plan.fault === 'clockAhead'
				? rows.filter(({ createdAt }) => Date.parse(String(createdAt)) <= end)
				: rows;
		const page = listed.slice(offset, offset + limit);
		const totals: Partial<Record<Fault, number>> = {
			totalLow: page.length,
			totalHigh: listed.length + 1455,
		};
		const total = plan.fault === 'noTotal' ? undefined : (totals[plan.fault] ?? listed.length);
		return {
			rows: plan.fault === 'echo' ? page.map((row) => ({ ...row, callerName: token })) : page,
			others: {
				pagination: { limit, offset, total },
				...(plan.fault === 'errorNone' && { error: 'none' }),
			},
		};
	}

	/** Each new list of a kind gets the next of that kind's plans, which follow from the seed. */
	private planFor(name: string, kind: string, load: string): Asked {
		const known = this.asked.get(name);
		if (known) return known;
		const left = this.planned.get(kind) ?? [];
		if (left.length === 0) {
			const seed = this.seed + this.asked.size + kind.length;
			left.push(...fc.sample(plans, { numRuns: 500, seed }));
		}
		this.planned.set(kind, left);
		const drawn = left.pop();
		if (drawn === undefined) throw new Error('There is no plan');
		const plan = { ...drawn, fault: this.isCalm ? NONE : faultFor(drawn.fault, load) };
		const large = ['zeros', 'spaces', 'longId'].includes(plan.fault);
		const rows = Array.from({ length: large ? Math.min(plan.count, 8) : plan.count }, (_, nth) =>
			oddRow(plan.fault, load, nth),
		);
		const there = new Set(rows.map(({ summary }) => String(summary)));
		const asked = { plan, rows, there, requests: 0 };
		this.asked.set(name, asked);
		return asked;
	}
}

const NONE = 'none' as const;

/** n8n itself would save all of an endless list, so only who looks for one call gets it: one of each run. */
function faultFor(fault: Fault, load: string): Fault {
	if (/^get-.+-0$/.test(load)) return 'endless';
	return fault === 'endless' || (fault === 'trickle' && load === '') ? NONE : fault;
}

const DENIED = { calls: [], salesBids: [], data: [], message: 'Access denied' };

const MANY = { manyObjects: MANY_OBJECTS, manyTexts: MANY_TEXTS, manyNumbers: MANY_NUMBERS };

function endlessPage(offset: number) {
	const rows: Row[] = Array.from({ length: ENDLESS }, (_, nth) => ({ id: 1e9 + offset + nth }));
	return { rows, others: { pagination: { limit: ENDLESS } } };
}

let nextId = 1;

function rowOf(summary: string, like: Row = {}): Row {
	return { ...like, id: nextId++, summary };
}

function oddRow(fault: Fault, load: string, nth: number): Row {
	const ahead = fault === 'clockAhead' ? 2 * MINUTE_MS : 0;
	const times = { createdAt: new Date(Date.now() + ahead - nth * 1000).toISOString() };
	const row = rowOf(`r${nth}`, { ...times, loadIds: [load], loadId: load, name: `r${nth}` });
	if (fault === 'manyLoads' && nth < 8) return { ...row, loadIds: [load, MANY_LOADS] };
	if (fault === 'zeros') return { ...row, loadIds: [load, `${'0'.repeat(LONG)}!`] };
	if (fault === 'spaces') return { ...row, createdAt: `2026-03-02T12:00${' '.repeat(LONG)}x` };
	if (fault === 'longId' && nth === 0) return { ...row, loadIds: [load, '9'.repeat(2_000_000)] };
	return row;
}

function sendFile({ type, name }: Plan, response: ServerResponse): void {
	const disposition = `attachment; filename="${name}"`;
	response.writeHead(200, { 'content-type': type, 'content-disposition': disposition }).end('RIFF');
}

/** The paths of n8n's own HTTP Request nodes, versions 4.2 and 4.4. */
const FOR_HTTP_REQUEST = /^\/(?:old|new)\//;

const MEGABYTE = MANY_OBJECTS.subarray(0, 3 * 350_000);

/** Sends so many megabytes, unless the reader closes the connection. */
function flood(response: ServerResponse, megabytes: number): void {
	if (megabytes === 0) return void response.end('{}]}');
	if (!response.destroyed) response.write(MEGABYTE, () => flood(response, megabytes - 1));
}

function trickle(response: ServerResponse): void {
	const timer = setInterval(() => void response.write(' '), 50);
	response.on('close', () => clearInterval(timer));
}
