import type { IDataObject } from 'n8n-workflow';

import type { JsonObject } from '../../../shared/service/http/json';
import { callIdOf, createdAtOf, isInTime, mayConcern } from '../output/listedCall';
import type { PlannedCall } from '../plan/plannedCall';
import type { CallIdentity } from './callIdentity';
import { isSkipped, processCalls, type KnownCall } from './knownCalls';

/** What this n8n process knows of the other calls to a call's number. */
export class OtherCalls {
	constructor(private readonly identity: CallIdentity) {}

	/** Those with the same number and load, for the duplicate guard. */
	similarTo(call: PlannedCall): KnownCall[] {
		const { target } = this.identity.describe(call);
		return this.to(call).filter((other) => other.target === target);
	}

	/** Whether one of them has this listed call. */
	have(call: PlannedCall, listed: JsonObject): boolean {
		return this.to(call).some(({ row }) => hasCallOf(row, listed));
	}

	/** Whether a listed call was placed with this credential: then `similarTo` knows about it. */
	canCompare(call: PlannedCall, listed: JsonObject): boolean {
		return this.to(call).some(
			({ account, row }) => account === this.identity.account && hasCallOf(row, listed),
		);
	}

	/** Whether this n8n placed a listed call, to any number: then `similarTo` knows about it. */
	isKnown(listed: JsonObject): boolean {
		return processCalls
			.all()
			.some(
				(known) =>
					!isSkipped(known) &&
					known.account === this.identity.account &&
					hasCallOf(known.row, listed),
			);
	}

	/** Whether one of them is unconfirmed, and this listed call could also be that one. */
	dispute(call: PlannedCall, listed: JsonObject): boolean {
		return this.to(call).some(
			(other) =>
				other.state === 'dialing' &&
				isInTime(createdAtOf(listed), other) &&
				mayConcern(other.load, listed),
		);
	}

	private to(call: PlannedCall): KnownCall[] {
		return processCalls
			.onLine(this.identity.describe(call).line)
			.filter((other) => other.key !== call.key && !isSkipped(other));
	}
}

function hasCallOf(row: IDataObject | undefined, listed: JsonObject): boolean {
	const id = callIdOf(listed);
	return row !== undefined && id !== undefined && callIdOf({ id: row.callId }) === id;
}
