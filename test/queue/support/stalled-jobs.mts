import { createRequire } from 'node:module';
import { join } from 'node:path';
import { n8nFolder } from '../../../playground/setup/paths.mts';
import { waitUntil } from '../../support/wait-until.mts';

/** The part of Bull's queue that is needed here. */
interface BullQueue {
	client: { del(key: string): Promise<number> };
	moveUnlockedJobsToWait(): Promise<void>;
	on(event: 'stalled', listener: () => void): void;
	close(): Promise<void>;
}

type Bull = new (name: string, options: object) => BullQueue;

/** Variables for n8n that leave its stalled jobs to `handOutAgain`. */
export const STALLED_JOBS_STAY = {
	QUEUE_WORKER_STALLED_INTERVAL: '7200000',
	// With n8n's defaults (60 and 10 seconds) it takes longer until a job counts as stalled.
	QUEUE_WORKER_LOCK_DURATION: '15000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
};

/**
 * Hands the jobs of killed workers out again, as n8n 1 did (`QUEUE_WORKER_MAX_STALLED_COUNT`, 1 by
 * default): whole executions run anew from their start. n8n 2.41 does everything for that but sets the
 * count to 0 (scaling.service.js). Uses n8n's own Bull.
 */
export async function handOutAgain(redisPort: number, jobs: number): Promise<void> {
	const Queue: Bull = createRequire(join(n8nFolder(), 'package.json'))('bull');
	const queue = new Queue('jobs', {
		redis: { host: '127.0.0.1', port: redisPort },
		settings: { maxStalledCount: 1, stalledInterval: 1 },
	});
	let moved = 0;
	queue.on('stalled', () => moved++);
	try {
		// Until the locks of the killed workers have expired.
		await waitUntil(`${jobs} jobs to be handed out again`, async () => {
			await queue.client.del('bull:jobs:stalled-check');
			await queue.moveUnlockedJobsToWait();
			return moved >= jobs;
		});
	} finally {
		await queue.close();
	}
}
