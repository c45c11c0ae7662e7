import { hash } from 'node:crypto';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

const hashOf = (item: DeduplicationItemTypes) => hash('md5', item.toString(), 'base64');

const newest = (entries: string[], { maxEntries }: ICheckProcessedOptions) =>
	maxEntries ? entries.slice(-maxEntries) : entries;

/**
 * n8n's table of processed data without its database (n8n 2.41: deduplication-helper.js): one list
 * of hashes per node, read and written in two steps with time between them. A second insert of the
 * same row fails.
 */
export class ProcessedData implements IDataDeduplicator {
	readonly rows = new Map<string, string[]>();
	/** How long the database takes for a read and for a write. */
	delayMs = 0;
	/** Chooses new times for every read and write. */
	draw: (() => number) | undefined;
	broken = false;

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		contextData: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		const { key, row } = await this.find(scope, contextData);
		const result: IDeduplicationOutput = { new: [], processed: [] };
		if (row === undefined) {
			await this.pass();
			if (this.rows.has(key)) throw new Error('UNIQUE constraint failed: processed_data');
			this.rows.set(key, newest(items.map(hashOf), options));
			return { new: items, processed: [] };
		}
		const known = new Set(row);
		for (const item of items) {
			const entry = hashOf(item);
			if (known.has(entry)) result.processed.push(item);
			else {
				result.new.push(item);
				row.push(entry);
			}
		}
		await this.pass();
		this.rows.set(key, newest(row, options));
		return result;
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		contextData: ICheckProcessedContextData,
	): Promise<void> {
		const { key, row } = await this.find(scope, contextData);
		if (row === undefined) return;
		for (const item of items) {
			// An entry may be there twice; one of them goes.
			const index = row.indexOf(hashOf(item));
			if (index !== -1) row.splice(index, 1);
		}
		await this.pass();
		this.rows.set(key, row);
	}

	async clearAllProcessedItems(): Promise<void> {
		this.rows.clear();
	}

	async getProcessedDataCount(): Promise<number> {
		return 0;
	}

	private async find(scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData) {
		await this.pass();
		if (this.broken) throw new Error('No connection to the database');
		const key = `${workflow.id}:${scope === 'node' ? `n:${node?.id}` : ''}`;
		const row = this.rows.get(key);
		return { key, row: row && [...row] };
	}

	private async pass(): Promise<void> {
		const delayMs = this.draw?.() ?? this.delayMs;
		if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
	}
}
