import type { IDataObject } from 'n8n-workflow';

import { DEFAULT_TIMEOUT_MS } from '../../../shared/service/http/defaults';
import type { JsonObject } from '../../../shared/service/http/json';
import { UnknownOutcome } from '../output/callErrors';
import { foundRow, loadOf } from '../output/callRow';
import { CLOCK_SKEW_MS, lookForCall, mayConcern, timeOf } from './callSearch';
import { startOf } from '../memory/execution';
import { foundAgain, lostByOthers, noteLost } from './lostCalls';
import { withoutExtension } from '../plan/phoneNumber';
import { describeCall, type ItemCall, type Placing } from '../dial/placement';

/** How long after its request was given up a service may still place a call. */
const LATE_MS = 2 * 60_000;

/** Stands in the memo for the time of a dialling that only the journal knows. */
export const TIME_UNKNOWN = '';

/** A dialling whose answer was lost. */
interface Lost {
	/** When it was dialled, as Unix milliseconds. */
	since: number;
	/** After that the service does not place it any more. */
	until: number;
	/** What happened, half a sentence for the user. */
	why: string;
}

/**
 * Finds out whether a call was placed whose answer was lost, from the service's own list. Never
 * dials. A call that another item or execution has is not taken for this one; where several could
 * be it, or it could be that of several, none is.
 *
 * @param since when it was dialled, as Unix milliseconds
 * @param why what happened, half a sentence for the user
 * @throws UnknownOutcome when the list does not show the one call
 */
export async function reconcile(
	placing: Placing,
	item: ItemCall,
	since: number,
	why: string,
): Promise<IDataObject> {
	const { timeoutMs = DEFAULT_TIMEOUT_MS } = placing.settings;
	const lost = { since, until: since + timeoutMs + LATE_MS, why };
	const owner = placing.journal.ownerOf(item.key);
	noteLost({
		...{ owner, phone: withoutExtension(item.wanted.toPhone), load: loadOf(item.wanted) },
		...{ from: since - CLOCK_SKEW_MS, until: lost.until + CLOCK_SKEW_MS },
	});
	const row = foundRow(item.wanted, await findLost(placing, item, lost), 'reconciled');
	foundAgain(owner);
	placing.memo.done(item.key, item.wanted, row);
	return row;
}

async function findLost(placing: Placing, item: ItemCall, lost: Lost): Promise<JsonObject> {
	const { client, memo, settings, signal } = placing;
	const deadline = Date.now() + settings.lookForMs;
	const taken = new Set(memo.others(item.key).map(({ row }) => row?.callId));
	const others: JsonObject[] = [];
	const inTime = (call: JsonObject) => (timeOf(call) ?? lost.until) <= lost.until + CLOCK_SKEW_MS;
	for (;;) {
		const { calls, told } = await lookForCall(client, {
			...{ wanted: item.wanted, since: lost.since, signal },
			patienceMs: deadline - Date.now(),
			mayBe: (call) => !taken.has(call.id) && inTime(call),
		});
		const [found, second] = calls;
		if (found === undefined) {
			throw unknown(item, lost.why, others.length > 0 ? onlyOthers(others) : told);
		}
		if (second !== undefined) throw unknown(item, lost.why, several(calls));
		if (isAnyonesCall(placing, item, found)) throw unknown(item, lost.why, eitherOf(found));
		if (await placing.journal.claim(found.id, item.key)) return found;
		taken.add(found.id);
		others.push(found);
	}
}

/**
 * Finds the call of an item that the journal knows and the run's data do not: they were lost in a
 * crash, or are those of an older execution. When it was dialled is not known, so only a call that
 * was noted as this item's is taken for it.
 *
 * @throws UnknownOutcome when there is no such call in the list
 */
export async function findNoted(placing: Placing, item: ItemCall): Promise<IDataObject> {
	const { client, journal, memo, signal } = placing;
	const since = startOf(placing.context) ?? Date.now();
	memo.dialling(item.key, item.wanted, TIME_UNKNOWN);
	const look = { wanted: item.wanted, since, patienceMs: 0, mayBe: () => true, signal };
	const { calls, told } = await lookForCall(client, look);
	const ids = calls.map(({ id }) => id);
	const noted = await journal.noted(ids, item.key);
	const found = calls.find(({ id }) => noted.includes(id));
	if (found === undefined) {
		const why = 'This execution had begun to dial it once before it was interrupted';
		throw unknown(item, why, told || several(calls));
	}
	const row = foundRow(item.wanted, found, 'reconciled');
	memo.done(item.key, item.wanted, row);
	return row;
}

/** Whether another item or execution lost a call to the same number, which it can be just as well. */
function isAnyonesCall(placing: Placing, { key, wanted }: ItemCall, call: JsonObject): boolean {
	const { memo, journal } = placing;
	const phone = withoutExtension(wanted.toPhone);
	const lost = [
		...memo.others(key).filter((other) => other.row === undefined && other.phone === phone),
		...lostByOthers(journal.ownerOf(key), phone, timeOf(call) ?? Date.now()),
	];
	return lost.some(({ load }) => mayConcern(load, call));
}

function unknown(item: ItemCall, why: string, looked: string): UnknownOutcome {
	return new UnknownOutcome(describeCall(item.wanted), [why, looked]);
}

function eitherOf({ id }: JsonObject): string {
	return `The call list shows one call (ID ${String(id)}), but another call to this number was lost too`;
}

function several(calls: JsonObject[]): string {
	return `The call list shows several calls that could be it (IDs ${idsOf(calls)})`;
}

function onlyOthers(calls: JsonObject[]): string {
	return `The call list shows only calls that other executions placed (IDs ${idsOf(calls)})`;
}

function idsOf(calls: JsonObject[]): string {
	return calls.map(({ id }) => String(id)).join(', ');
}
