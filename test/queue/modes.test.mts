import { testCaps } from './modes/caps.mts';
import { testRaces } from './modes/races.mts';
import { testWaiting } from './modes/waiting.mts';
import { Cluster } from './support/cluster.mts';

// They share one n8n: in queue mode, with its workers, it takes half a minute of CPU time to start.
describe.each(['regular', 'queue'] as const)('in n8n in %s mode', (mode) => {
	const cluster = new Cluster();
	beforeAll(async () => await cluster.open(mode));
	afterAll(async () => await cluster.close());
	beforeEach(() => {
		cluster.sandbox.faults.clear();
		cluster.sandbox.ledger.clear();
	});

	describe('waiting for the webhook event', () => testWaiting(cluster));
	if (mode === 'queue') describe('executions on two workers', () => testRaces(cluster));
	describe('Max Calls per Hour', () => testCaps(cluster));
});
