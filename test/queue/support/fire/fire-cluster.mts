import { freePort } from '../../../../playground/process/ports.mts';
import { Cluster } from '../cluster.mts';
import { supervise } from './supervise.mts';

/**
 * One main process, two workers and two webhook processes, which are started again when they exit.
 * Executions that wait are resumed through the first webhook process.
 */
export async function openFireCluster(): Promise<{ cluster: Cluster; close: () => Promise<void> }> {
	const cluster = new Cluster();
	cluster.concurrency = 10;
	const port = await freePort();
	await cluster.open('queue', {
		// With n8n's defaults it takes minutes until a killed worker's execution is shown as failed,
		QUEUE_WORKER_LOCK_DURATION: '15000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
		QUEUE_WORKER_STALLED_INTERVAL: '5000',
		// and up to three hours for one whose job is gone.
		N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
		N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
	});
	await cluster.startWebhookProcess('webhook1', port);
	await cluster.startWebhookProcess('webhook2');
	const stopWatching = supervise(cluster);
	return {
		cluster,
		async close() {
			await stopWatching();
			await cluster.close();
		},
	};
}
