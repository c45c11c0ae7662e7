import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { waitByPolling } from '../../../nodes/CarrierLoadCommunications/calls/wait.ts';
import type { ServiceClient } from '../../../nodes/shared/service/client.ts';

const hour = 60 * 60_000;
const open = [{ callId: 7, createdAt: '2026-11-21T15:00:00Z' }];

const wait = async (onLook: (matches: (row: IDataObject) => boolean) => void, stop?: AbortSignal) =>
	await waitByPolling(
		{
			addExecutionHints: () => {},
			getExecutionCancelSignal: () => stop,
		} as unknown as IExecuteFunctions,
		{
			walkCalls: async (_query: unknown, matches: (row: IDataObject) => boolean) => {
				onLook(matches);
				return { searched: 0, complete: true };
			},
		} as unknown as ServiceClient,
		{ limitMs: hour, intervalMs: 10 },
		open,
	);

describe('polling for an outcome', () => {
	it('ends immediately when the user presses Stop, without waiting for the interval', async () => {
		const stop = new AbortController();
		const waiting = wait(() => setImmediate(() => stop.abort()), stop.signal);
		await expect(waiting).rejects.toMatchObject({ details: { kind: 'cancelled' } });
	});

	it('stops reading the list once it has seen every open call', async () => {
		const read: boolean[] = [];
		const rows = await wait((matches) => {
			read.push(...[{ id: 6 }, { id: 7, summary: 'On time.' }].map(matches));
		});
		expect(read).toEqual([false, true]);
		expect(rows).toEqual([expect.objectContaining({ summary: 'On time.', timedOut: false })]);
	});
});
