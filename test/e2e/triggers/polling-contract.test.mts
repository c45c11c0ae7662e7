import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { textIn } from '../../../playground/n8n/rest.mts';
import { startEngine } from '../../engine/support/harness/index.mts';
import { startPreparedN8n } from '../../support/prepared-n8n.mts';
import { waitUntil } from '../../support/wait-until.mts';
import { DURABLE } from './support/durable-cursors.mts';
import { createProbe, type Order, startProbeServer } from './support/poll-probe.mts';

const nothing: Order = { hasItems: false };
const items: Order = { hasItems: true };

const probe = createProbe();
afterAll(() => rmSync(probe.folder, { recursive: true, force: true }));

/** The counts that the probe's polls see in a real n8n, which is killed before the last poll. */
async function inN8n(orders: Order[], env: Record<string, string>): Promise<number[]> {
	const server = await startProbeServer(orders);
	const userFolder = mkdtempSync(join(tmpdir(), 'polling-contract-'));
	const options = { userFolder, env: { N8N_CUSTOM_EXTENSIONS: probe.folder, ...env } };
	let n8n = await startPreparedN8n(options);
	try {
		const session = await n8n.login();
		const node = {
			...{ id: randomUUID(), name: 'Probe', position: [0, 0], typeVersion: 1 },
			type: 'CUSTOM.pollProbe',
			parameters: { url: server.url, pollTimes: { item: [{ mode: 'everyMinute' }] } },
		};
		const workflow = { name: 'Probe', nodes: [node], connections: {}, settings: {} };
		await session.activate(textIn(await session.createWorkflow(workflow), 'id'));
		const isLastButOne = () => server.counts.length >= orders.length - 1;
		await waitUntil('the polls before the crash', isLastButOne, 900_000);
		// By then n8n has stored what the polls before left.
		await wait(20_000);
		process.kill(n8n.pid, 'SIGKILL');
		await n8n.exited;
		n8n = await startPreparedN8n(options);
		await waitUntil('the last poll', () => server.counts.length >= orders.length, 600_000);
		return server.counts.slice(0, orders.length);
	} finally {
		await n8n.stop();
		server.close();
		rmSync(userFolder, { recursive: true, force: true });
	}
}

/** The same in the harness of the engine tests. */
async function inModel(orders: Order[], durable: boolean): Promise<number[]> {
	const server = await startProbeServer(orders);
	const engine = await startEngine({
		package: false,
		nodeTypes: { 'testNodes.pollProbe': probe.type },
	});
	try {
		const { poller } = engine.poller({ url: server.url }, { type: 'pollProbe', durable });
		await poller.publish();
		while (server.counts.length < orders.length - 1) {
			const before = server.counts.length;
			const polls = [poller.poll()];
			await waitUntil('its request', () => server.counts.length > before);
			if (orders[server.counts.length - 1]?.waitsForNext) polls.push(poller.poll());
			await Promise.all(polls);
		}
		await poller.crash();
		return server.counts;
	} finally {
		engine.close();
		server.close();
	}
}

describe("the harness's polled workflow", () => {
	it.concurrent('overlaps polls and forgets in a crash what n8n forgets', async () => {
		const overlapping = [nothing, nothing, { ...items, waitsForNext: true }, items];
		const orders = [...overlapping, nothing, nothing];
		const counts = await inN8n(orders, {});
		expect(counts).toEqual([0, 1, 2, 2, 3, 3]);
		expect(await inModel(orders, false)).toEqual(counts);
	});

	it.concurrent('keeps durable cursors as n8n does', async () => {
		const orders = [nothing, nothing, items, nothing, nothing];
		const counts = await inN8n(orders, DURABLE);
		expect(counts).toEqual([0, 0, 1, 2, 3]);
		expect(await inModel(orders, true)).toEqual(counts);
	});
});
