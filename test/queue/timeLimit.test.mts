import { Fleet, post, until } from './support/fleet.mts';

// n8n looks once a minute for executions whose wait is over: these tests take that long.
describe.each(['regular', 'queue'] as const)('the end of a wait, in n8n in %s mode,', (mode) => {
	const fleet = new Fleet();
	beforeAll(async () => await fleet.open(mode), 600_000);
	afterAll(async () => await fleet.close(), 120_000);

	it('is a last look in the list, and timedOut where that shows no outcome', async () => {
		const { id, url } = await fleet.checkCallWorkflow({
			...{ waitForOutcome: 'webhook', waitLimit: 0.3 },
		});
		await post(url, { phone: '+13125550101', load: 'T1' });
		await until('the first call', () => fleet.sandbox.ledger.dialed().length === 1);
		await until('its wait', async () => (await fleet.executions(id))[0]?.status === 'waiting');
		await fleet.sandbox.finishCalls();
		await post(url, { phone: '+13125550102', load: 'T2' });
		await until(
			'the end of both waits',
			async () => {
				const executions = await fleet.executions(id);
				return executions.length === 2 && executions.every(({ status }) => status === 'success');
			},
			240_000,
		);
		const ended = await Promise.all(
			(await fleet.executions(id)).map(async (execution) => await fleet.calls(execution.id)),
		);
		const byLoad = (load: string) => ended.find(({ items }) => items[0]?.['loadNumber'] === load);
		expect(byLoad('T1')).toEqual({
			runs: 1,
			items: [expect.objectContaining({ timedOut: false, summary: expect.any(String) })],
		});
		expect(byLoad('T2')).toEqual({
			runs: 1,
			items: [expect.objectContaining({ timedOut: true, outcome: 'placed' })],
		});
		expect(fleet.sandbox.ledger.dialed()).toHaveLength(2);
	}, 600_000);
});
