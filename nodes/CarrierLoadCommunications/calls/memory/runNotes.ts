import type { PlannedCall } from '../plan/plannedCall';
import type { CallJournal } from './journal/callJournal';
import { isSkipped, processCalls } from './knownCalls';
import { similarCalls } from './otherCalls';

/** When another execution has requested such a call: now, or at least minutes ago. */
export type Contest = 'now' | 'before';

/** The calls that a run of the node is about to dial, and those that others are placing already. */
export class RunNotes {
	private readonly keys = new Set<string>();
	private readonly reserved = new Set<string>();
	/** Targets that were reserved before this period, and not in it. */
	private readonly old = new Set<string>();
	private readonly contested = new Map<string, Contest>();
	private noting: Promise<unknown> = Promise.resolve();

	constructor(private readonly journal: CallJournal) {}

	/** Notes calls in one write. Returns those that an earlier start of this execution had noted. */
	async note(
		calls: readonly PlannedCall[],
		signal: AbortSignal | undefined,
	): Promise<PlannedCall[]> {
		for (const call of calls) {
			const contest = this.contestFor(call);
			if (contest) this.contested.set(call.known.key, contest);
			this.keys.add(call.known.key);
			processCalls.set(call.known);
		}
		const notes = calls.map((call) => ({
			...{ key: call.known.key, target: this.targetToReserve(call), withinMs: call.skipWithinMs },
		}));
		const written = this.journal.note(notes, signal);
		this.noting = Promise.allSettled([this.noting, written]);
		const { begun, reserved, old } = await written;
		for (const { key, target } of notes) {
			if (target === undefined) continue;
			if (!reserved.has(target)) this.reserved.add(target);
			else if (!old.has(target)) this.contested.set(key, 'now');
			else if (this.old.add(target) && !this.contested.has(key)) this.contested.set(key, 'before');
		}
		return calls.filter(({ known }) => begun.has(known.key));
	}

	/** Whether another execution is placing such a call, or did so minutes ago. */
	contestOf({ known }: PlannedCall): Contest | undefined {
		return this.contested.get(known.key);
	}

	/** Ends the run: others may place what was not dialed. */
	async close(): Promise<void> {
		await this.noting;
		const known = [...this.keys].flatMap((key) => processCalls.get(key) ?? []);
		const free = known.filter((call) => call.state === 'noted' || isSkipped(call));
		for (const { key, state } of free) if (state === 'noted') processCalls.delete(key);
		await this.journal.forget(free.map(({ key }) => key));
		await this.journal.close();
	}

	private contestFor(call: PlannedCall): Contest | undefined {
		if (call.skipWithinMs === undefined) return undefined;
		if (this.isPlacedElsewhere(call)) return 'now';
		return this.old.has(call.known.target) ? 'before' : undefined;
	}

	private isPlacedElsewhere(call: PlannedCall): boolean {
		const isUnderWay = (until: number) => until > Date.now();
		return similarCalls(call)
			.filter(({ key }) => !this.keys.has(key))
			.some(({ state, until }) => state === 'noted' || (state === 'dialing' && isUnderWay(until)));
	}

	private targetToReserve(call: PlannedCall): string | undefined {
		if (call.skipWithinMs === undefined) return undefined;
		const { target } = call.known;
		return this.reserved.has(target) || this.old.has(target) ? undefined : target;
	}
}
