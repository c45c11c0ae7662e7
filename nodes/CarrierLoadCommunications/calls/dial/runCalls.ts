import type { CallRegistry } from '../memory/callRegistry';
import type { RunCall } from '../output/runSummary';
import type { Plan } from '../plan/planItems';
import type { PlannedCall } from '../plan/plannedCall';

/**
 * What became of all calls that a run of the node requested, in this try and in earlier ones: the
 * items may be others by now.
 *
 * @param isOpen whether the run stopped before it came to an item; all, if left out
 */
export function runCalls(
	registry: CallRegistry,
	plans: readonly Plan[],
	isOpen: (itemIndex: number) => boolean = () => true,
): RunCall[] {
	const calls = callsOf(plans);
	const own = calls.map((call) => registry.runCall(call, isOpen(call.itemIndex)));
	return [...own, ...registry.earlierCalls(calls)];
}

/** Calls of earlier tries that no item has: one that has no call now may have had one of them. */
export function orphanCalls(registry: CallRegistry, plans: readonly Plan[]): RunCall[] {
	return registry.earlierCalls(callsOf(plans));
}

/** The calls among the plans. */
export function callsOf(plans: readonly Plan[]): PlannedCall[] {
	return plans.flatMap((plan) => ('call' in plan ? [plan.call] : []));
}
