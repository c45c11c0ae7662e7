import { waitUntil } from '../../support/wait-until.mts';
import type { Cluster } from '../support/cluster.mts';
import { post } from '../support/workflows.mts';
import { newDrivers } from '../support/drivers.mts';

/** Posts these at once and waits for their executions; resolves to how many failed. */
async function postAll(
	cluster: Cluster,
	workflow: { id: string; url: string },
	count: number,
	before = 0,
) {
	await Promise.all(newDrivers(count).map(async (one) => await post(workflow.url, one)));
	let failed = 0;
	await waitUntil(`${count} executions`, async () => {
		const executions = await cluster.executions.of(workflow.id);
		failed = executions.filter(({ status }) => status === 'error').length;
		const ended = executions.filter(({ status }) => ['success', 'error'].includes(status));
		return ended.length === before + count;
	});
	return failed;
}

export function testCapAtOnce(cluster: Cluster): void {
	beforeEach(() => cluster.forget());

	it('applies to executions that start at the same moment', async () => {
		const workflow = await cluster.workflows.checkCall({ rules: { maxCallsPerHour: 6 } });
		const before = cluster.taken();
		expect(await postAll(cluster, workflow, 20)).toBe(14);
		expect(cluster.sandbox.ledger.dialed()).toHaveLength(6);
		// Else no two workers applied it; in regular mode, there are none.
		const taken = cluster.taken().map((count, index) => count - (before[index] ?? 0));
		expect(taken.filter((count) => count <= 3)).toEqual([]);
	});
}

/** Restarts n8n. */
export function testCapAcrossRestart(cluster: Cluster): void {
	beforeEach(() => cluster.forget());

	it('applies across a restart of n8n', async () => {
		const workflow = await cluster.workflows.checkCall({ rules: { maxCallsPerHour: 3 } });
		expect(await postAll(cluster, workflow, 2)).toBe(0);
		await cluster.restart();
		await cluster.workflows.registered(workflow.id, new URL(workflow.url).pathname);
		expect(await postAll(cluster, workflow, 4, 2)).toBe(3);
		expect(cluster.sandbox.ledger.dialed()).toHaveLength(3);
	});
}
