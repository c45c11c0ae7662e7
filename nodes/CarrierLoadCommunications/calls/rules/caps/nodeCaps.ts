import { pause } from '../../../../shared/service/http/cancellation';
import type { NodeEntries } from '../../memory/journal/nodeEntries';
import { runExclusive } from '../../memory/runExclusive';
import { NotPlaced } from '../../output/callErrors';
import type { Refusal } from '../refusal';
import { CallCaps, type Caps, type Claim } from './callCaps';
import type { SlotNotes } from './takeSlot';

/** Longer than a worker takes between reading n8n's table and writing it. */
const SETTLE_MS = 500;
const ATTEMPTS = 8;

/** The caps of each node, for all its executions in this process. */
const processCaps = new Map<string, CallCaps>();

/** The caps of a node, as one of its executions keeps them. */
export class NodeCaps {
	private readonly caps: CallCaps;
	private readonly notes: SlotNotes;
	/** Counts the calls of a dry run. */
	private rehearsed: CallCaps | undefined;

	/** @param entries where the slots are noted in n8n's database */
	constructor(
		private readonly entries: NodeEntries,
		private readonly signal: AbortSignal | undefined,
	) {
		this.caps = processCaps.get(entries.node) ?? CallCaps.empty();
		processCaps.set(entries.node, this.caps);
		this.notes = {
			record: async (asked) => await this.record(asked),
			remove: async (gone) => await entries.remove(gone),
		};
	}

	/**
	 * Takes a slot of each cap for a call about to be placed, or says why there is none.
	 *
	 * @throws NotPlaced when n8n's database can't be used, or other workers keep taking the same slots
	 * @throws ServiceFailure of kind `cancelled` when the user presses Stop
	 */
	async claim(caps: Caps): Promise<Claim | Refusal> {
		if (isOff(caps)) return [];
		for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
			const claim = await this.alone(
				async () => await this.caps.claim(caps, this.notes, Date.now()),
			);
			if (!Array.isArray(claim) || (await this.isKept(claim))) return claim;
		}
		throw new NotPlaced(
			'Other workers are placing calls of this node at the same moment',
			'Run this item again',
		);
	}

	/** What would stand against a dry run's next call; it takes no slot. */
	async rehearse(caps: Caps): Promise<Refusal | undefined> {
		if (isOff(caps)) return undefined;
		return await this.alone(async () => {
			this.rehearsed ??= this.caps.copy();
			const claim = await this.rehearsed.claim(caps, this.onlyAsking(), Date.now());
			return Array.isArray(claim) ? undefined : claim;
		});
	}

	/** The call was certainly not placed. */
	async release(claim: Claim): Promise<void> {
		if (claim.length === 0) return;
		await this.alone(async () => await this.caps.release(claim, this.entries));
	}

	private async isKept(claim: Claim): Promise<boolean> {
		let isKept: boolean | undefined;
		try {
			await pause(SETTLE_MS, this.signal);
			isKept = await this.alone(async () => await this.caps.confirm(claim, this.notes));
			return isKept;
		} finally {
			if (isKept === undefined) await this.release(claim);
		}
	}

	/** What could not be asked must not look like a free slot. */
	private async record(asked: string[]): Promise<Set<string>> {
		const known = await this.entries.record(asked);
		const { problem } = this.entries;
		if (problem === undefined) return known;
		throw new NotPlaced(
			`Max Calls per Hour and Max Calls per Day can't be counted: ${problem}`,
			'Save the workflow and run it again, or remove these rules from Calling Rules',
		);
	}

	/** The table can't be read without being written to. */
	private onlyAsking(): SlotNotes {
		return {
			record: async (asked) => {
				const known = await this.record(asked);
				await this.entries.remove(asked.filter((entry) => !known.has(entry)));
				return known;
			},
			remove: async () => {},
		};
	}

	private async alone<Result>(work: () => Promise<Result>): Promise<Result> {
		return await runExclusive(`caps:${this.entries.node}`, work);
	}
}

function isOff({ perHour, perDay }: Caps): boolean {
	return perHour === undefined && perDay === undefined;
}
