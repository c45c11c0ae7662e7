import type { Plan } from '../plan/planItems';
import type { CallRun } from './callRun';
import { callsOf } from './runCalls';

/** How many calls are noted together first, for each one placed in parallel. */
const NOTED_FIRST = 4;

/** How much larger batches become while dialing has to wait for notes. */
const GROWTH = 4;

/** With a limit per minute, how long before their turn calls are noted at most. */
const AHEAD_MINUTES = 0.5;

/** Items whose calls are noted together. */
interface Batch<Item> {
	batch: Item[];
	/** Each item of the batch waits for it, and fails with it. */
	noted: Promise<void>;
}

/**
 * Notes the items' calls in batches, each while the one before it is dialed.
 *
 * @param isStopped whether no further batch is needed
 */
export function* noteAhead<Item extends { plan: Plan }>(
	run: CallRun,
	items: readonly Item[],
	{ parallel, perMinute }: { parallel: number; perMinute: number | undefined },
	isStopped: () => boolean,
): Generator<Batch<Item>> {
	const left = [...items];
	const most = perMinute === undefined ? Infinity : Math.ceil(perMinute * AHEAD_MINUTES);
	let size = NOTED_FIRST * parallel;
	let next = startNoting(run, left.splice(0, Math.min(size, most)));
	while (next.batch.length > 0) {
		const current = next;
		if (!current.isNoted) size *= GROWTH;
		next = startNoting(run, isStopped() ? [] : left.splice(0, Math.min(size, most)));
		yield current;
	}
}

function startNoting<Item extends { plan: Plan }>({ registry, rules }: CallRun, batch: Item[]) {
	const calls = callsOf(batch.map(({ plan }) => plan)).filter((call) => !call.rules.dryRun);
	const open = calls.filter((call) => registry.recall(call) === undefined);
	const reserved = rules.reserve(open);
	const noted = registry.note(calls).finally(async () => await reserved);
	const started = { batch, noted, isNoted: false };
	const onEnd = () => {
		started.isNoted = true;
	};
	noted.then(onEnd, onEnd);
	return started;
}
