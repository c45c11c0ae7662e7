/** How long notes are kept after the last run of their node in an execution, or up to twice as long. */
const KEPT_MS = 30 * 60_000;

interface Kept {
	at: number;
	entries: string[];
}

/** Of each node, what its executions have written, by execution; the one that ran last is last. */
const nodes = new Map<string, Map<string, Kept>>();

/**
 * Keeps what a run has written for as long as its execution may still need it: it may be in a loop, or
 * go on for long after the node, and n8n may start it again after a crash. Nobody tells when it ends.
 */
export function keepEntries(node: string, execution: string, entries: readonly string[]): void {
	const kept = nodes.get(node) ?? new Map<string, Kept>();
	const all = kept.get(execution)?.entries ?? [];
	for (const entry of entries) all.push(entry);
	kept.delete(execution);
	kept.set(execution, { at: Date.now(), entries: all });
	nodes.set(node, kept);
}

/** What nobody needs any more, once; many entries together, for one write. */
export function takeOldEntries(node: string): string[] {
	const kept = nodes.get(node) ?? new Map<string, Kept>();
	const [oldest] = kept.values();
	if (oldest === undefined || Date.now() - oldest.at < 2 * KEPT_MS) return [];
	const old = [...kept].filter(([, { at }]) => Date.now() - at >= KEPT_MS);
	for (const [execution] of old) kept.delete(execution);
	return old.flatMap(([, { entries }]) => entries);
}
