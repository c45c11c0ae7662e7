import { startSandbox, type Sandbox, type SandboxOptions } from '../../../../sandbox/index.mts';
import type { ServiceClient } from '../../../../nodes/shared/service/client.ts';
import type { Paging } from '../../../../nodes/shared/service/pagination/types.ts';
import { startProbe, type Probe } from './probe.mts';

/** A time range that contains every record. */
export const always = { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };

/** Pages of 100, four in parallel, unless set otherwise. */
export const paging = (more: Partial<Paging> = {}): Paging => ({
	pageSize: 100,
	pagesInParallel: 4,
	onPageFailure: 'error',
	...more,
});

/**
 * Opens a sandbox for each test of a file, of 1,000 calls unless told otherwise, and closes it after
 * it. Gives ways to read from it, and to tell what it was asked for.
 */
export function openLists(options: SandboxOptions = {}) {
	let probe: Probe;
	let sandbox: Sandbox;
	beforeAll(async () => {
		probe = await startProbe();
	});
	afterAll(() => probe.close());
	// Requests that Stop caught on their way may arrive later: not at the sandbox of the next test.
	beforeEach(async () => {
		sandbox = await startSandbox({ calls: 1000, analyticsDays: 20, ...options });
	});
	afterEach(async () => await sandbox.close());

	const use = async <Result,>(
		task: (client: ServiceClient) => Promise<Result>,
		more = {},
		service = sandbox,
	) => await probe.run({ baseUrl: service.baseUrl, token: service.tokens.north, ...more }, task);
	const calls = async (more: Partial<Paging> = {}, service = sandbox) =>
		await use(async (client) => client.readList('calls', always, paging(more)), {}, service);
	const offsets = (endpoint: 'listCalls' | 'listBids' = 'listCalls') =>
		sandbox.ledger
			.requests(endpoint)
			.map(({ query }) => Number(query['offset']))
			.sort((one, other) => one - other);
	return {
		...{ use, calls, offsets },
		get sandbox() {
			return sandbox;
		},
	};
}
