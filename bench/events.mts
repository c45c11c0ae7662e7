// Events per second that a real n8n takes: this package's trigger, which verifies and deduplicates,
// beside n8n's own Webhook node, which does neither. Each workflow is one node. The clock stops when
// the last execution has ended; the other figures are how long a sender waits for its response.
// The rounds are interleaved, so that a busy moment of the machine hits both alike; medians are shown.
// Run: npm run build && npm run bench:events [rounds] [events] [senders]
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startN8n } from '../playground/n8n/n8n.mts';
import { type JsonObject, textIn } from '../playground/n8n/rest.mts';
import type { N8nSession } from '../playground/n8n/session.mts';
import { PACKAGE_NAME, ROOT } from '../playground/setup/paths.mts';

const [rounds = 5, events = 200, senders = 8] = process.argv.slice(2).map(Number);
const SECRET = 'a secret for the benchmark only';
const CREDENTIAL = 'Events';

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
	};
	const begin = performance.now();
	const response = await fetch(url, { method: 'POST', body, headers });
	await response.text();
	if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
	return performance.now() - begin;
}

async function measure(session: N8nSession, { workflowId, url }: Target, count: number) {
	const done = async () => {
		const page = await session.executions.page({ workflowId, status: 'success', limit: 1 });
		return Number(textIn(page, 'count'));
	};
	const before = await done();
	const times: number[] = [];
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
	return { perSecond: count / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

const median = (runs: Measured[], key: keyof Measured): number =>
	runs.map((run) => run[key]).toSorted((one, other) => one - other)[Math.floor(runs.length / 2)] ??
	Number.NaN;

const userFolder = mkdtempSync(join(tmpdir(), 'bench-events-'));
const n8n = await startN8n({ userFolder, packageDir: ROOT });
try {
	const session = await n8n.login();
	console.error('n8n is ready');
	const data = { method: 'hmac', secret: SECRET };
	const type = 'carrierLoadCommunicationsWebhookApi';
	await session.createCredential({ name: CREDENTIAL, type, data });
	const [own, other] = [randomUUID(), randomUUID()];
	const at = { session, baseUrl: n8n.baseUrl };
	const targets = [
		await createTarget(at, 'This trigger', own, `${own}/webhook`, {
			...{ type: `${PACKAGE_NAME}.carrierLoadCommunicationsTrigger`, typeVersion: 1 },
			...{ parameters: {}, credentials: { [type]: { id: null, name: CREDENTIAL } } },
		}),
		await createTarget(at, "n8n's Webhook node", other, other, {
			...{ type: 'n8n-nodes-base.webhook', typeVersion: 2.1 },
			parameters: { httpMethod: 'POST', path: other, options: {} },
		}),
	];
	for (const target of targets) await measure(session, target, 50);
	console.error('Warmed up');
	for (let round = 1; round <= rounds; round++) {
		for (const target of targets) target.runs.push(await measure(session, target, events));
		console.error(`Round ${round} of ${rounds} is done`);
	}
	console.log('| node | events/s | all rounds | p50 | p99 |');
	console.log('| --- | ---: | --- | ---: | ---: |');
	for (const { name, runs } of targets) {
		const all = runs.map(({ perSecond }) => perSecond.toFixed(1)).join(', ');
		const ms = (key: keyof Measured) => `${median(runs, key).toFixed(0)} ms`;
		console.log(
			`| ${name} | ${median(runs, 'perSecond').toFixed(1)} | ${all} | ${ms('p50Ms')} | ${ms('p99Ms')} |`,
		);
	}
	const [ownRate = 0, otherRate = 1] = targets.map(({ runs }) => median(runs, 'perSecond'));
	console.log(`This trigger / n8n's Webhook node: ${(ownRate / otherRate).toFixed(2)}`);
} finally {
	await n8n.stop();
	rmSync(userFolder, { recursive: true, force: true });
}
