// How long it takes to read 100,000 calls in pages of 500, at 50 ms a page: this package's node, n8n's HTTP
// Request node with Split Out, and a bare loop of fetch, four pages at a time. Each run is a process of its own
// with n8n-core loaded, so that memory can be compared; the service is another. The runs are interleaved, so that
// other load on the machine affects all alike. Medians are shown. Ends with exit code 1 if this node isn't
// three times as fast as HTTP Request.
// Run: npm run build && npm run bench:lists [rounds] [calls]. n8n's own nodes come from where npm start
// installed n8n; without them, HTTP Request is left out.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { INodeType, IVersionedNodeType } from 'n8n-workflow';
import { n8nFolder, ROOT } from '../playground/setup/paths.mts';
import { openArchive } from '../sandbox/data/archive.mts';
import { openBrokerage } from '../sandbox/data/brokerage.mts';
import { tokens } from '../sandbox/index.mts';
import { chain, startEngine, type EngineRun } from '../test/engine/support/harness/index.mts';

interface Measured {
	ms: number;
	/** What the process computed meanwhile, which a busy machine changes less. */
	cpuMs: number;
	calls: number;
	/** Peak of the whole process, n8n-core included. */
	rssMb: number;
}

/** Reads all calls. Resolves to what it keeps, one entry per call. */
type Read = () => Promise<unknown[]>;

const PAGE = 500;
const AT_ONCE = 4;
const LATENCY_MS = 50;
const GOAL = 3;
const SERVE = 'serve';
const RANGE = { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };
const CREDENTIAL = 'carrierLoadCommunicationsApi';
const n8n = join(n8nFolder(), 'package.json');
const hasHttpRequest = existsSync(join(n8nFolder(), 'node_modules/n8n-nodes-base'));

const READERS: Record<string, (baseUrl: string) => Promise<Read>> = {
	'this node': (baseUrl) => nodeReader(baseUrl, 'all'),
	'this node, simplified': (baseUrl) => nodeReader(baseUrl, 'simplified'),
	...(hasHttpRequest && { 'HTTP Request': httpRequestReader }),
	'loop of fetch': fetchReader,
};

const [first = '5', second = '100000', reader] = process.argv.slice(2);
if (first === SERVE) serve(Number(second));
else if (reader === undefined) await compare(Number(first), Number(second));
else await runOnce(first, reader);

/** The sandbox's calls from memory, any page immediately: what it takes to make them up must not count. */
function serve(calls: number): void {
	const history = { seed: 1, historyDays: 90, end: Date.now(), serviceUrl: () => '' };
	const archive = openArchive(openBrokerage('north', { ...history, calls }));
	const range = { from: 0, to: Date.now(), offset: 0, limit: calls };
	const rows = archive.calls
		.page({ ...range, matches: () => true, oldestFirst: false })
		.rows.map((row) => JSON.stringify(row));
	const server = createServer((request, response) => {
		const { searchParams } = new URL(request.url ?? '', 'http://localhost');
		const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
		const pagination = JSON.stringify({ limit, offset, total: calls });
		const page = rows.slice(offset, offset + limit).join();
		response.setHeader('Content-Type', 'application/json');
		setTimeout(() => response.end(`{"calls":[${page}],"pagination":${pagination}}`), LATENCY_MS);
	});
	server.listen(0, '127.0.0.1', () => {
		const address = server.address();
		console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
	});
}

async function compare(rounds: number, calls: number): Promise<void> {
	const service = spawn(process.execPath, [import.meta.filename, SERVE, `${calls}`], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const runs = new Map<string, Measured[]>(Object.keys(READERS).map((name) => [name, []]));
	try {
		const baseUrl = await new Promise<string>((resolve, reject) => {
			service.on('exit', (code) => reject(new Error(`The service ended with ${code}`)));
			service.stdout.on('data', (chunk: Buffer) => resolve(String(chunk).trim()));
		});
		for (let round = 1; round <= rounds; round++) {
			for (const [name, ofReader] of runs) ofReader.push(await inOwnProcess(baseUrl, name, calls));
			console.error(`Round ${round} of ${rounds} is done`);
		}
	} finally {
		service.removeAllListeners('exit');
		service.kill();
	}
	print(runs, calls);
}

async function inOwnProcess(baseUrl: string, name: string, calls: number): Promise<Measured> {
	const { stdout } = await promisify(execFile)(
		process.execPath,
		['--max-old-space-size=12288', import.meta.filename, baseUrl, '', name],
		{ cwd: ROOT, maxBuffer: 1024 * 1024 },
	);
	const measured: Measured = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
	if (measured.calls === calls) return measured;
	throw new Error(`${name} read ${measured.calls} of ${calls} calls`);
}

function print(runs: Map<string, Measured[]>, calls: number): void {
	const median = (name: string, key: keyof Measured) => {
		const sorted = (runs.get(name) ?? [])
			.map((run) => run[key])
			.toSorted((one, other) => one - other);
		return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
	};
	console.log(`| ${calls} calls | time | all rounds (s) | CPU time | peak RSS |`);
	console.log('| --- | ---: | --- | ---: | ---: |');
	for (const [name, all] of runs) {
		const seconds = (key: 'ms' | 'cpuMs') => `${(median(name, key) / 1000).toFixed(2)} s`;
		const rounds = all.map(({ ms }) => (ms / 1000).toFixed(2)).join(', ');
		const rss = `${median(name, 'rssMb').toFixed(0)} MB`;
		console.log(`| ${[name, seconds('ms'), rounds, seconds('cpuMs'), rss].join(' | ')} |`);
	}
	if (!hasHttpRequest) return console.log('\nn8n is not installed: HTTP Request was left out');
	const ratio = median('HTTP Request', 'ms') / median('this node', 'ms');
	console.log(`\nHTTP Request takes ${ratio.toFixed(1)} times as long (goal: at least ${GOAL})`);
	if (ratio < GOAL) process.exitCode = 1;
}

/** Prints the figures of one run as a line of JSON. */
async function runOnce(baseUrl: string, name: string): Promise<void> {
	const prepare = READERS[name];
	if (!prepare) throw new Error(`There is no reader "${name}"`);
	const read = await prepare(baseUrl);
	const startedCpu = process.cpuUsage();
	const started = performance.now();
	const calls = await read();
	const ms = performance.now() - started;
	const cpu = process.cpuUsage(startedCpu);
	const measured: Measured = {
		...{ ms, cpuMs: (cpu.user + cpu.system) / 1000, calls: calls.length },
		rssMb: process.resourceUsage().maxRSS / 1024,
	};
	process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit(0));
}

/** This package's Get Many of calls. */
async function nodeReader(baseUrl: string, output: 'all' | 'simplified'): Promise<Read> {
	const engine = await startEngine();
	const parameters = {
		...{ resource: 'call', operation: 'getAll', returnAll: true, output },
		...{ timeRange: 'custom', ...RANGE },
	};
	const credentials = { [CREDENTIAL]: { baseUrl, accessToken: tokens.north } };
	return async () => itemsOf(await engine.runNode(parameters, { credentials }));
}

/** n8n's HTTP Request node with its own pagination, then Split Out. */
async function httpRequestReader(baseUrl: string): Promise<Read> {
	const require = createRequire(n8n);
	const nodeType = (path: string, name: string): INodeType | IVersionedNodeType =>
		new (require(`n8n-nodes-base/dist/nodes/${path}`)[name])();
	const engine = await startEngine({
		nodeTypes: {
			'n8n-nodes-base.httpRequest': nodeType('HttpRequest/HttpRequest.node.js', 'HttpRequest'),
			'n8n-nodes-base.splitOut': nodeType('Transform/SplitOut/SplitOut.node.js', 'SplitOut'),
		},
	});
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: {
			parameters: [{ type: 'qs', name: 'offset', value: `={{ $pageCount * ${PAGE} }}` }],
		},
		paginationCompleteWhen: 'other',
		completeExpression: `={{ $pageCount * ${PAGE} >= $response.body.pagination.total }}`,
	};
	const query = Object.entries({ ...RANGE, limit: String(PAGE) });
	const workflow = chain(
		{ name: 'Start', type: 'testNodes.start' },
		{
			...{ name: 'HTTP Request', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
			parameters: {
				...{ url: `${baseUrl}/api/v1/calls`, authentication: 'predefinedCredentialType' },
				...{ nodeCredentialType: CREDENTIAL, sendQuery: true },
				queryParameters: { parameters: query.map(([name, value]) => ({ name, value })) },
				options: { pagination: { pagination } },
			},
			credentials: await engine.credentials.save({
				[CREDENTIAL]: { baseUrl, accessToken: tokens.north },
			}),
		},
		{
			...{ name: 'Split Out', type: 'n8n-nodes-base.splitOut', typeVersion: 1 },
			parameters: { fieldToSplitOut: 'calls', options: {} },
		},
	);
	return async () => itemsOf(await engine.runWorkflow(workflow, { subject: 'Split Out' }));
}

/** The first page tells the total; the others are read in parallel and kept in order. */
async function fetchReader(baseUrl: string): Promise<Read> {
	// For a fair comparison of memory.
	await startEngine({ package: false });
	const readPage = async (offset: number) => {
		const query = new URLSearchParams({ ...RANGE, limit: `${PAGE}`, offset: `${offset}` });
		const response = await fetch(`${baseUrl}/api/v1/calls?${query}`, {
			headers: { Authorization: `Bearer ${tokens.north}` },
		});
		const page: { calls: unknown[]; pagination: { total: number } } = await response.json();
		return page;
	};
	return async () => {
		const { calls, pagination } = await readPage(0);
		const pages = [calls];
		let next = PAGE;
		const worker = async (): Promise<void> => {
			while (next < pagination.total) {
				const offset = next;
				next += PAGE;
				pages[offset / PAGE] = (await readPage(offset)).calls;
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, worker));
		return pages.flat();
	};
}

/** The items of a run, if it succeeded. */
function itemsOf(run: EngineRun): unknown[] {
	if (run.status !== 'success') throw run.error ?? new Error(`The run ended as ${run.status}`);
	return run.output();
}
