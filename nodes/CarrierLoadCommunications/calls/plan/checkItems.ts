import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import { NotPlaced } from '../output/callErrors';
import type { ItemCall } from '../dial/placement';

const SHOWN = 10;

/** An item that was read: its call, or why it cannot be called. */
export type Checked = { item: ItemCall } | { problem: unknown };

/** Reads one item and keeps what is wrong with it. */
export function check(plan: () => ItemCall): Checked {
	try {
		return { item: plan() };
	} catch (problem) {
		return { problem };
	}
}

/**
 * The one error for all items that cannot be called, found before the first phone rang; undefined
 * when all can.
 *
 * @returns also the first such item's index
 */
export function checkFailure(
	checked: readonly Checked[],
): { error: unknown; itemIndex: number } | undefined {
	const bad = checked.flatMap((each, index) => ('problem' in each ? [{ ...each, index }] : []));
	const [first] = bad;
	if (first === undefined) return undefined;
	if (bad.length === 1 || !(first.problem instanceof InvalidParameter)) {
		return { error: first.problem, itemIndex: first.index };
	}
	const lines = bad.slice(0, SHOWN).map(({ index, problem }) => {
		return `Item ${index}: ${problem instanceof Error ? problem.message : String(problem)}`;
	});
	const more = bad.length > SHOWN ? [`and ${bad.length - SHOWN} more`] : [];
	const error = new NotPlaced(
		`${bad.length} of ${checked.length} items cannot be called`,
		['Nothing was sent for any item', ...lines, ...more].join('. '),
	);
	return { error, itemIndex: first.index };
}
