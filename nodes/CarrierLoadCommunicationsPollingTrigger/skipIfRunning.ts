/** A poll that takes longer is reported, in milliseconds. */
const STUCK_MS = 15 * 60 * 1000;

/** When each node's running poll started. */
const running = new Map<string, number>();

/**
 * Runs a task unless one with the same key is running. n8n starts a poll while the last one is
 * still running, on the same static data (n8n-core 2.41, active-workflow-triggers.js: `void
 * executePollTrigger()`), and both would deliver the same records.
 *
 * @returns the task's result, or undefined if it didn't run
 * @throws if the running task seems stuck, so that n8n shows it
 */
export async function skipIfRunning<Result>(
	key: string,
	task: () => Promise<Result>,
): Promise<Result | undefined> {
	const startedAt = running.get(key);
	if (startedAt !== undefined) {
		const minutes = Math.floor((Date.now() - startedAt) / 60_000);
		if (Date.now() - startedAt < STUCK_MS) return undefined;
		throw new Error(`The previous poll has been running for ${minutes} minutes.`);
	}
	running.set(key, Date.now());
	try {
		return await task();
	} finally {
		running.delete(key);
	}
}
