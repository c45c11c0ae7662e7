/** What came of work: its value, or what it threw. */
export type Settled<Value> = { value: Value } | { error: unknown };

/** Waits for work and keeps what it throws, for a decision that needs both ways. */
export async function settled<Value>(work: Promise<Value>): Promise<Settled<Value>> {
	return await work.then(
		(value) => ({ value }),
		(error: unknown) => ({ error }),
	);
}
