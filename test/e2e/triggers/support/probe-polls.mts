import { setTimeout as wait } from 'node:timers/promises';
import type { INodeType } from 'n8n-workflow';
import { startEngine } from '../../../engine/support/harness/index.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import { type Order, startProbeServer } from './poll-probe.mts';
import type { TriggersEnvironment } from './triggers-environment.mts';

/** Polls of the probe, one for each order: in a real n8n, and in the harness of the engine tests. */
export class ProbePolls {
	private readonly environment: TriggersEnvironment;
	private readonly orders: Order[];
	private server: Awaited<ReturnType<typeof startProbeServer>> | undefined;

	constructor(environment: TriggersEnvironment, orders: Order[]) {
		this.environment = environment;
		this.orders = orders;
	}

	/** From now on, n8n polls once a minute. */
	async begin(): Promise<void> {
		this.server = await startProbeServer(this.orders);
		const id = await this.environment.create('Probe', {
			...{ type: 'CUSTOM.pollProbe', typeVersion: 1 },
			parameters: { url: this.server.url, pollTimes: { item: [{ mode: 'everyMinute' }] } },
		});
		await this.environment.session.activate(id);
	}

	close(): void {
		this.server?.close();
	}

	/** The counts that the polls see in n8n, which is killed before the last one. */
	async inN8n(): Promise<number[]> {
		const { length } = this.orders;
		const counts = this.server?.counts ?? [];
		await waitUntil('the polls before the crash', () => counts.length >= length - 1, 900_000);
		// By then n8n has stored what the polls before left.
		await wait(20_000);
		await this.environment.killAndRestart();
		await waitUntil('the last poll', () => counts.length >= length, 600_000);
		return counts.slice(0, length);
	}

	/** The counts that they see in the harness. */
	async inModel(probe: INodeType, durable: boolean): Promise<number[]> {
		const { orders } = this;
		const server = await startProbeServer(orders);
		const engine = await startEngine({
			package: false,
			nodeTypes: { 'testNodes.pollProbe': probe },
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
}
