import type { Sandbox } from '../../../sandbox/index.mts';
import { request } from './requests.mts';

/** How a request failed. The test's realm has another Error than fetch: `instanceof` would not do. */
function failure(error: unknown): unknown {
	const { name, cause } = error as { name: string; cause?: { code?: string } };
	return name === 'TimeoutError' ? 'timeout' : cause?.code;
}

/** Asks, and says how it ended: the answer, or why there was none. */
export async function outcome(sandbox: Sandbox, path: string, body?: unknown, ms = 120_000) {
	try {
		const { status, text } = await request(sandbox, path, {
			body,
			signal: AbortSignal.timeout(ms),
		});
		return { status, text };
	} catch (error) {
		return { failed: failure(error) };
	}
}
