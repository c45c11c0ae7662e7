import { Cluster, post } from './support/cluster.mts';
import { waitUntil } from '../support/wait-until.mts';

// n8n looks once a minute for executions whose wait is over: these tests take that long.
describe.each(['regular', 'queue'] as const)('the end of a wait, in n8n in %s mode,', (mode) => {
	const cluster = new Cluster();
	beforeAll(async () => await cluster.open(mode), 600_000);
	afterAll(async () => await cluster.close(), 120_000);

	it('is a last look in the list, and timedOut where that shows no outcome', async () => {
		const { id, url } = await cluster.checkCallWorkflow({
			...{ waitForOutcome: 'webhook', waitLimit: 0.3 },
		});
		await post(url, { phone: '+13125550101', load: 'T1' });
		await waitUntil('the first call', () => cluster.sandbox.ledger.dialed().length === 1);
		await waitUntil(
			'its wait',
			async () => (await cluster.executions(id))[0]?.status === 'waiting',
		);
		await cluster.sandbox.finishCalls();
		await post(url, { phone: '+13125550102', load: 'T2' });
		await waitUntil(
			'the end of both waits',
			async () => {
				const executions = await cluster.executions(id);
				return executions.length === 2 && executions.every(({ status }) => status === 'success');
			},
			240_000,
		);
		const waitForEnd = await Promise.all(
			(await cluster.executions(id)).map(async (execution) => await cluster.calls(execution.id)),
		);
		const byLoad = (load: string) =>
			waitForEnd.find(({ items }) => items[0]?.['loadNumber'] === load);
		expect(byLoad('T1')).toEqual({
			runs: 1,
			items: [expect.objectContaining({ timedOut: false, summary: expect.any(String) })],
		});
		expect(byLoad('T2')).toEqual({
			runs: 1,
			items: [expect.objectContaining({ timedOut: true, outcome: 'placed' })],
		});
		expect(cluster.sandbox.ledger.dialed()).toHaveLength(2);
	}, 600_000);
});
