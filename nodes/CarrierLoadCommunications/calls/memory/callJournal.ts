import { randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { pause } from '../../../shared/service/http/cancellation';
import { digest } from './callMemo';
import { lineageOf } from './execution';
import { inLine } from './runExclusive';

/** n8n rewrites all of a node's entries each time: enough for 5,000 calls, still quick. */
const ENTRIES = { mode: 'entries', maxEntries: 15_000 } as const;

/** Longer than a worker takes between reading n8n's table and writing it. */
const SETTLE_MS = 1000;

const ATTEMPTS = 5;
const MINUTE_MS = 60_000;

/**
 * What this node has begun to dial, in n8n's database: seen by other executions and other workers
 * at once, and after a crash that the execution's own data did not survive.
 *
 * It is n8n's table of processed data (n8n-core 2.41: `checkProcessedAndRecord`), which keeps one
 * list of hashes for each node. n8n reads and writes that list in two steps, so two workers can
 * overwrite each other; `reserve` allows for that. Where there is no such table (a workflow that
 * was never saved) every question gets the answer of an empty one.
 */
export class CallJournal {
	private readonly lineage: string;
	private readonly nodeId: string;

	constructor(private readonly context: IExecuteFunctions) {
		this.lineage = lineageOf(context);
		this.nodeId = context.getNode().id;
	}

	/** Names an item of this execution and of its retries. */
	ownerOf(key: string): string {
		return digest([this.lineage, key]);
	}

	/** Writes down that a call is about to be dialled; false when that stands there already. */
	async begin(key: string): Promise<boolean> {
		return (await this.record([this.begun(key)])).length === 0;
	}

	/** Nothing was dialled after all. */
	async takeBack(key: string): Promise<void> {
		await this.remove([this.begun(key)]);
	}

	/** Makes a call of the service this item's own; false when another execution's item has it. */
	async claim(callId: unknown, key: string): Promise<boolean> {
		if (callId === null || callId === undefined) return true;
		const taken = digest(['call', callId]);
		const mine = digest(['call', callId, this.lineage, key]);
		const known = await this.record([taken, mine]);
		if (!known.includes(taken) || known.includes(mine)) return true;
		await this.remove([mine]);
		return false;
	}

	/** Which of these calls of the service were noted as this item's. */
	async noted(callIds: readonly unknown[], key: string): Promise<unknown[]> {
		const entries = callIds.map((callId) => digest(['call', callId, this.lineage, key]));
		const known = await this.record(entries);
		// n8n's table cannot be asked without being written to.
		await this.remove(entries.filter((entry) => !known.includes(entry)));
		return callIds.filter((_callId, index) => known.includes(entries[index] ?? ''));
	}

	/**
	 * Reserves a number and load for about two minutes, against executions that call it at this
	 * very moment; false when another one has it.
	 *
	 * Two workers can both read the list before either writes it; the later write wins and the
	 * other's entry is gone. So the entry is looked at again when both must have written.
	 */
	async reserve(target: string, signal: AbortSignal | undefined): Promise<boolean> {
		for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
			const mine = digest(['mine', randomUUID()]);
			const entries = [...this.marksOf(target), mine];
			const known = await this.record(entries);
			if (known.length > 0) {
				// Asking must not make the other's reservation last longer.
				await this.remove(entries.filter((entry) => !known.includes(entry)));
				return false;
			}
			if (!this.works) return true;
			this.reserved.set(target, entries);
			await pause(SETTLE_MS, signal);
			if ((await this.record([mine])).length > 0) return true;
			await this.remove([mine]);
		}
		return false;
	}

	/** Gives a reservation back, when nothing was dialled after all. */
	async release(target: string): Promise<void> {
		await this.remove(this.reserved.get(target) ?? []);
	}

	private readonly reserved = new Map<string, string[]>();

	private works = true;

	private begun(key: string): string {
		return digest(['begun', this.lineage, key]);
	}

	/** Entries have no time of their own: the minute is part of them, and the one before. */
	private marksOf(target: string): string[] {
		const minute = Math.floor(Date.now() / MINUTE_MS);
		return [minute - 1, minute].map((each) => digest(['reserved', target, each]));
	}

	/** Records entries; gives back those that were there before. */
	private async record(entries: string[]): Promise<string[]> {
		if (entries.length === 0) return [];
		return await this.withTable(async ({ checkProcessedAndRecord }) => {
			const { processed } = await checkProcessedAndRecord(entries, 'node', ENTRIES);
			return processed.map(String);
		});
	}

	private async remove(entries: string[]): Promise<void> {
		if (entries.length === 0) return;
		await this.withTable(async ({ removeProcessed }) => {
			await removeProcessed(entries, 'node', ENTRIES);
			return [];
		});
	}

	private async withTable(
		use: (table: IExecuteFunctions['helpers']) => Promise<string[]>,
	): Promise<string[]> {
		return await inLine(`journal:${this.nodeId}`, async () => {
			// The first entries of two workers collide: the second attempt finds the other's.
			for (let attempt = 1; attempt <= 2; attempt++) {
				try {
					const known = await use(this.context.helpers);
					this.works = true;
					return known;
				} catch (error) {
					this.works = false;
					this.context.logger.debug('Calls could not be noted in the processed data', {
						reason: error instanceof Error ? error.message : String(error),
					} satisfies IDataObject);
				}
			}
			return [];
		});
	}
}
