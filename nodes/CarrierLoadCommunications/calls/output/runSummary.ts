import { ringOf, type KnownCall, type Ring } from '../memory/knownCalls';

const MAX_IDS = 200;

const ABOUT_RETRIES =
	'Retry On Fail and Retry Execution place only what is missing. A new execution places all of them again unless Skip If Called Within covers the time since';

export interface RunCall extends KnownCall {
	/** Whether the run stopped before this call. */
	isOpen?: boolean;
}

/** Those of the calls for which a phone rang, may have rung, or didn't. */
export function withRing(calls: readonly RunCall[], ring: Ring): RunCall[] {
	return calls.filter((call) => ringOf(call) === ring);
}

/**
 * What happened to a run's calls when an error stops the node: what was placed, what may have been
 * placed, and what was not tried. Empty if certainly no phone rang.
 */
export function summarizeRun(calls: readonly RunCall[]): string[] {
	const placed = withRing(calls, 'yes');
	const unknown = withRing(calls, 'maybe');
	const open = withRing(calls, 'no').filter(({ isOpen }) => isOpen);
	if (placed.length + unknown.length === 0) return [];
	const ids = placed.slice(0, MAX_IDS).map(({ row }) => String(row?.callId));
	if (placed.length > MAX_IDS) ids.push(`and ${placed.length - MAX_IDS} more`);
	const lost = unknown.map(({ itemIndex, what }) => `item ${itemIndex}, ${what}`);
	return [
		...(placed.length > 0
			? [`Placed before the node stopped: ${placed.length} (call IDs ${ids.join(', ')})`]
			: []),
		...(unknown.length > 0 ? [`May or may not have been placed: ${lost.join('; ')}`] : []),
		...(open.length > 0
			? [`Not tried: ${itemRanges(open.map(({ itemIndex }) => itemIndex))}`]
			: []),
		// The error of a lost call says what to do about it.
		...(calls.length === 1 && placed.length === 0 ? [] : [ABOUT_RETRIES]),
	];
}

/** "items 3 to 7, 9" */
function itemRanges(indexes: readonly number[]): string {
	const ranges: Array<[number, number]> = [];
	for (const index of indexes) {
		const last = ranges.at(-1);
		if (last?.[1] === index - 1) last[1] = index;
		else ranges.push([index, index]);
	}
	const texts = ranges.map(([first, last]) =>
		first === last ? String(first) : `${first} to ${last}`,
	);
	return `${indexes.length === 1 ? 'item' : 'items'} ${texts.join(', ')}`;
}
