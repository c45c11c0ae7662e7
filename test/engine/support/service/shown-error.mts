import type { RequestListener } from 'node:http';
import type { ServiceClient } from '../../../../nodes/shared/service/client.ts';
import { withServer } from './answering-server.mts';
import type { Probe, ProbeOptions } from './probe.mts';

/** The access token, which must not appear in any error. */
export const token = 'tok_live_9f8e7d6c5b4a39281706';

export const query = {
	startTime: '2026-01-01T00:00:00Z',
	endTime: '2026-02-01T00:00:00Z',
	loadId: '48213',
};

/** Requests the calls of one load. */
export const list = async (client: ServiceClient) => await client.readList('calls', query);

/** The error that the user sees for this response. */
export const errorsBy =
	(probe: () => Probe) =>
	async (answer: RequestListener, more: Partial<ProbeOptions> = {}) =>
		await withServer(answer, async (baseUrl) => {
			const options = { baseUrl, token, fails: 'stop' as const, retryBudgetMs: 0, ...more };
			const { run } = await probe().run(options, list);
			expect(run.status).toBe('error');
			const error = run.error;
			if (!error) throw new Error('The node did not fail');
			return { message: error.message, description: error.description ?? '', error, run };
		});
