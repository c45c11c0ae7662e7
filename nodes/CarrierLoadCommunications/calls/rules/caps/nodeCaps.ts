import { runExclusive } from '../../memory/runExclusive';
import { CallCaps, type Caps, type Claim, type SlotNotes } from './callCaps';
import type { Refusal } from '../refusal';

/** The caps of each node, for all its executions in this process. */
const processCaps = new Map<string, CallCaps>();

/** The caps of a node, as one of its executions keeps them. */
export class NodeCaps {
	private readonly caps: CallCaps;

	/**
	 * @param node workflow and node
	 * @param notes where the slots are noted in n8n's database
	 */
	constructor(
		private readonly node: string,
		private readonly notes: SlotNotes,
	) {
		this.caps = processCaps.get(node) ?? new CallCaps();
		processCaps.set(node, this.caps);
	}

	/** Takes a slot of each cap for a call that is about to be placed, or says why there is none. */
	async claim(caps: Caps): Promise<Claim | Refusal> {
		if (caps.perHour === undefined && caps.perDay === undefined) return [];
		return await this.alone(async () => await this.caps.claim(caps, this.notes, Date.now()));
	}

	/** The call was certainly not placed. */
	async release(claim: Claim): Promise<void> {
		if (claim.length === 0) return;
		await this.alone(async () => await this.caps.release(claim, this.notes));
	}

	private async alone<Result>(work: () => Promise<Result>): Promise<Result> {
		return await runExclusive(`caps:${this.node}`, work);
	}
}
