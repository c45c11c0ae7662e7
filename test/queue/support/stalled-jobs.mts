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

/** While Redis has this key, no worker looks for stalled jobs: for as long as the one that set it waits between two looks. */
const LOOKED = 'bull:jobs:stalled-check';

type Bull = new (name: string, options: object) => BullQueue;

/** With n8n's defaults (60 and 10 seconds) it takes longer until a job counts as stalled. */
const QUICK = { QUEUE_WORKER_LOCK_DURATION: '15000', QUEUE_WORKER_LOCK_RENEW_TIME: '5000' };

/** Variables for workers that look for stalled jobs often; n8n's default is 30 seconds. */
export const STALLED_JOBS_QUICK = { ...QUICK, QUEUE_WORKER_STALLED_INTERVAL: '5000' };

/** Variables for workers that leave stalled jobs to `handOutAgain`. */
export const STALLED_JOBS_STAY = { ...QUICK, QUEUE_WORKER_STALLED_INTERVAL: '7200000' };

/**
 * Hands the jobs of killed workers out again, as n8n 1 did (`QUEUE_WORKER_MAX_STALLED_COUNT`, 1 by
 * default): whole executions run anew from their start. n8n 2.41 does everything for that but sets the
 * count to 0 (scaling.service.js). Uses n8n's own Bull.
 */
export async function handOutAgain(redisPort: number, jobs: number): Promise<void> {
	await withQueue(redisPort, async (queue) => {
		let moved = 0;
		queue.on('stalled', () => moved++);
		// Until the locks of the killed workers have expired.
		await waitUntil(`${jobs} jobs to be handed out again`, async () => {
			await queue.client.del(LOOKED);
			await queue.moveUnlockedJobsToWait();
			return moved >= jobs;
		});
	});
}

/** Lets workers look for stalled jobs although others, which look less often, have just done so. */
export async function lookAgain(redisPort: number): Promise<void> {
	await withQueue(redisPort, async (queue) => void (await queue.client.del(LOOKED)));
}

async function withQueue(port: number, work: (queue: BullQueue) => Promise<void>): Promise<void> {
	const Queue: Bull = createRequire(join(n8nFolder(), 'package.json'))('bull');
	const queue = new Queue('jobs', {
		redis: { host: '127.0.0.1', port },
		settings: { maxStalledCount: 1, stalledInterval: 1 },
	});
	try {
		await work(queue);
	} finally {
		await queue.close();
	}
}
