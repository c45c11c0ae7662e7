import type { Sandbox } from '../../../sandbox/index.mts';
import type { ServiceClient } from '../../../nodes/shared/service/client.ts';
import type { Paging } from '../../../nodes/shared/service/pagination/types.ts';
import type { Probe } from './probe.mts';

/** A time range that holds every record. */
export const always = { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };

/** Pages of 100, four at the same time, unless told otherwise. */
export const paging = (more: Partial<Paging> = {}): Paging => ({
	pageSize: 100,
	pagesInParallel: 4,
	onPageFailure: 'error',
	...more,
});

/** Ways to read from the sandbox, and to tell what it was asked for. */
export function readsFrom(stage: () => { probe: Probe; sandbox: Sandbox }) {
	const use = async <Result,>(
		task: (client: ServiceClient) => Promise<Result>,
		more = {},
		service = stage().sandbox,
	) =>
		await stage().probe.run(
			{ baseUrl: service.baseUrl, token: service.tokens.north, ...more },
			task,
		);

	const calls = async (more: Partial<Paging> = {}, service = stage().sandbox) =>
		await use(async (client) => client.listCalls(always, paging(more)), {}, service);

	const offsets = (endpoint: 'listCalls' | 'listBids' = 'listCalls') =>
		stage()
			.sandbox.ledger.requests(endpoint)
			.map(({ query }) => Number(query['offset']))
			.sort((one, other) => one - other);

	return { use, calls, offsets };
}
