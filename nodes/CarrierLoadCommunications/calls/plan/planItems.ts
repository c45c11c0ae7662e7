import { sleep, type IDataObject } from 'n8n-workflow';

import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import { NotPlaced } from '../output/callErrors';
import type { PlannedCall } from './plannedCall';

const MAX_SHOWN = 10;

/** How often n8n's other work gets a turn. */
const YIELD_AFTER_MS = 25;

/**
 * How many items' expressions are evaluated before those items are checked: n8n 2.41 evaluates each in
 * an isolate, and changing to it and back for each item made checking slower (bench/README.md).
 */
const BATCH = 20;

/** A checked item: its call, its row if a rule skips the call, or why it can't be called. */
export type Plan = { call: PlannedCall } | { row: IDataObject } | { problem: unknown };

/**
 * Checks all items in order before the first call is placed.
 *
 * @param prepare evaluates an item's expressions; must not throw
 */
export async function planItems<Prepared>(
	count: number,
	prepare: (itemIndex: number) => Prepared,
	plan: (prepared: Prepared) => Promise<Plan>,
): Promise<Plan[]> {
	const plans: Plan[] = [];
	let yieldAt = Date.now() + YIELD_AFTER_MS;
	for (let next = 0; next < count; ) {
		const batch = [];
		do batch.push(prepare(next++));
		while (next < count && batch.length < BATCH && Date.now() < yieldAt + YIELD_AFTER_MS);
		for (const prepared of batch) plans.push(await planOne(async () => await plan(prepared)));
		if (Date.now() < yieldAt) continue;
		await sleep(0);
		yieldAt = Date.now() + YIELD_AFTER_MS;
	}
	return plans;
}

async function planOne(plan: () => Promise<Plan>): Promise<Plan> {
	try {
		return await plan();
	} catch (problem) {
		return { problem };
	}
}

/**
 * One error for all items that can't be called; undefined if all can.
 *
 * @returns also the first such item's index
 */
export function planFailure(
	plans: readonly Plan[],
): { error: unknown; itemIndex: number } | undefined {
	const bad = plans.flatMap((plan, index) => ('problem' in plan ? [{ ...plan, index }] : []));
	const [first] = bad;
	if (first === undefined) return undefined;
	if (bad.length === 1 || !(first.problem instanceof InvalidParameter)) {
		return { error: first.problem, itemIndex: first.index };
	}
	const lines = bad.slice(0, MAX_SHOWN).map(({ index, problem }) => {
		return `Item ${index}: ${problem instanceof Error ? problem.message : String(problem)}`;
	});
	const more = bad.length > MAX_SHOWN ? [`and ${bad.length - MAX_SHOWN} more`] : [];
	const error = new NotPlaced(
		`${bad.length} of ${plans.length} items cannot be called`,
		[...lines, ...more].join('. '),
	);
	return { error, itemIndex: first.index };
}
