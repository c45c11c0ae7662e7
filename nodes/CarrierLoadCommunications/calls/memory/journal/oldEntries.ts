/** How long notes are kept after their node last ran in an execution, or up to twice as long. */
const KEPT_MS = 30 * 60_000;

interface Kept {
	at: number;
	entries: string[];
}

/** By node and execution, what was written; the execution that ran last is last. */
const nodes = new Map<string, Map<string, Kept>>();

/**
 * Keeps what a run has written: its execution may be in a loop, or start again after a crash, and n8n
 * doesn't tell a node when that ends.
 */
export function keepEntries(node: string, execution: string, entries: readonly string[]): void {
	const kept = nodes.get(node) ?? new Map<string, Kept>();
	const all = kept.get(execution)?.entries ?? [];
	for (const entry of entries) all.push(entry);
	kept.delete(execution);
	kept.set(execution, { at: Date.now(), entries: all });
	nodes.set(node, kept);
}

/** Takes the entries that no execution needs anymore; many together, for one write. */
export function takeOldEntries(node: string): string[] {
	const kept = nodes.get(node) ?? new Map<string, Kept>();
	const [oldest] = kept.values();
	if (oldest === undefined || Date.now() - oldest.at < 2 * KEPT_MS) return [];
	const old = [...kept].filter(([, { at }]) => Date.now() - at >= KEPT_MS);
	for (const [execution] of old) kept.delete(execution);
	return old.flatMap(([, { entries }]) => entries);
}
