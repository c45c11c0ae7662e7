// Events per second that a real n8n takes, and how long a sender waits for its response: this package's
// trigger, which verifies (HMAC) and deduplicates, next to n8n's own Webhook node with header
// authentication and without any, and next to the least that a trigger of any package can do: a node
// whose webhook only returns an item. Each workflow is one node; the clock stops when the last execution
// has ended. The rounds are interleaved, so that a busy moment of the machine affects all alike; medians are
// shown. "By events/s" and "by CPU" compare with the Webhook node with header authentication.
// All of that twice: with n8n's default settings, and with N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE.
// Run: npm run build && npm run bench:events [rounds] [events] [senders]
import { createHmac, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startN8n } from '../playground/n8n/n8n.mts';
import { type JsonObject, textIn } from '../playground/n8n/rest.mts';
import type { N8nSession } from '../playground/n8n/session.mts';
import { PACKAGE_NAME, ROOT } from '../playground/setup/paths.mts';

const [rounds = 5, events = 200, senders = 8] = process.argv.slice(2).map(Number);
const SECRET = 'a secret for the benchmark only';
const HEADER = 'x-webhook-secret';
const [OWN, WEBHOOK] = ['This trigger', "n8n's Webhook node, header authentication"];

/** What any package's trigger costs in n8n: no credential, no memory, no settings. */
const TRIVIAL = `
class Trivial {
	description = {
		displayName: 'Trivial', name: 'trivial', group: ['trigger'], version: 2, description: 'Trivial',
		defaults: { name: 'Trivial' }, inputs: [], outputs: ['main'], properties: [],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
	};
	async webhook() {
		return { workflowData: [[{ json: this.getBodyData() }]] };
	}
}
module.exports = { Trivial };
`;

interface Target {
	name: string;
	workflowId: string;
	url: string;
	runs: Measured[];
}

interface Measured {
	perSecond: number;
	p50Ms: number;
	p99Ms: number;
	/** What n8n computes for one event, in milliseconds: other work on the machine changes it little. */
	cpuMs: number;
}

/** CPU time of a process and its threads, in milliseconds; not a number outside Linux. */
function cpuTime(pid: number): number {
	if (process.platform !== 'linux') return Number.NaN;
	const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
	const [user, system] = after.split(' ').slice(11).map(Number);
	// Counted in hundredths of a second, see proc(5).
	return ((user ?? Number.NaN) + (system ?? Number.NaN)) * 10;
}

async function createTarget(
	{ session, baseUrl }: { session: N8nSession; baseUrl: string },
	name: string,
	webhookId: string,
	path: string,
	node: JsonObject,
): Promise<Target> {
	const workflow = await session.createWorkflow({
		name,
		nodes: [{ id: randomUUID(), name, position: [0, 0], webhookId, ...node }],
		connections: {},
		settings: { executionOrder: 'v1' },
	});
	const workflowId = textIn(workflow, 'id');
	await session.activate(workflowId);
	const url = `${baseUrl}/webhook/${path}`;
	while (!(await session.webhookIsRegistered(url))) await wait(250);
	return { name, workflowId, url, runs: [] };
}

async function deliver(url: string): Promise<number> {
	const body = JSON.stringify({
		...{ event: 'call_ended', callId: 4711, createdAt: new Date().toISOString(), id: randomUUID() },
		formattedTranscript: 'Agent: Where are you?\nDriver: Just past Gary, on time.\n'.repeat(20),
		extractedData: { eta: '14:30' },
		inputData: { toPhone: '+13125550188', loadNumber: '48213', metadata: { tmsId: 'T-9' } },
	});
	const time = String(Math.floor(Date.now() / 1000));
	const signature = createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex');
	const headers = {
		...{ 'content-type': 'application/json', 'x-timestamp': time },
		'x-signature': `sha256=${signature}`,
		[HEADER]: SECRET,
	};
	const begin = performance.now();
	const response = await fetch(url, { method: 'POST', body, headers });
	await response.text();
	if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
	return performance.now() - begin;
}

async function measure(
	{ session, pid }: { session: N8nSession; pid: number },
	{ workflowId, url }: Target,
	count: number,
): Promise<Measured> {
	const done = async () => {
		const page = await session.executions.page({ workflowId, status: 'success', limit: 1 });
		return Number(textIn(page, 'count'));
	};
	const before = await done();
	const times: number[] = [];
	const cpuBefore = cpuTime(pid);
	const begin = performance.now();
	let left = count;
	const sender = async () => {
		while (left-- > 0) times.push(await deliver(url));
	};
	await Promise.all(Array.from({ length: senders }, sender));
	while ((await done()) < before + count) await wait(50);
	const seconds = (performance.now() - begin) / 1000;
	const sorted = times.toSorted((one, other) => one - other);
	const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
	const cpuMs = (cpuTime(pid) - cpuBefore) / count;
	return { perSecond: count / seconds, p50Ms: at(0.5), p99Ms: at(0.99), cpuMs };
}

const median = (runs: Measured[], key: keyof Measured): number =>
	runs.map((run) => run[key]).toSorted((one, other) => one - other)[Math.floor(runs.length / 2)] ??
	Number.NaN;

async function createTargets(at: { session: N8nSession; baseUrl: string }): Promise<Target[]> {
	const { session } = at;
	const type = 'carrierLoadCommunicationsWebhookApi';
	await session.createCredential({ name: 'A', type, data: { method: 'hmac', secret: SECRET } });
	const data = { name: HEADER, value: SECRET };
	await session.createCredential({ name: 'B', type: 'httpHeaderAuth', data });
	const id = () => randomUUID();
	const [own, trivial, withHeader, open] = [id(), id(), id(), id()];
	const webhook = { type: 'n8n-nodes-base.webhook', typeVersion: 2.1 };
	const parameters = { httpMethod: 'POST', options: {} };
	const all: Array<[name: string, webhookId: string, path: string, node: JsonObject]> = [
		[
			...([OWN, own, `${own}/webhook`] as const),
			{
				...{ type: `${PACKAGE_NAME}.carrierLoadCommunicationsTrigger`, typeVersion: 2 },
				...{ parameters: {}, credentials: { [type]: { id: null, name: 'A' } } },
			},
		],
		[
			...(['A trigger that does nothing', trivial, `${trivial}/webhook`] as const),
			{ type: 'CUSTOM.trivial', typeVersion: 2, parameters: {} },
		],
		[
			...([WEBHOOK, withHeader, withHeader] as const),
			{
				...{ ...webhook, credentials: { httpHeaderAuth: { id: null, name: 'B' } } },
				parameters: { ...parameters, path: withHeader, authentication: 'headerAuth' },
			},
		],
		[
			...(["n8n's Webhook node, open to anyone", open, open] as const),
			{ ...webhook, parameters: { ...parameters, path: open } },
		],
	];
	const targets: Target[] = [];
	for (const [name, webhookId, path, node] of all) {
		targets.push(await createTarget(at, name, webhookId, path, node));
	}
	return targets;
}

function print(title: string, targets: Target[]): void {
	const webhook = targets.find(({ name }) => name === WEBHOOK)?.runs ?? [];
	console.log(
		`\n${title}:\n\n| node | events/s | all rounds | p50 | p99 | CPU | by events/s | by CPU |`,
	);
	console.log('| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |');
	for (const { name, runs } of targets) {
		const all = runs.map(({ perSecond }) => perSecond.toFixed(1)).join(', ');
		const ms = (key: keyof Measured) => `${median(runs, key).toFixed(0)} ms`;
		const rate = median(runs, 'perSecond');
		const byRate = (rate / median(webhook, 'perSecond')).toFixed(2);
		const byCpu = (median(webhook, 'cpuMs') / median(runs, 'cpuMs')).toFixed(2);
		const figures = [ms('p50Ms'), ms('p99Ms'), ms('cpuMs'), byRate, byCpu];
		console.log(`| ${[name, rate.toFixed(1), all, ...figures].join(' | ')} |`);
	}
}

async function bench(title: string, env: Record<string, string>): Promise<void> {
	const userFolder = mkdtempSync(join(tmpdir(), 'bench-events-'));
	const nodes = join(userFolder, 'nodes');
	mkdirSync(nodes);
	writeFileSync(join(nodes, 'Trivial.node.js'), TRIVIAL);
	const n8n = await startN8n({
		...{ userFolder, packageDir: ROOT },
		env: { N8N_CUSTOM_EXTENSIONS: nodes, ...env },
	});
	try {
		const session = await n8n.login();
		const targets = await createTargets({ session, baseUrl: n8n.baseUrl });
		const at = { session, pid: n8n.pid };
		for (const target of targets) await measure(at, target, 50);
		for (let round = 1; round <= rounds; round++) {
			for (const target of targets) target.runs.push(await measure(at, target, events));
			console.error(`${title}: round ${round} of ${rounds} is done`);
		}
		print(title, targets);
	} finally {
		await n8n.stop();
		rmSync(userFolder, { recursive: true, force: true });
	}
}

await bench("n8n's default settings", {});
await bench('With N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true', {
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
});
