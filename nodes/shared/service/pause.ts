import { sleep } from 'n8n-workflow';

import { throwIfStopped } from './exchange';

/** Waits some milliseconds. @throws ServiceFailure of kind `cancelled` when the user presses Stop */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	throwIfStopped(signal);
	let onStop = () => {};
	const stop = new Promise<void>((resolve) => {
		onStop = resolve;
		signal?.addEventListener('abort', onStop, { once: true });
	});
	try {
		// Before n8n-workflow 2.41, `sleep` ignores the signal.
		await Promise.race([stop, sleep(ms, signal).catch(() => {})]);
	} finally {
		signal?.removeEventListener('abort', onStop);
	}
	throwIfStopped(signal);
}
