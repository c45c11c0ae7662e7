import { climb } from './support/ladder/climb.mts';
import { Ladder, newLoads, openLadderCluster } from './support/ladder/ladder.mts';
import type { Cluster } from './support/cluster.mts';

let cluster: Cluster;
beforeAll(async () => {
	cluster = await openLadderCluster();
}, 1_800_000);
afterAll(async () => await cluster?.close(), 120_000);

it('the no-answer ladder ends each load once when a worker is killed, and rings no phone twice', async () => {
	const loads = newLoads(60);
	const ladder = await Ladder.create(cluster, loads, { loadsPerRun: 15, seconds: 2 });
	const end = await climb(cluster, ladder, loads);
	expect(end).toMatchObject({ rangTwice: [], wrong: [], mostCalls: 3 });
	expect(end.doubtful.length).toBeGreaterThan(0);
	expect(end.reached + end.byHand).toBe(loads.length);
}, 1_800_000);
