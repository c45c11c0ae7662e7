const queues = new Map<string, Promise<void>>();

/**
 * Runs tasks one at a time per key, in order, across all executions of this process. Returns what
 * the task returns, and throws what it throws.
 */
export async function runExclusive<Result>(
	key: string,
	work: () => Promise<Result>,
): Promise<Result> {
	const before = queues.get(key) ?? Promise.resolve();
	const mine = before.then(work);
	const done = mine.then(
		() => {},
		() => {},
	);
	queues.set(key, done);
	try {
		return await mine;
	} finally {
		if (queues.get(key) === done) queues.delete(key);
	}
}
