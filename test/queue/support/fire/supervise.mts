import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunningN8n } from '../../../../playground/n8n/n8n.mts';
import type { Processes } from '../processes.mts';

/**
 * Starts whatever of n8n exits anew, as a container's restart policy does, until the returned function is called.
 */
export function supervise(n8n: Processes): () => Promise<void> {
	let isOver = false;
	const restart = async (
		processes: RunningN8n[],
		start: (old: RunningN8n) => Promise<RunningN8n>,
	) => {
		for (const [index, old] of processes.entries()) {
			if (old.isRunning()) continue;
			await old.stop();
			processes[index] = await start(old);
		}
	};
	const watch = async (work: () => Promise<void>) => {
		// A database that is being restarted may refuse the new process as well.
		for (; !isOver; await wait(500)) await work().catch(() => undefined);
	};
	const watching = [
		watch(async () => await restart(n8n.workers, async () => await n8n.launchWorker())),
		watch(
			async () =>
				await restart(
					n8n.webhookProcesses,
					async (old) => await n8n.launchWebhookProcess(`webhook ${randomUUID()}`, portOf(old)),
				),
		),
		watch(async () => {
			if (!n8n.main.isRunning()) await n8n.startMain(portOf(n8n.main));
		}),
	];
	return async () => {
		isOver = true;
		await Promise.all(watching);
	};
}

function portOf({ baseUrl }: RunningN8n): number {
	return Number(new URL(baseUrl).port);
}
