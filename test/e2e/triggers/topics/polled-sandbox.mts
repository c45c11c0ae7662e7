import { type Sandbox, startSandbox } from '../../../../sandbox/index.mts';
import { waitUntil } from '../../../support/wait-until.mts';
import { PollingWorkflows } from '../support/polling.mts';
import type { SharedRestart } from '../support/shared-restart.mts';
import type { TriggersEnvironment } from '../support/triggers-environment.mts';

/** A polling trigger that reads the sandbox. */
export function testPolledSandbox(environment: TriggersEnvironment, shared: SharedRestart): void {
	const workflows = new PollingWorkflows(environment);
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ calls: 20 });
		await workflows.open(sandbox.baseUrl, sandbox.tokens.north);
	});
	afterAll(async () => await sandbox?.close());

	const polls = () => sandbox.ledger.requests('listCalls').length;
	/** n8n is asked only once it has polled: each question costs it CPU time. */
	const untilPolled = async (what: string, holds: () => Promise<boolean>) => {
		const before = polls();
		await waitUntil(`a poll for ${what}`, () => polls() > before, 600_000);
		await waitUntil(what, holds, 600_000);
	};

	it.concurrent(
		'delivers every new call once, despite a failed poll and a restart of n8n',
		shared.among(async (restarted) => {
			const id = await workflows.create([workflows.trigger('Poll')]);
			await environment.session.activate(id);
			await waitUntil('the first poll', () => polls() > 0);

			const inserted: number[] = [];
			const seen = async () => await workflows.delivered(id, 'Poll');
			const arrived = async () => (await seen()).length >= inserted.length;
			inserted.push(...sandbox.insert({ count: 3 }));
			await untilPolled('three calls', arrived);
			const fault = { kind: 'status', status: 500 } as const;
			sandbox.faults.add({ endpoint: 'listCalls', fault, times: 'always' });
			inserted.push(...sandbox.insert({ count: 2 }));
			const failed = async () => (await environment.executionCount(id, 'error')) > 0;
			await untilPolled('a poll that n8n shows as failed', failed);
			sandbox.faults.clear();
			await untilPolled('two more', arrived);

			const asked = polls();
			await restarted();
			inserted.push(...sandbox.insert({ count: 4 }));
			await untilPolled('four more', arrived);
			await waitUntil('more polls', () => polls() > asked + 2, 600_000);
			expect(await seen()).toEqual(inserted.toSorted((one, other) => one - other));
		}),
	);
}
