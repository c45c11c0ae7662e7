const lines = new Map<string, Promise<void>>();

/**
 * Does one thing after the other for the same key, in the order of asking, across all executions
 * of this process. Gives back what the work gives, and throws what it throws.
 */
export async function inLine<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
	const before = lines.get(key) ?? Promise.resolve();
	const mine = before.then(work);
	const done = mine.then(
		() => {},
		() => {},
	);
	lines.set(key, done);
	try {
		return await mine;
	} finally {
		if (lines.get(key) === done) lines.delete(key);
	}
}
