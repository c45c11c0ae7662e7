import type { CallRegistry } from '../memory/callRegistry';
import { ringOf } from '../memory/knownCalls';
import type { RunCall } from '../output/runSummary';
import type { Plan } from '../plan/planItems';
import { describeCall, type PlannedCall } from '../plan/plannedCall';

/**
 * What happened to all calls that a run requested, in this try and earlier ones, whose items may
 * have been different.
 *
 * @param isOpen whether the run stopped before an item; all items by default
 */
export function runCalls(
	registry: CallRegistry,
	plans: readonly Plan[],
	isOpen: (itemIndex: number) => boolean = () => true,
): RunCall[] {
	const calls = callsOf(plans);
	const own = calls.map((call) => ({
		...{ what: describeCall(call), itemIndex: call.itemIndex, ring: registry.ringOf(call) },
		...{ callId: registry.recall(call)?.row?.callId, isOpen: isOpen(call.itemIndex) },
	}));
	return [...own, ...orphanCalls(registry, plans)];
}

/** Calls of earlier tries that match no item: an item without a call may have had one of them. */
export function orphanCalls(registry: CallRegistry, plans: readonly Plan[]): RunCall[] {
	const earlier = registry.earlierCalls(callsOf(plans));
	return earlier.map((call) => ({
		...{ ...call, ring: ringOf(call), callId: call.row?.callId, isOpen: false },
	}));
}

/** The calls among the plans. */
export function callsOf(plans: readonly Plan[]): PlannedCall[] {
	return plans.flatMap((plan) => ('call' in plan ? [plan.call] : []));
}
