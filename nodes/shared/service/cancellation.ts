import { sleep, type IAllExecuteFunctions } from 'n8n-workflow';

import { ServiceFailure } from './failure';

/** The signal that the user pressed Stop; polls and webhooks have none. */
export function cancelSignal(context: IAllExecuteFunctions): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** @throws ServiceFailure of kind `cancelled` when the user has pressed Stop; nothing was sent */
export function throwIfStopped(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw stopped();
}

/**
 * Waits some milliseconds, or until the user presses Stop.
 *
 * @throws ServiceFailure of kind `cancelled`
 */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	if (signal === undefined) return await sleep(ms);
	throwIfStopped(signal);
	let onStop = () => {};
	const stop = new Promise<never>((_resolve, reject) => {
		onStop = () => reject(stopped());
		signal.addEventListener('abort', onStop, { once: true });
	});
	try {
		// Before n8n-workflow 2.41, `sleep` ignores the signal.
		await Promise.race([stop, sleep(ms, signal)]);
	} finally {
		signal.removeEventListener('abort', onStop);
	}
}

function stopped(): ServiceFailure {
	return new ServiceFailure({
		kind: 'cancelled',
		// n8n-core 2.41 counts an execution as canceled, not failed, by this word.
		what: 'The execution was canceled',
		nothingSent: true,
	});
}
