// What placing calls costs: this package's node in a real n8n (SQLite), next to a bare loop of `fetch` that places
// as many calls at the same parallelism with the same sandbox, and n8n's own HTTP Request node, which sends the
// same requests. The clock of the nodes is n8n's own (a node's execution time). Rounds are interleaved, so that a
// busy moment of the machine affects all alike; medians are shown.
// Run: npm run build && npm run bench:calls [rounds] [calls before the second measurement]
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type RunningN8n, startN8n } from '../playground/n8n/n8n.mts';
import { isRecord, type JsonObject, recordsIn, textIn } from '../playground/n8n/rest.mts';
import type { N8nSession } from '../playground/n8n/session.mts';
import { PACKAGE_NAME, ROOT } from '../playground/setup/paths.mts';
import { tokens } from '../sandbox/index.mts';

/** The sandbox in a process of its own. */
interface Service {
	process: ChildProcess;
	baseUrl: string;
	latencyMs: number;
}

/** Whom to call about which load. */
interface Driver {
	phone: string;
	load: string;
}

const [rounds = 5, earlier = 5000] = process.argv.slice(2).map(Number);
const PARALLEL = 8;
const FIRST = 800;
const GUARDED = 80;
const PATH = '/api/v1/track-and-trace/trigger-check-call';
const CREDENTIAL = 'carrierLoadCommunicationsApi';
const CALL = { toPhone: '={{ $json.phone }}', loadNumber: '={{ $json.load }}', nextStopIndex: 0 };

const results = new Map<string, number[]>();
const note = (name: string, ms: number) => {
	results.set(name, [...(results.get(name) ?? []), ms]);
};

let drivers = 0;

/** Drivers that no one has called yet; each has its own number and load. */
function newDrivers(count: number): Driver[] {
	return Array.from({ length: count }, () => {
		const nth = drivers++;
		return { phone: `+1312${2_000_000 + nth}`, load: `B${nth}` };
	});
}

async function startService(latencyMs: number): Promise<Service> {
	const args = ['sandbox/main.mts', '--port=0', '--calls=20', '--call-delay=600000'];
	const child = spawn(process.execPath, [...args, `--latency=${latencyMs}`], {
		...{ cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
	});
	const baseUrl = await new Promise<string>((resolve, reject) => {
		child.on('exit', (code) => reject(new Error(`The sandbox ended with ${code}`)));
		child.stdout?.on('data', (chunk: Buffer) => {
			const url = /http:\S+/.exec(String(chunk))?.[0];
			if (url) resolve(url);
		});
	});
	return { process: child, baseUrl, latencyMs };
}

/** The ideal: a bare loop of `fetch`, so many at a time. Resolves to its milliseconds. */
async function bareLoop({ baseUrl }: Service, count: number): Promise<number> {
	const left = newDrivers(count).values();
	const authorization = `Bearer ${tokens.north}`;
	const headers = { 'content-type': 'application/json', authorization };
	const worker = async () => {
		for (const { phone, load } of left) {
			const body = JSON.stringify({ toPhone: phone, loadNumber: load, nextStopIndex: 0 });
			const response = await fetch(baseUrl + PATH, { method: 'POST', headers, body });
			if (!response.ok) throw new Error(`The sandbox responded with ${response.status}`);
			await response.json();
		}
	};
	const begin = performance.now();
	await Promise.all(Array.from({ length: PARALLEL }, worker));
	return performance.now() - begin;
}

const credentialOf = (latencyMs: number) => `The service, ${latencyMs} ms`;

/** This package's node: a check call for each driver. */
const checkCalls = ({ latencyMs }: Service, skipIfCalledWithin: number): JsonObject => ({
	...{ type: `${PACKAGE_NAME}.carrierLoadCommunications`, typeVersion: 1 },
	credentials: { [CREDENTIAL]: { id: null, name: credentialOf(latencyMs) } },
	parameters: {
		...{ resource: 'call', operation: 'triggerCheckCall', ...CALL },
		rules: { skipIfCalledWithin, maxCalls: 20_000 },
		options: { callsInParallel: PARALLEL },
	},
});

/** It can't keep so many in flight, but can begin so many in each latency, which comes near. */
const httpRequests = ({ baseUrl, latencyMs }: Service): JsonObject => ({
	...{ type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
	credentials: { httpHeaderAuth: { id: null, name: credentialOf(latencyMs) } },
	parameters: {
		...{ method: 'POST', url: baseUrl + PATH, sendBody: true },
		...{ authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
		bodyParameters: {
			parameters: Object.entries(CALL).map(([name, value]) => ({ name, value })),
		},
		options: {
			batching: { batch: { batchSize: PARALLEL, batchInterval: Math.max(1, latencyMs) } },
		},
	},
});

type At = { n8n: RunningN8n; session: N8nSession };

/** A published workflow of a webhook, Split Out and the node. Resolves to its runner. */
async function workflowOf({ n8n, session }: At, measured: JsonObject) {
	const path = randomUUID();
	const node = (name: string, rest: JsonObject) => ({
		...{ id: randomUUID(), name, position: [0, 0], ...rest },
	});
	const nodes = [
		node('Webhook', {
			...{ type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: path },
			parameters: { path, httpMethod: 'POST' },
		}),
		node('Drivers', {
			...{ type: 'n8n-nodes-base.splitOut', typeVersion: 1 },
			parameters: { fieldToSplitOut: 'body.drivers', options: {} },
		}),
		node('Measured', measured),
	];
	const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const created = await session.createWorkflow({
		...{ name: `Measured ${path}`, nodes, settings: { executionOrder: 'v1' } },
		connections: { Webhook: to('Drivers'), Drivers: to('Measured') },
	});
	const id = textIn(created, 'id');
	await session.activate(id);
	const url = `${n8n.baseUrl}/webhook/${path}`;
	while (!(await session.webhookIsRegistered(url))) await wait(250);
	/** Resolves to the milliseconds that the node took. */
	return async (count: number): Promise<number> => {
		const before = (await session.executions.newest(id)).length;
		const body = JSON.stringify({ drivers: newDrivers(count) });
		const headers = { 'content-type': 'application/json' };
		const response = await fetch(url, { method: 'POST', headers, body });
		if (!response.ok) throw new Error(`n8n responded with ${response.status}`);
		for (;;) {
			await wait(100);
			const executions = await session.executions.newest(id);
			const [newest] = executions;
			const isDone = ['success', 'error', 'crashed'].includes(textIn(newest, 'status'));
			if (executions.length === before || !isDone) continue;
			return nodeTime(await session.executions.data(textIn(newest, 'id')), count);
		}
	};
}

function nodeTime({ resultData }: JsonObject, count: number): number {
	const run = recordsIn(isRecord(resultData) ? resultData['runData'] : {}, 'Measured').at(-1);
	const data = run?.['data'];
	const items = [isRecord(data) ? data['main'] : []].flat(2).length;
	const error = isRecord(run?.['error']) ? textIn(run['error'], 'message') : '';
	if (error === '' && items === count) return Number(run?.['executionTime']);
	throw new Error(`${items} of ${count} items succeeded: ${error}`);
}

async function measure(at: At, service: Service, isRoundForMany: boolean): Promise<void> {
	const latency = `${service.latencyMs} ms`;
	note(`ideal ${latency}`, (await bareLoop(service, FIRST)) / FIRST);
	const request = await workflowOf(at, httpRequests(service));
	note(`http ${latency}`, (await request(FIRST)) / FIRST);
	const place = await workflowOf(at, checkCalls(service, 0));
	note(`first ${latency}`, (await place(FIRST)) / FIRST);
	// So many calls take long, so that every other round has to do.
	if (service.latencyMs === 0 && isRoundForMany) {
		await place(earlier);
		note('after', (await place(FIRST)) / FIRST);
	}
	const guarded = await workflowOf(at, checkCalls(service, 10));
	const ideal = await bareLoop(service, GUARDED);
	note(`guarded ${latency}`, (await guarded(GUARDED)) - ideal);
}

function print(): void {
	const row = (what: string, goal: string, name: string, digits = 1) => {
		const all = results.get(name) ?? [];
		const sorted = all.toSorted((one, other) => one - other);
		const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
		const rounds = all.map((value) => value.toFixed(digits)).join(', ');
		console.log(`| ${[what, goal, `${median.toFixed(digits)} ms`, rounds].join(' | ')} |`);
	};
	console.log('| what | goal | median | all rounds |\n| --- | ---: | ---: | --- |');
	for (const at of ['0 ms', '50 ms']) {
		row(
			`first ${FIRST} calls, ${at} latency, a call`,
			at === '0 ms' ? '≤ 5 ms' : '',
			`first ${at}`,
		);
		if (at === '0 ms') row(`${FIRST} calls after ${earlier}, a call`, '≤ 1.2 first', 'after');
		row('a bare loop of fetch', '', `ideal ${at}`);
		row("n8n's HTTP Request node", '', `http ${at}`);
		row(`${GUARDED} guarded calls, ${at}, on top of the loop`, '≤ 2000 ms', `guarded ${at}`, 0);
	}
}

const services = [await startService(0), await startService(50)];
const userFolder = mkdtempSync(join(tmpdir(), 'bench-calls-'));
const n8n = await startN8n({ userFolder, packageDir: ROOT, env: { N8N_PAYLOAD_SIZE_MAX: '64' } });
try {
	const session = await n8n.login();
	for (const { baseUrl, latencyMs } of services) {
		const name = credentialOf(latencyMs);
		const data = { baseUrl, accessToken: tokens.north };
		await session.createCredential({ name, type: CREDENTIAL, data });
		const header = { name: 'Authorization', value: `Bearer ${tokens.north}` };
		await session.createCredential({ name, type: 'httpHeaderAuth', data: header });
	}
	for (let round = 0; round <= rounds; round++) {
		// The first round warms up.
		if (round === 1) results.clear();
		for (const service of services) await measure({ n8n, session }, service, round % 2 === 1);
		console.error(`Round ${round} of ${rounds} is done`);
	}
	print();
} finally {
	await n8n.stop();
	for (const service of services) service.process.kill();
	rmSync(userFolder, { recursive: true, force: true });
}
