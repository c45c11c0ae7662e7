import { testWaiting } from './modes/waiting.mts';
import { Waits } from './modes/waits.mts';
import { Cluster } from './support/cluster.mts';

describe('in n8n in regular mode', () => {
	const cluster = new Cluster();
	const waits = new Waits(cluster);
	beforeAll(async () => {
		await cluster.open('regular');
		await waits.begin();
	});
	afterAll(async () => {
		await waits.close();
		await cluster.close();
	});

	describe('waiting for the webhook event', () => testWaiting(waits));
});
