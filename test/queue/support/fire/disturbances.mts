import { setTimeout as wait } from 'node:timers/promises';
import type { Cluster } from '../cluster.mts';

/** What happens in the middle of the events, by name. */
export const DISTURBANCES = {
	'nothing else': async () => undefined,
	'a worker is killed': async ({ workers }: Cluster) => {
		process.kill(workers[0]?.pid ?? 0, 'SIGKILL');
	},
	'Redis is restarted': async ({ servers }: Cluster) => await servers.redis.restart(),
	'PostgreSQL is restarted': async ({ servers }: Cluster) => await servers.postgres.restart(),
	'the service answers 503': async ({ sandbox }: Cluster) => {
		const down = { kind: 'status', status: 503 } as const;
		// At first calls are placed all the same, and the list can be read.
		sandbox.faults.add(
			{ endpoint: 'triggerCheckCall', times: 5, fault: { ...down, afterPlacing: true } },
			{ endpoint: 'triggerCheckCall', times: 5, fault: down },
		);
		await wait(2_000);
		sandbox.faults.add({ endpoint: '*', times: 'always', fault: down });
		await wait(10_000);
		sandbox.faults.clear();
	},
} as const;

export type Disturbance = keyof typeof DISTURBANCES;
