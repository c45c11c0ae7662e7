import { sleep } from 'n8n-workflow';

import { throwIfStopped } from '../../../../shared/service/http/cancellation';
import { ATTEMPTS, SETTLE_MS, type NodeEntries } from '../../memory/journal/nodeEntries';
import { runExclusive } from '../../memory/runExclusive';
import { CallProblem } from '../../output/callErrors';
import type { Refusal } from '../refusal';
import { CallCaps, type Caps, type Claim } from './callCaps';
import type { SlotNotes } from './takeSlot';

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
		this.caps = processCaps.get(entries.node) ?? new CallCaps();
		processCaps.set(entries.node, this.caps);
		this.notes = {
			record: async (asked) => await this.record(asked),
			remove: async (gone) => await entries.remove(gone),
		};
	}

	/**
	 * Takes a slot of each cap for each call, or says why there is none; undefined if other workers kept
	 * taking the same ones.
	 *
	 * @throws CallProblem if n8n's database can't be used; ServiceFailure of kind `cancelled`
	 */
	async claim(calls: readonly Caps[]): Promise<Array<Claim | Refusal | undefined>> {
		const claims = new Map<number, Claim | Refusal>();
		for (const [index, caps] of calls.entries()) if (isOff(caps)) claims.set(index, []);
		try {
			for (let attempt = 1; attempt <= ATTEMPTS && claims.size < calls.length; attempt++) {
				await this.claimMissing(calls, claims);
			}
			return calls.map((_caps, index) => claims.get(index));
		} catch (error) {
			for (const claim of claims.values()) if (Array.isArray(claim)) await this.release(claim);
			return await Promise.reject(error);
		}
	}

	/** Why a dry run's next call would be refused, if it would be; it takes no slot. */
	async rehearse(caps: Caps): Promise<Refusal | undefined> {
		if (isOff(caps)) return undefined;
		return await this.alone(async () => {
			this.rehearsed ??= this.caps.copy();
			const claim = await this.rehearsed.claim(caps, this.onlyAsking(), Date.now());
			if (Array.isArray(claim)) return undefined;
			await this.rehearsed.release(claim.taken, this.onlyAsking());
			return claim;
		});
	}

	async release(claim: Claim): Promise<void> {
		if (claim.length === 0) return;
		await this.alone(async () => await this.caps.release(claim, this.entries));
	}

	private async claimMissing(
		calls: readonly Caps[],
		claims: Map<number, Claim | Refusal>,
	): Promise<void> {
		const made = new Map<number, Claim>();
		await this.alone(async () => {
			for (const [index, caps] of calls.entries()) {
				if (claims.has(index)) continue;
				const claim = await this.caps.claim(caps, this.notes, Date.now());
				claims.set(index, claim);
				made.set(index, Array.isArray(claim) ? claim : claim.taken);
			}
		});
		if ([...made.values()].flat().length === 0) return;
		// Also after Stop, because only confirmed slots can be released.
		await sleep(SETTLE_MS);
		await this.alone(async () => {
			for (const [index, claim] of made) {
				const isRefused = !Array.isArray(claims.get(index));
				const isOwn = await this.caps.confirm(claim, this.notes);
				if (isRefused && isOwn) await this.caps.release(claim, this.notes);
				if (!isRefused && !isOwn) claims.delete(index);
			}
		});
		throwIfStopped(this.signal);
	}

	/** A slot must not look free because the table can't be used. */
	private async record(asked: string[]): Promise<Set<string>> {
		const known = await this.entries.record(asked);
		const { problem } = this.entries;
		if (problem === undefined) return known;
		throw new CallProblem(
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
