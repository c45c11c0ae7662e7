/** A poll that runs longer than this is reported, in milliseconds. */
const STUCK_MS = 15 * 60 * 1000;

/** When the poll that runs now was started, per node. */
const running = new Map<string, number>();

/**
 * Runs a task unless one with the same key still runs: n8n starts a poll while the last one still
 * runs, on the same static data (n8n-core 2.41, active-workflow-triggers.js: `void
 * executePollTrigger()`), and both would deliver the same records.
 *
 * @returns the task's result, or undefined when it did not run
 * @throws when the other task seems to be stuck, so that n8n shows it
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
