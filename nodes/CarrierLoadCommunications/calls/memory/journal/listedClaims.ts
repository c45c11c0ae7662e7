import { sleep } from 'n8n-workflow';

import { askedEntry, ownEntry, takenEntry } from './journalEntries';
import { SETTLE_MS, type NodeEntries } from './nodeEntries';
import { keepEntries } from './oldEntries';

/** Notes which listed call belongs to which call of this run, so that no other takes it. */
export class ListedClaims {
	constructor(
		private readonly entries: NodeEntries,
		private readonly execution: string,
	) {}

	/** Claims a listed call for this one; false if it belongs to another, or may. */
	async claim(callId: unknown, key: string): Promise<boolean> {
		const taken = takenEntry(callId);
		const own = ownEntry(callId, key);
		const asked = askedEntry(callId, key);
		const known = await this.entries.record([taken, own, asked]);
		if ((known.has(own) && !known.has(asked)) || this.entries.problem !== undefined) {
			await this.entries.remove([asked]);
			return true;
		}
		if (known.has(taken)) {
			await this.entries.remove(known.has(asked) ? [] : [own, asked]);
			return false;
		}
		keepEntries(this.entries.node, this.execution, [taken, own]);
		// Also after Stop: a retry would take half a claim for another request's.
		await sleep(SETTLE_MS);
		// If two workers claim it at the same moment, the later write wins.
		const kept = await this.entries.record([own, asked]);
		const isKept = kept.has(own) || this.entries.problem !== undefined;
		await this.entries.remove(isKept ? [asked] : [own, asked]);
		return isKept;
	}

	/** Which of these listed calls were noted as this one's. */
	async ownAmong(callIds: readonly unknown[], key: string): Promise<unknown[]> {
		const pairs = callIds.map((callId) => ({
			callId,
			own: ownEntry(callId, key),
			asked: askedEntry(callId, key),
		}));
		const known = await this.entries.record(pairs.flatMap(({ own, asked }) => [own, asked]));
		// n8n's table can't be read without writing to it.
		const fresh = pairs.filter(({ asked }) => !known.has(asked));
		await this.entries.remove(
			fresh.flatMap(({ own, asked }) => (known.has(own) ? [asked] : [own, asked])),
		);
		return fresh.filter(({ own }) => known.has(own)).map(({ callId }) => callId);
	}
}
