import { waitUntil } from '../../support/wait-until.mts';
import type { Cluster } from '../support/cluster.mts';
import { post } from '../support/workflows.mts';
import { newDriver, newDrivers } from '../support/drivers.mts';

const waitForEnd = ({ status }: { status: string }) => status === 'success' || status === 'error';

/** For two workers. */
export function testRaces(cluster: Cluster): void {
	beforeEach(() => cluster.forget());

	const dialed = () => cluster.sandbox.ledger.dialed().map(({ toPhone }) => toPhone);

	it('two executions that race on two workers place one call', async () => {
		const { id, url } = await cluster.workflows.checkCall({ rules: { skipIfCalledWithin: 10 } });
		// Both have read the list before either dials.
		cluster.sandbox.faults.add({
			...{ endpoint: 'listCalls', times: 'always' },
			fault: { kind: 'latency', ms: 1500 },
		});
		const before = cluster.taken();
		const rounds = 10;
		for (let round = 0; round < rounds; round++) {
			const one = newDriver();
			await Promise.all([post(url, one), post(url, one)]);
			const expected = 2 * (round + 1);
			await waitUntil(`both executions of round ${round}`, async () => {
				const executions = await cluster.executions.of(id);
				return executions.length === expected && executions.every(waitForEnd);
			});
			expect(dialed()).toHaveLength(round + 1);
		}
		const placements: unknown[] = [];
		for (const execution of await cluster.executions.of(id)) {
			placements.push((await cluster.executions.calls(execution.id)).items[0]?.['placement']);
		}
		expect(placements.filter((placement) => placement === 'placed')).toHaveLength(rounds);
		expect(placements.filter((placement) => placement === 'skippedDuplicate')).toHaveLength(rounds);
		// Else they did not race.
		const taken = cluster.taken().map((count, index) => count - (before[index] ?? 0));
		expect(Math.min(...taken)).toBeGreaterThanOrEqual(rounds / 4);
	});

	it('executions that wait for events free the workers, and continue with their outcomes', async () => {
		const waiting = await cluster.workflows.checkCall({ waitForOutcome: 'webhook', waitLimit: 30 });
		const quick = await cluster.workflows.checkCall({});
		const events = await cluster.workflows.event();
		cluster.sandbox.setWebhook({ url: events.url });
		// More than both workers can run at once.
		const drivers = newDrivers(3);
		for (const one of drivers) await post(waiting.url, one);
		await waitUntil('three executions that wait', async () => {
			const executions = await cluster.executions.of(waiting.id);
			return executions.length === 3 && executions.every(({ status }) => status === 'waiting');
		});
		await post(quick.url, newDriver());
		await waitUntil('an execution beside those that wait', async () =>
			(await cluster.executions.of(quick.id)).some(({ status }) => status === 'success'),
		);
		expect((await cluster.executions.of(waiting.id)).map(({ status }) => status)).toEqual(
			Array(3).fill('waiting'),
		);

		await cluster.sandbox.finishCalls();
		await waitUntil('the outcomes', async () =>
			(await cluster.executions.of(waiting.id)).every(waitForEnd),
		);
		const loads: unknown[] = [];
		for (const { id } of await cluster.executions.of(waiting.id)) {
			const { items, runs } = await cluster.executions.calls(id);
			expect(runs).toBe(1);
			expect(items[0]).toMatchObject({ placement: 'placed', timedOut: false, status: 'COMPLETED' });
			expect(items[0]?.['summary']).toEqual(expect.any(String));
			loads.push(items[0]?.['loadNumber']);
		}
		expect(loads.sort()).toEqual(drivers.map(({ load }) => load));
		expect(dialed()).toHaveLength(4);
	});
}
