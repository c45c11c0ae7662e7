import type { Sandbox } from '../../../sandbox/index.mts';
import { request } from './requests.mts';

/**
 * How a request failed. `instanceof` doesn't work, because Jest's Error class differs from fetch's.
 */
function failure(error: unknown): unknown {
	const { name, cause } = error as { name: string; cause?: { code?: string } };
	return name === 'TimeoutError' ? 'timeout' : cause?.code;
}

/** Sends a request and returns the response, or why there was none. */
export async function outcome(sandbox: Sandbox, path: string, body?: unknown) {
	try {
		const { status, text } = await request(sandbox, path, {
			body,
			signal: AbortSignal.timeout(120_000),
		});
		return { status, text };
	} catch (error) {
		return { failed: failure(error) };
	}
}
