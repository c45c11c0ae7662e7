import type { JsonObject } from '../../../playground/n8n/rest.mts';
import { waitUntil } from '../../support/wait-until.mts';
import type { Cluster } from '../support/cluster.mts';
import { leadTo, post } from '../support/workflows.mts';
import { type Driver, newDrivers } from '../support/drivers.mts';
import { STALLED_JOBS_STAY } from '../support/stalled-jobs.mts';
import { openTms, type Tms } from '../support/tms.mts';

/** Rows by what their item says; `error` for an item without a call. */
function byPlacement(rows: Driver[], items: JsonObject[]): Record<string, Driver[]> {
	expect(items).toHaveLength(rows.length);
	const groups: Record<string, Driver[]> = {};
	for (const [index, row] of rows.entries()) {
		const placement = String(items[index]?.['placement'] ?? 'error');
		groups[placement] = [...(groups[placement] ?? []), row];
	}
	return groups;
}

function measured(what: string, groups: Record<string, Driver[]>): void {
	const counts = Object.entries(groups).map(([placement, { length }]) => `${length} ${placement}`);
	process.stderr.write(`Measured: ${what}: ${counts.join(', ')}\n`);
}

/** Workers are killed with SIGKILL. What they had begun is started again, by n8n or by a dispatcher. */
export function testStartedAgain(cluster: Cluster): void {
	let tms: Tms;
	beforeAll(async () => {
		tms = await openTms();
		await cluster.twoWorkersWith(STALLED_JOBS_STAY);
	});
	afterAll(async () => await tms.close());
	beforeEach(() => cluster.forget());

	const dialed = () => cluster.sandbox.ledger.dialed();
	const callsTo = ({ phone }: Driver) => dialed().filter(({ toPhone }) => toPhone === phone);

	/** Calls the rows of a list, one after another, and continues when a call fails. */
	async function rowsWorkflow(parameters: JsonObject) {
		return await cluster.workflows.checkCall(
			{ toPhone: '={{ $json.phone }}', loadNumber: '={{ $json.load }}', ...parameters },
			{
				call: { onError: 'continueRegularOutput' },
				nodes: [tms.rowsNode('Rows'), tms.holdNode('Hold')],
				connections: { Webhook: leadTo('Rows'), Rows: leadTo('Call'), Call: leadTo('Hold') },
			},
		);
	}

	/** The service stops answering at this call, which rings, and the worker is killed. */
	async function killAtCall(nth: number, workflow: { id: string; url: string }, list: string) {
		cluster.sandbox.faults.add({
			...{ endpoint: 'triggerCheckCall', skip: nth - 1 },
			fault: { kind: 'hang', when: 'after' },
		});
		await post(workflow.url, { list });
		await waitUntil(`call ${nth}`, () => dialed().length === nth);
		const [execution] = await cluster.executions.of(workflow.id);
		await cluster.replaceWorkerOf(execution?.id ?? '');
		return execution?.id ?? '';
	}

	/** The items of an execution's calls once it has ended, in the order of the rows. */
	async function itemsOf(executionId: string): Promise<JsonObject[]> {
		await waitUntil(`the end of execution ${executionId}`, async () => {
			return (await cluster.executions.status(executionId)) === 'success';
		});
		return (await cluster.executions.calls(executionId)).items;
	}

	/** Each item's call is the one that rang its row's phone; an item without one names its row. */
	function expectNoneMistaken(rows: Driver[], items: JsonObject[]): void {
		for (const [index, row] of rows.entries()) {
			const { callId, error } = items[index] ?? {};
			if (error === undefined) expect(callsTo(row).map((call) => call.callId)).toEqual([callId]);
			else expect(error).toMatch(row.phone);
		}
	}

	function expectNobodyCalledTwice(): void {
		const phones = dialed().map(({ toPhone }) => toPhone);
		expect(phones.filter((phone, index) => phones.indexOf(phone) !== index)).toEqual([]);
	}

	it('an execution that n8n starts again, with a new row on top, calls nobody twice', async () => {
		const workflow = await rowsWorkflow({
			skipIfCalledWithin: 0,
			options: { lookForLostAnswers: 1 },
		});
		const before = newDrivers(60);
		tms.rows.set('changed', before);
		const id = await killAtCall(11, workflow, 'changed');
		const ringing = dialed().map(({ toPhone }) => toPhone);
		const rows = [...newDrivers(1), ...before];
		tms.rows.set('changed', rows);
		await cluster.startAgain(1);
		const items = await itemsOf(id);

		expectNobodyCalledTwice();
		expectNoneMistaken(rows, items);
		const { placed = [], reconciled = [], error = [], ...others } = byPlacement(rows, items);
		measured('a run of 60 killed at its 11th call, started again', { placed, reconciled, error });
		expect(others).toEqual({});
		expect(placed).toContain(rows[0]);
		expect(reconciled.every(({ phone }) => ringing.includes(phone))).toBe(true);
		for (const row of error) {
			expect(items[rows.indexOf(row)]?.['error']).toMatch(/^The phone may have rung\./);
		}
	});

	it('100 calls noted by two workers at once are all found again, with a slow database', async () => {
		const workflow = await rowsWorkflow({
			skipIfCalledWithin: 0,
			options: { lookForLostAnswers: 1 },
		});
		const lists = [newDrivers(50), newDrivers(50)];
		for (const [index, rows] of lists.entries()) tms.rows.set(`list ${index}`, rows);
		tms.hold();
		cluster.servers.database.delayUpTo(20);
		await Promise.all(lists.map((_, index) => post(workflow.url, { list: `list ${index}` })));
		await waitUntil('both runs to have placed their calls', () => tms.held() === 2);
		expect(dialed()).toHaveLength(100);
		// That it was about to be dialed, that its ID is taken, and whose it is.
		const complete = async () => (await cluster.executions.notes(workflow.id)) === 300;
		await waitUntil('three notes of each call', complete, 60_000);
		const executions = await cluster.executions.of(workflow.id);
		for (const { id } of executions) await cluster.replaceWorkerOf(id);
		tms.release();
		await cluster.startAgain(2);
		// The newest is first, and the webhooks may have been taken in any order.
		const found = await Promise.all(executions.map(async ({ id }) => await itemsOf(id)));
		cluster.servers.database.delayUpTo(0);

		expectNobodyCalledTwice();
		const first = found.find(([item]) => item?.['toPhone'] === lists[0]?.[0]?.phone) ?? [];
		const second = found.find((items) => items !== first) ?? [];
		const items = [...first, ...second];
		measured('100 calls, started again', byPlacement(lists.flat(), items));
		expectNoneMistaken(lists.flat(), items);
		expect(items.map(({ placement }) => placement)).toEqual(Array(100).fill('reconciled'));
	});

	it('a new execution after a guarded run was killed dials what was missing, and names the rest', async () => {
		const workflow = await rowsWorkflow({ options: { lookForLostAnswers: 1 } });
		// At the 11th call, up to 84 may be noted: batches of 4, 16 and 64, if the notes take long.
		const rows = newDrivers(120);
		tms.rows.set('guarded', rows);
		await killAtCall(11, workflow, 'guarded');
		const ringing = dialed().map(({ toPhone }) => toPhone);
		await post(workflow.url, { list: 'guarded' });
		const before = (await cluster.executions.of(workflow.id)).map(({ id }) => id);
		expect(before).toHaveLength(2);
		const items = await itemsOf(before[0] ?? '');

		expectNobodyCalledTwice();
		expectNoneMistaken(rows, items);
		const groups = byPlacement(rows, items);
		measured('a guarded run of 120 killed at its 11th call, run anew', groups);
		const { placed = [], skippedDuplicate = [], error = [] } = groups;
		expect(skippedDuplicate.map(({ phone }) => phone)).toEqual(ringing);
		expect(placed.length).toBeGreaterThan(0);
		for (const row of error) {
			const text = items[rows.indexOf(row)]?.['error'];
			expect(text).toMatch(/^No phone rang\./);
		}
	});
}
