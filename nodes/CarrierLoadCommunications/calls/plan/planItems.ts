import { sleep, type IDataObject } from 'n8n-workflow';

import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import type { Parameters } from '../../../shared/fields/parameters';
import type { Output } from '../../fields/output';
import { CallProblem } from '../output/callErrors';
import type { PlannedCall } from './plannedCall';

const MAX_SHOWN = 10;

/** How often n8n's other work gets a turn. */
const YIELD_AFTER_MS = 25;

/** n8n 2.41 evaluates expressions in an isolate: entering it for each item is slow (bench/README.md). */
const BATCH = 20;

/** An input item on its way to its output. Its row or its problem is its result. */
export interface CallItem {
	itemIndex: number;
	/** Left out if a rule skips it or it can't be placed. */
	call?: PlannedCall;
	/** Left out only if it can't be placed. */
	output?: Output;
	row?: IDataObject;
	problem?: unknown;
}

/** The calls of the items that have one. */
export function callsOf(items: readonly CallItem[]): PlannedCall[] {
	return items.flatMap(({ call }) => call ?? []);
}

/** Checks all items in order. @param prepare evaluates an item's expressions; must not throw */
export async function planItems(
	count: number,
	prepare: (itemIndex: number) => Parameters,
	plan: (parameters: Parameters) => Omit<CallItem, 'itemIndex'>,
): Promise<CallItem[]> {
	const items: CallItem[] = [];
	let yieldAt = Date.now() + YIELD_AFTER_MS;
	for (let next = 0; next < count; ) {
		const batch = [];
		do batch.push(prepare(next++));
		while (next < count && batch.length < BATCH && Date.now() < yieldAt + YIELD_AFTER_MS);
		for (const parameters of batch) {
			const { itemIndex } = parameters;
			try {
				items.push({ itemIndex, ...plan(parameters) });
			} catch (problem) {
				items.push({ itemIndex, problem });
			}
		}
		if (Date.now() < yieldAt) continue;
		await sleep(0);
		yieldAt = Date.now() + YIELD_AFTER_MS;
	}
	return items;
}

/** One failed item for all that can't be called, at the first one's place; undefined if all can. */
export function planFailure(items: readonly CallItem[]): CallItem | undefined {
	const bad = items.filter((item) => 'problem' in item);
	const [first] = bad;
	if (bad.length <= 1 || !(first?.problem instanceof InvalidParameter)) return first;
	const lines = bad.slice(0, MAX_SHOWN).map(({ itemIndex, problem }) => {
		return `Item ${itemIndex}: ${problem instanceof Error ? problem.message : String(problem)}`;
	});
	const more = bad.length > MAX_SHOWN ? [`and ${bad.length - MAX_SHOWN} more`] : [];
	const problem = new CallProblem(
		`${bad.length} of ${items.length} items cannot be called`,
		[...lines, ...more].join('. '),
	);
	return { ...first, problem };
}
