import type { IDataObject } from 'n8n-workflow';

import type { JsonObject } from '../../../shared/service/http/json';
import { NotPlaced } from '../output/callErrors';
import { targetOf } from '../memory/callMemo';
import { foundRow } from '../output/callRow';
import { findRecentCall, lookForCall, timeOf } from '../reconcile/callSearch';
import { describeCall, type ItemCall, type Placing } from '../dial/placement';

/** A reservation lasts about two minutes (callJournal); a call of that age explains it. */
const RESERVED_MS = 2 * 60_000;

/**
 * The call that stands for this one, because it went to the same number for the same load within
 * the minutes of the guard; undefined when there is none or the guard is off. Then number and load are reserved for
 * this item, against executions that ask at the same moment.
 *
 * @throws NotPlaced when another item or execution is just placing such a call and it cannot be seen
 * @throws ServiceFailure when the call list could not be read
 */
export async function findDuplicate(
	placing: Placing,
	item: ItemCall,
): Promise<IDataObject | undefined> {
	const withinMs = item.skipWithinMs;
	if (withinMs === undefined) return undefined;
	const own = ownDuplicate(placing, item, withinMs);
	if (own) return own;

	const listed = await findRecentCall(placing.client, item.wanted, withinMs, (call) =>
		isNotOtherOwnCall(placing, item, call),
	);
	if (listed) return foundRow(item.wanted, listed, 'skippedDuplicate');

	const target = targetOf(item.wanted);
	if (await placing.journal.reserve(target, placing.signal)) return undefined;
	return await awaitOther(placing, item, withinMs);
}

/** Nothing was dialled: others may call this number again. */
export async function releaseTarget(placing: Placing, item: ItemCall): Promise<void> {
	if (item.skipWithinMs !== undefined) await placing.journal.release(targetOf(item.wanted));
}

function ownDuplicate(placing: Placing, item: ItemCall, withinMs: number) {
	const same = placing.memo
		.others(item.key)
		.filter(({ target }) => target === targetOf(item.wanted));
	if (same.some(({ row }) => row === undefined)) {
		throw new NotPlaced(
			`The ${describeCall(item.wanted)} was not dialled`,
			'Another item of this node asked for the same call, and it is not known whether that one was placed. Find that out first',
		);
	}
	const recent = same.find(({ row }) => isWithin(row, withinMs));
	return recent?.row && { ...recent.row, outcome: 'skippedDuplicate' };
}

function isWithin(row: IDataObject | undefined, withinMs: number): boolean {
	const created = row && timeOf(row);
	return created === undefined || created >= Date.now() - withinMs;
}

/**
 * The list may leave out the extension (contract 2.3) and the load of a call; of the calls that this
 * execution placed they are known.
 */
function isNotOtherOwnCall(placing: Placing, item: ItemCall, call: JsonObject): boolean {
	const own = placing.memo
		.others(item.key)
		.find(({ row }) => row?.callId === call.id && row?.outcome !== 'skippedDuplicate');
	return own === undefined || own.target === targetOf(item.wanted);
}

/** Another execution has just reserved number and load: its call will show up, or it failed. */
async function awaitOther(placing: Placing, item: ItemCall, withinMs: number) {
	const { calls } = await lookForCall(placing.client, {
		wanted: item.wanted,
		since: Date.now() - Math.max(withinMs, RESERVED_MS),
		patienceMs: placing.settings.lookForMs,
		mayBe: (call) => isNotOtherOwnCall(placing, item, call),
		signal: placing.signal,
	});
	const recent = calls.find((call) => isWithin(call, withinMs));
	if (recent) return foundRow(item.wanted, recent, 'skippedDuplicate');
	if (calls.length > 0) return undefined;
	throw new NotPlaced(
		`The ${describeCall(item.wanted)} was not dialled`,
		'Another execution of this workflow began the same call less than two minutes ago, and the call list does not show it yet. Run this item again in a few minutes',
	);
}
