import { Cluster, post } from './support/cluster.mts';
import { waitUntil } from '../support/wait-until.mts';

let known = 0;
const drivers = (count: number) =>
	Array.from({ length: count }, () => {
		const line = String(known++).padStart(2, '0');
		return { phone: `+1312555${`01${line}`}`, load: `C${line}` };
	});

describe.each(['regular', 'queue'] as const)('Max Calls per Hour, in n8n in %s mode', (mode) => {
	const cluster = new Cluster();
	beforeAll(async () => await cluster.open(mode), 600_000);
	afterAll(async () => await cluster.close());
	beforeEach(() => cluster.sandbox.ledger.clear());

	/** Posts these at once and waits for their executions; resolves to how many failed. */
	async function postAll(workflow: { id: string; url: string }, count: number, before = 0) {
		await Promise.all(drivers(count).map(async (one) => await post(workflow.url, one)));
		let failed = 0;
		await waitUntil(`${count} executions`, async () => {
			const executions = await cluster.executions(workflow.id);
			failed = executions.filter(({ status }) => status === 'error').length;
			const ended = executions.filter(({ status }) => ['success', 'error'].includes(status));
			return ended.length === before + count;
		});
		return failed;
	}

	it('applies to executions that start at the same moment', async () => {
		const workflow = await cluster.checkCallWorkflow({ rules: { maxCallsPerHour: 6 } });
		expect(await postAll(workflow, 20)).toBe(14);
		expect(cluster.sandbox.ledger.dialed()).toHaveLength(6);
		if (mode === 'queue') expect(Math.min(...cluster.taken())).toBeGreaterThan(3);
	}, 600_000);

	it('applies across a restart of n8n', async () => {
		const workflow = await cluster.checkCallWorkflow({ rules: { maxCallsPerHour: 3 } });
		expect(await postAll(workflow, 2)).toBe(0);
		await cluster.restart();
		await cluster.registered(workflow.id, new URL(workflow.url).pathname);
		expect(await postAll(workflow, 4, 2)).toBe(3);
		expect(cluster.sandbox.ledger.dialed()).toHaveLength(3);
	}, 600_000);
});
