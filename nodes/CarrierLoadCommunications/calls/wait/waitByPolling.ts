import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { hasEnded } from '../../../shared/events/callStage';
import type { ServiceClient } from '../../../shared/service/client';
import { cancelSignal, pause } from '../../../shared/service/http/cancellation';
import { lookUpCalls, withListed, type ListedCalls } from './callList';

const MAX_NAMED = 10;

/**
 * Polls the call list until every call has ended, or the time is up; a hint names those still open.
 *
 * @returns the rows of placed calls in the same order, with the outcome, or with `timedOut: true`
 * @throws ServiceFailure of kind `cancelled` when the user presses Stop
 */
export async function waitByPolling(
	context: IExecuteFunctions,
	client: ServiceClient,
	wait: { limitMs: number; intervalMs: number },
	rows: readonly IDataObject[],
): Promise<IDataObject[]> {
	const deadline = Date.now() + wait.limitMs;
	const signal = cancelSignal(context);
	const listed: ListedCalls = new Map();
	let open = rows.filter((row) => !hasEnded(row));
	while (open.length > 0) {
		const problem = await lookUpCalls(client, open, listed);
		open = open.filter((row) => !hasEnded(withListed(row, listed)));
		if (open.length === 0) break;
		const left = deadline - Date.now();
		if (left <= 0) {
			nameOpenCalls(context, open, problem);
			break;
		}
		await pause(Math.min(wait.intervalMs, left), signal);
	}
	return rows.map((row) => withListed(row, listed));
}

function nameOpenCalls(
	context: IExecuteFunctions,
	open: readonly IDataObject[],
	problem: string | undefined,
): void {
	const names = open.slice(0, MAX_NAMED).map(({ callId, toPhone, loadNumber, loadId }) => {
		const load = loadNumber ?? loadId;
		return `${callId} to ${toPhone}${load === undefined ? '' : ` (load ${load})`}`;
	});
	const more = open.length > MAX_NAMED ? ` and ${open.length - MAX_NAMED} more` : '';
	const calls = open.length === 1 ? 'call has' : 'calls have';
	const why = problem === undefined ? '' : `. The call list could not be read: ${problem}`;
	context.addExecutionHints({
		message: `${open.length} ${calls} no outcome yet: ${names.join(', ')}${more}${why}`,
		type: 'warning',
		location: 'outputPane',
	});
}
