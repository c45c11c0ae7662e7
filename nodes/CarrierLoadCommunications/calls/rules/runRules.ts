import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { runsAsTool } from '../../../shared/fields/runsAsTool';
import { cancelSignal } from '../../../shared/service/http/cancellation';
import { NodeEntries } from '../memory/journal/nodeEntries';
import { CallProblem } from '../output/callErrors';
import type { PlannedCall } from '../plan/plannedCall';
import { DRY_RUN, refuseCall } from './callingRules';
import { NodeCaps } from './caps/nodeCaps';
import type { Claim } from './caps/callCaps';
import { skippedRow } from './skippedRow';
import type { Refusal } from './refusal';

/** The calling rules in a run of the node: when an item is planned, and before it is dialed. */
export class RunRules {
	private readonly caps: NodeCaps;
	private readonly claims = new Map<PlannedCall, Claim>();
	private readonly admitted = new Set<PlannedCall>();
	/** A dry run's rows, by what the duplicate guard compares. */
	private readonly rehearsed = new Map<string, IDataObject>();

	/** @param waits whether the node waits for the calls' outcomes */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly waits: boolean,
	) {
		this.caps = new NodeCaps(new NodeEntries(context), cancelSignal(context));
	}

	/**
	 * The row of an item whose call must be skipped now; undefined if it may be placed.
	 *
	 * @throws CallProblem if a rule makes the item fail
	 */
	apply(call: PlannedCall): IDataObject | undefined {
		const refusal = refuseCall(call.rules, call, new Date());
		return refusal && this.refuse(call, refusal);
	}

	/** Counts calls for the caps ahead of their turn, all at once: counting one takes half a second. */
	async reserve(calls: readonly PlannedCall[]): Promise<void> {
		try {
			const claims = await this.caps.claim(calls.map(({ rules }) => rules.caps));
			for (const [index, call] of calls.entries()) {
				const claim = claims[index];
				if (Array.isArray(claim) && claim.length > 0) this.claims.set(call, claim);
			}
		} catch {
			// Each call is counted again when it is admitted, and fails with its own reason.
		}
	}

	/** The same as `apply` right before the call is dialed, when it must count for the caps. */
	async admit(call: PlannedCall): Promise<IDataObject | undefined> {
		const skipped = this.apply(call);
		if (skipped) return skipped;
		const refusal = await this.count(call);
		if (refusal) return this.refuse(call, refusal);
		// Hours may close while a call is counted.
		const late = this.claims.has(call) ? this.apply(call) : undefined;
		if (late === undefined) this.admitted.add(call);
		return late;
	}

	/** A call was certainly not placed, and does not count. */
	async release(call: PlannedCall): Promise<void> {
		const claim = this.claims.get(call);
		this.claims.delete(call);
		this.admitted.delete(call);
		if (claim) await this.caps.release(claim);
	}

	/** The run is done with these calls: those that were not admitted don't count. */
	async close(calls: readonly PlannedCall[]): Promise<void> {
		for (const call of calls) if (!this.admitted.has(call)) await this.release(call);
	}

	private async count(call: PlannedCall): Promise<Refusal | undefined> {
		const reserved = this.claims.get(call) ?? [];
		if (reserved.length > 0 && reserved.every(({ until }) => until > Date.now())) return undefined;
		await this.release(call);
		const [claim] = await this.caps.claim([call.rules.caps]);
		if (claim === undefined) {
			throw new CallProblem(
				"Other workers are placing this node's calls at the same moment",
				'Run this item again',
			);
		}
		if (!Array.isArray(claim)) return claim;
		this.claims.set(call, claim);
		return undefined;
	}

	/** The row of a dry run's call, which is neither noted nor counted. @throws CallProblem */
	async rehearse(call: PlannedCall): Promise<IDataObject> {
		const skipped = this.apply(call);
		if (skipped) return skipped;
		const { target } = call.known;
		const earlier = this.rehearsed.get(target);
		if (call.skipWithinMs !== undefined && earlier) {
			const placementReason = 'An earlier item of this dry run is the same call.';
			return { ...earlier, placement: 'skippedDuplicate', placementReason };
		}
		const row = this.refuse(call, (await this.caps.rehearse(call.rules.caps)) ?? DRY_RUN);
		const kept = { ...row };
		delete kept.request;
		this.rehearsed.set(target, kept);
		return row;
	}

	private refuse(call: PlannedCall, refusal: Refusal): IDataObject {
		const { reason, advice, nextAllowedAt, skippedAs } = refusal;
		const told = runsAsTool(this.context)
			? `Do not request this call again: a rule of this workflow decides, not the request. For the workflow's owner: ${advice}`
			: advice;
		if (skippedAs !== undefined) {
			return skippedRow(call, skippedAs, `${reason}. ${told}`, nextAllowedAt, this.waits);
		}
		const what = `The ${call.known.what} was not placed: ${reason}`;
		throw new CallProblem(what, told, nextAllowedAt);
	}
}
