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

/** How long the entries of placed calls are gathered for one write. */
const GATHER_MS = 100;

/** How many calls stay noted after they are done: for retries, and for other workers. */
const KEPT_CALLS = 500;

/** A call about to be dialed. */
export interface Note {
	key: string;
	/** What no other execution may call meanwhile; undefined when the guard is off. */
	target: string | undefined;
}

/** Entries by the node's row, oldest first, that can be removed once their execution has ended. */
const removable = new Map<string, Array<{ execution: string; entries: string[] }>>();

/**
 * What this node has dialed, in n8n's database: seen by its other executions on other workers, and
 * still there after a crash that the execution's own data didn't survive.
 *
 * It is n8n's table of processed data (n8n 2.41: `deduplication-helper.js`), one list of hashes for
 * each node. n8n reads and writes the list in two steps, so two workers can overwrite each other's
 * entries: what must not get lost is looked for again a moment after it was written. The list that
 * all nodes of a workflow share is not used: the Remove Duplicates node keeps its data there.
 */
export class CallJournal {
	private readonly entries: NodeEntries;
	private readonly row: string;
	private readonly execution: string;
	/** The entries of each call that this run noted. */
	private readonly noted = new Map<string, string[]>();
	private gathered: string[] = [];
	private gathering = false;

	constructor(context: IExecuteFunctions) {
		this.entries = new NodeEntries(context);
		this.row = this.entries.node;
		this.execution = lineageOf(context);
	}

	/** Why the table can't be used, when it can't: a workflow that was never saved has none. */
	get problem(): string | undefined {
		return this.entries.everProblem;
	}

	/**
	 * Notes calls in one write before they are dialed.
	 *
	 * @returns the keys noted before (by a start of this execution that crashed), and the targets
	 * another execution has reserved
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
		// Other workers kept overwriting the notes: what can't be reserved must not be dialed.
		for (const { target } of open) if (target) reserved.add(target);
		return { begun, reserved };
	}

	/** Forgets calls that were certainly not dialed. */
	async forget(keys: readonly string[]): Promise<void> {
		const gone = unique(keys.flatMap((key) => this.noted.get(key) ?? []));
		for (const key of keys) this.noted.delete(key);
		// Two calls of a run may have reserved the same target.
		const kept = new Set([...this.noted.values()].flat());
		await this.entries.remove(gone.filter((entry) => !kept.has(entry)));
	}

	/** Notes soon, with others in one write, that a call of the service is this one's. */
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

	/** Makes a listed call this one's; false when it is another's. */
	async claim(callId: unknown, key: string, signal: AbortSignal | undefined): Promise<boolean> {
		const [taken, own] = [takenEntry(callId), ownEntry(callId, key)];
		const known = await this.entries.record([taken, own]);
		if (known.has(own) || this.entries.problem !== undefined) return true;
		if (known.has(taken)) {
			await this.entries.remove([own]);
			return false;
		}
		await pause(SETTLE_MS, signal);
		// Of two workers that claimed it at the same moment, the later write is the one that stayed.
		if ((await this.entries.record([own])).has(own)) return true;
		await this.entries.remove([own]);
		return false;
	}

	/** Which of these calls of the service were noted as this one's. */
	async ownAmong(callIds: readonly unknown[], key: string): Promise<unknown[]> {
		const entries = callIds.map((callId) => ownEntry(callId, key));
		const known = await this.entries.record(entries);
		// n8n's table can't be read without being written to.
		await this.entries.remove(entries.filter((entry) => !known.has(entry)));
		return callIds.filter((_callId, index) => known.has(entries[index] ?? ''));
	}

	/** Ends a run: writes what is still gathered and lets go of the oldest calls. */
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
		// A loop of this execution may be at its thousandth turn when n8n crashes.
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

/** Entries have no time of their own: the period is part of them, and so is the one before. */
function marksOf(target: string): string[] {
	const period = Math.floor(Date.now() / RESERVED_MS);
	return [period - 1, period].map((each) => digest(['reserved', target, each]));
}

function unique(entries: string[]): string[] {
	return [...new Set(entries)];
}
