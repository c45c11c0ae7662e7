import type { NodeEntries } from '../../memory/nodeEntries';
import { runExclusive } from '../../memory/runExclusive';
import { NotPlaced } from '../../output/callErrors';
import type { Refusal } from '../refusal';
import { CallCaps, type Caps, type Claim } from './callCaps';

/** The caps of each node, for all its executions in this process. */
const processCaps = new Map<string, CallCaps>();

/** The caps of a node, as one of its executions keeps them. */
export class NodeCaps {
	private readonly caps: CallCaps;

	/** @param entries where the slots are noted in n8n's database */
	constructor(private readonly entries: NodeEntries) {
		this.caps = processCaps.get(entries.node) ?? new CallCaps();
		processCaps.set(entries.node, this.caps);
	}

	/**
	 * Takes a slot of each cap for a call about to be placed, or says why there is none.
	 *
	 * @throws NotPlaced when n8n's database can't be used
	 */
	async claim(caps: Caps): Promise<Claim | Refusal> {
		if (caps.perHour === undefined && caps.perDay === undefined) return [];
		return await this.alone(async () => {
			const record = async (entries: string[]) => await this.record(entries);
			const remove = async (entries: string[]) => await this.entries.remove(entries);
			return await this.caps.claim(caps, { record, remove }, Date.now());
		});
	}

	/** What could not be asked must not look like a free slot. */
	private async record(entries: string[]): Promise<Set<string>> {
		const known = await this.entries.record(entries);
		const { problem } = this.entries;
		if (problem === undefined) return known;
		throw new NotPlaced(
			`Max Calls per Hour and Max Calls per Day can't be counted: ${problem}`,
			'Save the workflow and run it again, or remove these rules from Calling Rules',
		);
	}

	/** The call was certainly not placed. */
	async release(claim: Claim): Promise<void> {
		if (claim.length === 0) return;
		await this.alone(async () => await this.caps.release(claim, this.entries));
	}

	private async alone<Result>(work: () => Promise<Result>): Promise<Result> {
		return await runExclusive(`caps:${this.entries.node}`, work);
	}
}
