import type { Ring } from '../memory/knownCalls';

const MAX_IDS = 200;

/**
 * A call of the run or of an earlier try, whether a phone rang for it, and its ID if it was placed.
 */
export interface RunCall {
	/** "check call to +13125550188 about load 48213" */
	what: string;
	itemIndex: number;
	ring: Ring;
	callId: unknown;
	/** Whether the run stopped before this call. */
	isOpen: boolean;
}

/**
 * What happened to a run's calls when an error stops the node: what was placed, what may have been
 * placed, and what was not tried. Empty if certainly no phone rang.
 */
export function summarizeRun(calls: readonly RunCall[]): string[] {
	const placed = calls.filter(({ ring }) => ring === 'yes');
	const unknown = calls.filter(({ ring }) => ring === 'maybe');
	const open = calls.filter(({ ring, isOpen }) => ring === 'no' && isOpen);
	if (placed.length + unknown.length === 0) return [];
	const ids = placed.slice(0, MAX_IDS).map(({ callId }) => String(callId));
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
		'Retry On Fail and Retry Execution place only what is missing. A new execution places all of them again unless Skip If Called Within covers the time since',
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
