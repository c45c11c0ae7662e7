import { callsOf, type CallItem } from '../plan/planItems';
import type { PlannedCall } from '../plan/plannedCall';
import type { CallRun } from './callRun';
import { firstBatch, batchOf } from './earlyNotes';

/** How much larger batches become while dialing has to wait for notes. */
const GROWTH = 4;

/**
 * Notes the items' calls in batches, each while the one before it is dialed. An item must not be
 * dialed before its `noted` is fulfilled.
 *
 * @param isStopped whether no further batch is needed
 */
export function* noteAhead(
	run: CallRun,
	items: readonly CallItem[],
	isStopped: () => boolean,
): Generator<{ item: CallItem; noted: Promise<void> }> {
	const left = [...items];
	// A dry run's item would find the slots taken that later calls of its run need.
	const isCounted = !callsOf(items).some(({ rules }) => rules.dryRun);
	let size = firstBatch(run.speed);
	let next = startNoting(run, left.splice(0, size), isCounted);
	while (next.batch.length > 0) {
		const { batch, noted, isNoted } = next;
		if (!isNoted) size = batchOf(size * GROWTH, run.speed);
		next = startNoting(run, isStopped() ? [] : left.splice(0, size), isCounted);
		for (const item of batch) yield { item, noted };
	}
}

function startNoting(run: CallRun, batch: CallItem[], isCounted: boolean) {
	const calls = callsOf(batch).filter((call) => !call.rules.dryRun);
	const started = { batch, noted: note(run, calls, isCounted), isNoted: false };
	const onEnd = () => {
		started.isNoted = true;
	};
	started.noted.then(onEnd, onEnd);
	return started;
}

async function note(
	{ registry, rules, early }: CallRun,
	calls: PlannedCall[],
	isCounted: boolean,
): Promise<void> {
	const open = isCounted ? calls.filter((call) => registry.recall(call) === undefined) : [];
	const reserved = rules.reserve(open);
	try {
		await early.written();
		await registry.note(calls);
	} finally {
		await reserved;
	}
}
