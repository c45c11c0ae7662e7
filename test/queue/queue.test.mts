import { testKilledWorkers } from './modes/killed-worker.mts';
import { testRaces } from './modes/races.mts';
import { testWaiting } from './modes/waiting.mts';
import { Waits } from './modes/waits.mts';
import { testWebhookProcesses } from './modes/webhook-processes.mts';
import { Cluster } from './support/cluster.mts';
import { STALLED_JOBS_QUICK } from './support/stalled-jobs.mts';

// They share one n8n, whose processes take 5 s of CPU time each to start. So no process starts that no test needs,
// and the order is that of the workers' settings: each killed worker's successor has those that come next.
describe('in n8n in queue mode', () => {
	const cluster = new Cluster();
	const waits = new Waits(cluster);
	beforeAll(async () => {
		// For a Code node.
		cluster.workerEnv = { N8N_RUNNERS_MODE: 'internal' };
		await cluster.open('queue', {}, 1);
		await waits.begin();
	});
	afterAll(async () => {
		await waits.close();
		await cluster.close();
	});

	describe('two webhook processes', () => testWebhookProcesses(cluster));

	describe('with two workers', () => {
		beforeAll(async () => {
			cluster.workerEnv = {};
			await cluster.twoWorkers();
		});
		describe('waiting for the webhook event', () => testWaiting(waits));
		describe('executions on two workers', () => testRaces(cluster));
	});

	describe('killed workers', () => {
		beforeAll(async () => {
			cluster.workerEnv = STALLED_JOBS_QUICK;
			await cluster.twoWorkers();
			await cluster.lookForStalledJobs();
		});
		testKilledWorkers(cluster);
	});
});
