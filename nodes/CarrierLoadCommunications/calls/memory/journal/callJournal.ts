import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { throwIfStopped } from '../../../../shared/service/http/cancellation';
import { lineageOf } from '../execution';
import { begunEntry, ownEntry, reservedEntries, takenEntry } from './journalEntries';
import { ListedClaims } from './listedClaims';
import { ATTEMPTS, NodeEntries, SETTLE_MS } from './nodeEntries';
import { keepEntries, takeOldEntries } from './oldEntries';

/** How long the entries of placed calls are collected for one write: this, or ten times the write's. */
const GATHER_MS = 100;
const GATHER_WRITES = 10;

/** A call about to be dialed. */
export interface Note {
	key: string;
	/** What other executions must not call meanwhile; undefined if the guard is off. */
	target: string | undefined;
	/** The guard's time, in milliseconds. */
	withinMs?: number | undefined;
}

/** What others had noted before. */
interface Known {
	/** Calls, by an earlier start of this execution, which crashed. */
	begun: Set<string>;
	/** Targets, by another execution. */
	reserved: Set<string>;
	/** Those of them that were reserved before this period, and not in it. */
	old: Set<string>;
}

/**
 * What this node has dialed, in n8n's database: for other workers, and after a crash that loses the
 * execution's own data. Two workers can overwrite each other's entries, so important ones are checked
 * again shortly after. The list for all nodes of a workflow belongs to Remove Duplicates.
 */
export class CallJournal {
	/** Listed calls that belong to this run's. */
	readonly listed: ListedClaims;
	private readonly entries: NodeEntries;
	private readonly execution: string;
	/** By call, what this run wrote before dialing it. */
	private readonly noted = new Map<string, string[]>();
	private gathered: string[] = [];
	private writing: Promise<void> | undefined;

	constructor(context: IExecuteFunctions) {
		this.entries = new NodeEntries(context);
		this.execution = lineageOf(context);
		this.listed = new ListedClaims(this.entries, this.execution);
	}

	/** Why the table can't be used; undefined if it can. */
	get problem(): string | undefined {
		return this.entries.everProblem;
	}

	/**
	 * Notes calls in one write before they are dialed.
	 *
	 * @throws ServiceFailure of kind `cancelled` if the user presses Stop and they are not noted yet
	 */
	async note(notes: readonly Note[], signal: AbortSignal | undefined): Promise<Known> {
		const known: Known = { begun: new Set(), reserved: new Set(), old: new Set() };
		let open = notes;
		for (let attempt = 1; attempt <= ATTEMPTS && open.length > 0; attempt++) {
			await this.begin(open, known, attempt === 1);
			// A run may take longer than entries are kept.
			keepEntries(this.entries.node, this.execution, []);
			open = open.filter(({ key, target = '' }) => {
				return !known.begun.has(key) && (!known.reserved.has(target) || known.old.has(target));
			});
			if (this.entries.problem !== undefined || open.length === 0) return known;
			// Also after Stop, because only what is known to be this run's may be removed again.
			await sleep(SETTLE_MS);
			const kept = await this.entries.record(open.map(({ key }) => begunEntry(key)));
			// If it can't be read now, the notes would be taken for another execution's.
			if (kept.size === open.length || this.entries.problem !== undefined) return known;
			for (const { key } of open) this.noted.set(key, [begunEntry(key)]);
			throwIfStopped(signal);
		}
		// Other workers kept overwriting the notes: without a reservation, nothing may be dialed.
		for (const { target } of open) if (target) known.reserved.add(target);
		known.old.clear();
		return known;
	}

	/** Removes the notes of calls that were certainly not dialed. */
	async forget(keys: readonly string[]): Promise<void> {
		const gone = keys.flatMap((key) => this.noted.get(key) ?? []);
		for (const key of keys) this.noted.delete(key);
		// Two calls of a run may have reserved the same target.
		const kept = new Set([...this.noted.values()].flat());
		await this.entries.remove(gone.filter((entry) => !kept.has(entry)));
	}

	/** Notes which of the service's calls is this one, in a later write with others. */
	placed(key: string, callId: unknown): void {
		this.gathered.push(takenEntry(callId), ownEntry(callId, key));
		this.writing ??= this.writeGathered(GATHER_MS);
	}

	/** Ends a run: writes the collected entries, and removes those that no execution needs anymore. */
	async close(): Promise<void> {
		const { node } = this.entries;
		await this.write();
		keepEntries(node, this.execution, [...this.noted.values()].flat());
		await this.entries.remove(takeOldEntries(node));
	}

	private async begin(notes: readonly Note[], known: Known, isFirst: boolean): Promise<void> {
		const marked = notes.map((note) => {
			return { ...note, marks: reservedEntries(note.target, note.withinMs) };
		});
		const entries = marked.flatMap(({ key, marks }) => [begunEntry(key), ...marks]);
		const before = await this.entries.record([...new Set(entries)]);
		for (const { key, target, marks } of marked) {
			if (isFirst && before.has(begunEntry(key))) known.begun.add(key);
			const taken = marks.filter((mark) => before.has(mark));
			if (target && taken.length > 0) known.reserved.add(target);
			if (target && taken.length > 0 && !taken.includes(marks.at(-1) ?? '')) known.old.add(target);
			else known.old.delete(target ?? '');
			const own = known.begun.has(key) ? [] : [begunEntry(key)];
			this.noted.set(key, own.concat(marks.filter((mark) => !before.has(mark))));
		}
	}

	private async writeGathered(afterMs: number): Promise<void> {
		await sleep(afterMs);
		const begin = Date.now();
		await this.write();
		const pauseMs = Math.max(GATHER_MS, GATHER_WRITES * (Date.now() - begin));
		this.writing = this.gathered.length > 0 ? this.writeGathered(pauseMs) : undefined;
	}

	private async write(): Promise<void> {
		const entries = this.gathered.splice(0);
		await this.entries.keep(entries);
		keepEntries(this.entries.node, this.execution, entries);
	}
}
