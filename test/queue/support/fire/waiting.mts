import { waitUntil } from '../../../support/wait-until.mts';
import type { Cluster } from '../cluster.mts';
import { post } from '../workflows.mts';

/**
 * Lets executions wait for their webhook event, restarts everything, and then sends the events.
 *
 * @returns the outcomes that arrived, one for each execution that survived
 */
export async function restartWhileWaiting(cluster: Cluster, count: number): Promise<unknown[]> {
	cluster.sandbox.setWebhook({ url: (await cluster.workflows.event()).url });
	const { id, url } = await cluster.workflows.checkCall({
		...{ waitForOutcome: 'webhook', waitLimit: 60 },
	});
	for (let nth = 0; nth < count; nth++) {
		await post(url, { phone: `+14145550${100 + nth}`, load: `W${nth}` });
	}
	const all = async (status: string) => {
		const executions = await cluster.executions.of(id);
		return executions.length === count && executions.every((each) => each.status === status);
	};
	await waitUntil('executions that wait', async () => await all('waiting'));
	await cluster.servers.redis.restart();
	await cluster.servers.postgres.restart();
	const processes = [...cluster.webhookProcesses, ...cluster.workers, cluster.main];
	for (const { pid } of processes) process.kill(pid, 'SIGKILL');
	await Promise.all(processes.map(async ({ exited }) => await exited));
	const isBack = async () => {
		const { webhookProcesses, workers, main } = cluster;
		const now = [...webhookProcesses, ...workers, main];
		if (now.some((each) => !each.isRunning() || processes.includes(each))) return false;
		return (await Promise.all([...webhookProcesses, main].map(isReady))).every(Boolean);
	};
	await waitUntil('all processes to be back', isBack, 1_200_000);
	await cluster.sandbox.finishCalls();
	await waitUntil('the outcomes', async () => await all('success'), 600_000);
	cluster.sandbox.setWebhook({ url: null });
	const ends = (await cluster.executions.of(id)).map(
		async (each) => await cluster.executions.calls(each.id),
	);
	return (await Promise.all(ends)).flatMap(({ items }) => items.map(({ summary }) => summary));
}

/** Whether it has reached its database. */
async function isReady({ baseUrl }: { baseUrl: string }): Promise<boolean> {
	const response = await fetch(`${baseUrl}/healthz/readiness`).catch(() => undefined);
	return response?.status === 200;
}
