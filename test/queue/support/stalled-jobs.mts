import { createRequire } from 'node:module';
import { join } from 'node:path';
import { n8nFolder } from '../../../playground/setup/paths.mts';

/** The part of Bull's queue that is needed here. */
interface BullQueue {
	client: { del(key: string): Promise<number> };
	close(): Promise<void>;
}

/** While Redis has this key, no worker looks for stalled jobs: for as long as the one that set it waits between two looks. */
const LOOKED = 'bull:jobs:stalled-check';

type Bull = new (name: string, options: object) => BullQueue;

/** With n8n's defaults (60 and 10 seconds) it takes longer until a job counts as stalled. */
const QUICK = { QUEUE_WORKER_LOCK_DURATION: '15000', QUEUE_WORKER_LOCK_RENEW_TIME: '5000' };

/** Variables for workers that look for stalled jobs often; n8n's default is 30 seconds. */
export const STALLED_JOBS_QUICK = { ...QUICK, QUEUE_WORKER_STALLED_INTERVAL: '5000' };

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
