import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { pause } from '../../../shared/service/http/cancellation';
import { digest } from './digest';
import { lineageOf } from './execution';
import { NodeEntries } from './nodeEntries';

/** Longer than a worker takes between reading n8n's table and writing it. */
const SETTLE_MS = 500;
const ATTEMPTS = 8;

/** A reservation lasts this long, or up to twice as long. */
const RESERVED_MS = 10 * 60_000;

/** How long entries of placed calls are collected for one write. */
const GATHER_MS = 100;

/** How many finished calls stay noted, for retries and other workers. */
const KEPT_CALLS = 500;

/** A call about to be dialed. */
export interface Note {
	key: string;
	/** What other executions may not call meanwhile; undefined if the guard is off. */
	target: string | undefined;
}

/** Entries by the node's row, oldest first, that can be removed once their execution has ended. */
const removable = new Map<string, Array<{ execution: string; entries: string[] }>>();

/**
 * What this node has dialed, stored in n8n's database: visible to its executions on other workers,
 * and kept after a crash in which the execution's own data was lost. It is n8n's table of processed
 * data (n8n 2.41: `deduplication-helper.js`), one list of hashes per node. n8n reads and writes a
 * list in two steps, so two workers can overwrite each other's entries. What must not get lost is
 * therefore checked again shortly after it was written. The list shared by all nodes of a workflow
 * belongs to the Remove Duplicates node and is not used.
 */
export class CallJournal {
	private readonly entries: NodeEntries;
	private readonly row: string;
	private readonly execution: string;
	/** This run's entries for each call. */
	private readonly noted = new Map<string, string[]>();
	private gathered: string[] = [];
	private gathering = false;

	constructor(context: IExecuteFunctions) {
		this.entries = new NodeEntries(context);
		this.row = this.entries.node;
		this.execution = lineageOf(context);
	}

	/** Why the table can't be used, if it can't: a workflow that was never saved has none. */
	get problem(): string | undefined {
		return this.entries.everProblem;
	}

	/**
	 * Notes calls in one write before they are dialed.
	 *
	 * @returns the keys noted before (by an earlier start of this execution, which crashed), and the
	 * targets that another execution has reserved
	 * @throws ServiceFailure of kind `cancelled` when the user presses Stop
	 */
	async note(notes: readonly Note[], signal: AbortSignal | undefined) {
		const begun = new Set<string>();
		const reserved = new Set<string>();
		let open = notes;
		for (let attempt = 1; attempt <= ATTEMPTS && open.length > 0; attempt++) {
			const marks = new Map(open.map(({ target }) => [target, target ? marksOf(target) : []]));
			const entriesOf = ({ key, target }: Note) => [begunEntry(key), ...(marks.get(target) ?? [])];
			const known = await this.entries.record(unique(open.flatMap(entriesOf)));
			for (const note of open) {
				const { key, target } = note;
				this.noted.set(
					key,
					entriesOf(note).filter((entry) => !known.has(entry)),
				);
				if (attempt === 1 && known.has(begunEntry(key))) begun.add(key);
				if (target && marks.get(target)?.some((mark) => known.has(mark))) reserved.add(target);
			}
			open = open.filter(({ key, target }) => !begun.has(key) && !reserved.has(target ?? ''));
			if (this.entries.problem !== undefined || open.length === 0) return { begun, reserved };
			await pause(SETTLE_MS, signal);
			const kept = await this.entries.record(open.map(({ key }) => begunEntry(key)));
			if (kept.size === open.length) return { begun, reserved };
		}
		// Other workers kept overwriting the notes: without a reservation, nothing may be dialed.
		for (const { target } of open) if (target) reserved.add(target);
		return { begun, reserved };
	}

	/** Removes the notes of calls that were certainly not dialed. */
	async forget(keys: readonly string[]): Promise<void> {
		const gone = unique(keys.flatMap((key) => this.noted.get(key) ?? []));
		for (const key of keys) this.noted.delete(key);
		// Two calls of a run may have reserved the same target.
		const kept = new Set([...this.noted.values()].flat());
		await this.entries.remove(gone.filter((entry) => !kept.has(entry)));
	}

	/** Notes which call of the service is this one's, in a later write with others. */
	placed(key: string, callId: unknown): void {
		const taken = takenEntry(callId);
		this.gathered.push(taken, ownEntry(callId, key));
		this.letGoLater([taken, ...(this.noted.get(key)?.slice(1) ?? [])]);
		if (this.gathering) return;
		this.gathering = true;
		void sleep(GATHER_MS).then(async () => {
			this.gathering = false;
			await this.flush();
		});
	}

	/** Claims a listed call for this one; false if it is another's. */
	async claim(callId: unknown, key: string, signal: AbortSignal | undefined): Promise<boolean> {
		const [taken, own] = [takenEntry(callId), ownEntry(callId, key)];
		const known = await this.entries.record([taken, own]);
		if (known.has(own) || this.entries.problem !== undefined) return true;
		if (known.has(taken)) {
			await this.entries.remove([own]);
			return false;
		}
		await pause(SETTLE_MS, signal);
		// If two workers claim it at the same moment, the later write wins.
		if ((await this.entries.record([own])).has(own)) return true;
		await this.entries.remove([own]);
		return false;
	}

	/** Which of these calls of the service were noted as this one's. */
	async ownAmong(callIds: readonly unknown[], key: string): Promise<unknown[]> {
		const entries = callIds.map((callId) => ownEntry(callId, key));
		const known = await this.entries.record(entries);
		// n8n's table can't be read without writing to it.
		await this.entries.remove(entries.filter((entry) => !known.has(entry)));
		return callIds.filter((_callId, index) => known.has(entries[index] ?? ''));
	}

	/** Ends a run: writes what is pending and removes the oldest calls. */
	async close(done: ReadonlyArray<{ key: string; callId: unknown }>): Promise<void> {
		for (const { key, callId } of done) {
			this.letGoLater([begunEntry(key), ownEntry(callId, key)]);
		}
		await this.flush();
	}

	private async flush(): Promise<void> {
		const entries = this.gathered.splice(0);
		await this.entries.record(entries);
		const old = removable.get(this.row) ?? [];
		if (old.length < KEPT_CALLS * 2.5) return;
		// When n8n crashes, a loop of this execution may be at its thousandth iteration.
		const others = old.filter(({ execution }) => execution !== this.execution);
		const gone = new Set(others.slice(0, old.length - KEPT_CALLS * 2));
		removable.set(
			this.row,
			old.filter((each) => !gone.has(each)),
		);
		await this.entries.remove([...gone].flatMap((each) => each.entries));
	}

	private letGoLater(entries: string[]): void {
		const old = removable.get(this.row) ?? [];
		old.push({ execution: this.execution, entries });
		removable.set(this.row, old);
	}
}

function begunEntry(key: string): string {
	return digest(['begun', key]);
}

function takenEntry(callId: unknown): string {
	return digest(['call', String(callId).trim()]);
}

function ownEntry(callId: unknown, key: string): string {
	return digest(['call', String(callId).trim(), key]);
}

/** Entries have no timestamp, so the period and the one before it are part of them. */
function marksOf(target: string): string[] {
	const period = Math.floor(Date.now() / RESERVED_MS);
	return [period - 1, period].map((each) => digest(['reserved', target, each]));
}

function unique(entries: string[]): string[] {
	return [...new Set(entries)];
}
