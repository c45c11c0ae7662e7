import { testOffloaded } from './modes/offloaded.mts';
import { Cluster } from './support/cluster.mts';

describe('in n8n in queue mode, a run started in the editor', () => {
	const cluster = new Cluster();
	beforeAll(async () => {
		await cluster.open('queue', { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' });
	});
	afterAll(async () => await cluster.close());

	testOffloaded(cluster);
});
