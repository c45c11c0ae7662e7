import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { nodeKeyOf } from '../execution';
import { runExclusive } from '../runExclusive';

/** Longer than a worker takes between reading n8n's table and writing it. */
export const SETTLE_MS = 500;

/** How often what other workers overwrote is written again. */
export const ATTEMPTS = 8;

/** n8n rewrites all entries of a node each time. Old ones are removed long before this many. */
const ENTRIES = { mode: 'entries', maxEntries: 50_000 } as const;

/**
 * A node's list of hashes in n8n's table of processed data (n8n 2.41: `deduplication-helper.js`). n8n
 * reads and writes it in two steps, so within this process only one operation runs at a time.
 */
export class NodeEntries {
	/** Why the table can't be used, if it can't: a workflow that was never saved has no entry. */
	problem: string | undefined;

	/** The same, kept even after the table works again, because entries are missing. */
	everProblem: string | undefined;

	readonly node: string;

	/** Written, and not yet seen again after other workers' writes. */
	private readonly unsettled = new Set<string>();
	private settling: Promise<void> | undefined;

	constructor(private readonly context: IExecuteFunctions) {
		this.node = nodeKeyOf(context);
	}

	/** Adds entries; returns those that were there before. */
	async record(entries: string[]): Promise<Set<string>> {
		if (entries.length === 0) return new Set();
		return await this.withTable(async ({ checkProcessedAndRecord }) => {
			const { processed } = await checkProcessedAndRecord(entries, 'node', ENTRIES);
			return new Set(processed.map(String));
		});
	}

	/** Adds entries, and later adds those again that another worker has overwritten meanwhile. */
	async keep(entries: string[]): Promise<void> {
		await this.record(entries);
		for (const entry of entries) this.unsettled.add(entry);
		this.settling ??= this.settle();
	}

	async remove(entries: string[]): Promise<void> {
		if (entries.length === 0) return;
		await this.withTable(async ({ removeProcessed }) => {
			await removeProcessed(entries, 'node', ENTRIES);
			return new Set();
		});
	}

	private async settle(): Promise<void> {
		while (this.unsettled.size > 0 && this.problem === undefined) {
			const written = [...this.unsettled];
			// Nobody waits for this, so it can be one write for many.
			await sleep(2 * SETTLE_MS);
			for (const entry of await this.record(written)) this.unsettled.delete(entry);
		}
		this.settling = undefined;
	}

	private async withTable(
		use: (table: IExecuteFunctions['helpers']) => Promise<Set<string>>,
	): Promise<Set<string>> {
		return await runExclusive(`journal:${this.node}`, async () => {
			// The first entries of two workers collide; the second attempt finds the other's.
			for (let attempt = 1; attempt <= 2; attempt++) {
				try {
					const known = await use(this.context.helpers);
					this.problem = undefined;
					return known;
				} catch (error) {
					this.problem = error instanceof Error ? error.message : String(error);
				}
			}
			this.everProblem ??= this.problem;
			this.context.logger.debug('Calls could not be noted', { reason: this.problem });
			return new Set();
		});
	}
}
