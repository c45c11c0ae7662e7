import type { IDataObject } from 'n8n-workflow';

import { runsAsTool } from '../../../shared/fields/runsAsTool';
import { runExclusive } from '../memory/runExclusive';
import { callError } from '../output/callErrors';
import type { Outcome } from '../output/callOutput';
import type { Placement } from '../output/callRow';
import type { RunCall } from '../output/runSummary';
import type { Plan } from '../plan/planItems';
import type { PlannedCall } from '../plan/plannedCall';
import type { CallRun } from './callRun';
import { inParallel } from './pacing';
import { placeCall } from './placeCall';
import { callsOf, orphanCalls, runCalls } from './runCalls';

/** How many calls are noted together first, for each one placed at the same time. */
const NOTED_FIRST = 4;

/** So many times more are noted together while the calls before them don't last until they are. */
const GROWTH = 4;

/** With a limit per minute, calls are noted this long before their turn at most. */
const AHEAD_MINUTES = 0.5;

export interface RunSettings {
	/** "The check call", for errors. */
	action: string;
	parallel: number;
	/** Calls per minute; undefined for no limit. */
	perMinute: number | undefined;
}

/** One item's plan, and what came of it. */
interface Item {
	plan: Plan;
	itemIndex: number;
	result?: { row: IDataObject } | { problem: unknown };
}

/** Items whose calls are noted together. */
interface Batch {
	items: Item[];
	noted: Promise<unknown>;
	isNoted: boolean;
}

/**
 * Places the planned calls, batch by batch; each is noted while the one before it is dialed.
 *
 * @returns what came of each item, in their order
 * @throws the error of the first failed item, unless the node is set to continue; it says what became
 * of the other calls
 */
export async function placeRun(
	run: CallRun,
	plans: readonly Plan[],
	settings: RunSettings,
): Promise<Outcome[]> {
	const stops = !run.context.continueOnFail();
	const items = plans.map((plan, itemIndex): Item => ({ plan, itemIndex }));
	const most = mostNoted(settings);
	const left = [...items];
	let failed: Item | undefined;
	let size = NOTED_FIRST * settings.parallel;
	let next = startNoting(run, left.splice(0, Math.min(size, most)));
	while (next.items.length > 0) {
		const batch = next;
		if (!batch.isNoted) size *= GROWTH;
		next = startNoting(run, failed ? [] : left.splice(0, Math.min(size, most)));
		await inParallel(batch.items, settings.parallel, async (item) => {
			if (failed) return;
			item.result = await placeItem(run, item.plan, batch.noted);
			if (stops && 'problem' in item.result) failed ??= item;
		});
		await batch.noted.catch(() => {});
	}
	await run.registry.close();
	await run.rules.close(callsOf(plans));
	warnOfProblem(run);
	if (failed) {
		const isOpen = (itemIndex: number) => items[itemIndex]?.result === undefined;
		throw errorOf(run, failed, settings, runCalls(run.registry, plans, isOpen));
	}
	const orphans = orphanCalls(run.registry, plans);
	return items.map((item) => outcomeOf(run, item, settings, orphans));
}

async function placeItem(run: CallRun, plan: Plan, noted: Promise<unknown>) {
	try {
		if (!('call' in plan)) return plan;
		if (isRehearsed(run, plan.call)) return { row: await rehearse(run, plan.call) };
		await noted;
		return { row: await placeOnce(run, plan.call) };
	} catch (problem) {
		return { problem };
	} finally {
		await run.rules.close(callsOf([plan]));
	}
}

/** A call that an earlier try has placed is no dry run any more. */
function isRehearsed({ registry }: CallRun, call: PlannedCall): boolean {
	return call.rules.dryRun && registry.recall(call) === undefined;
}

/** What would become of a call now: the row of an earlier one, or the request that would be sent. */
async function rehearse(run: CallRun, call: PlannedCall): Promise<IDataObject> {
	return await runExclusive(run.registry.lineOf(call), async () => {
		return (await run.guard.findLast(call, 0)) ?? (await run.rules.rehearse(call));
	});
}

/** An agent's model asks anew, where a workflow only tries again: it must see that no phone rang. */
async function placeOnce(run: CallRun, call: PlannedCall): Promise<IDataObject> {
	const isRepeat = runsAsTool(run.context) && run.registry.ringOf(call) === 'yes';
	const row = await placeCall(run, call);
	if (!isRepeat) return row;
	const placement: Placement = 'skippedDuplicate';
	return {
		...row,
		placement,
		placementReason: 'The AI agent already made this call in this turn.',
	};
}

function startNoting({ registry, rules }: CallRun, items: Item[]): Batch {
	const planned = items.flatMap(({ plan }) => ('call' in plan ? [plan.call] : []));
	const calls = planned.filter((call) => !call.rules.dryRun);
	const open = calls.filter((call) => registry.recall(call) === undefined);
	const noted = Promise.all([registry.note(calls), rules.reserve(open)]);
	const batch = { items, noted, isNoted: false };
	const onEnd = () => {
		batch.isNoted = true;
	};
	// Each item of the batch waits for it and fails with it.
	noted.then(onEnd, onEnd);
	return batch;
}

function mostNoted({ perMinute }: RunSettings): number {
	return perMinute === undefined ? Infinity : Math.ceil(perMinute * AHEAD_MINUTES);
}

function outcomeOf(
	run: CallRun,
	item: Item,
	settings: RunSettings,
	orphans: readonly RunCall[],
): Outcome {
	const { plan, result } = item;
	if (result && 'row' in result) return result;
	return { error: errorOf(run, item, settings, 'call' in plan ? [] : orphans) };
}

/** @param calls what the error must account for beside the item's own call */
function errorOf(run: CallRun, item: Item, { action }: RunSettings, calls: readonly RunCall[]) {
	const { registry, context } = run;
	const { plan, itemIndex, result } = item;
	const problem = result && 'problem' in result ? result.problem : undefined;
	const ring = 'call' in plan ? registry.ringOf(plan.call) : 'no';
	return callError(context, problem, { itemIndex, action, ring, calls });
}

function warnOfProblem({ registry, context }: CallRun): void {
	if (registry.problem === undefined) return;
	const message = `These calls could not be noted in n8n's database (${registry.problem}), so the same call by another execution at the same moment isn't noticed. Saving the workflow usually fixes this.`;
	context.addExecutionHints?.({ message, type: 'warning', location: 'outputPane' });
}
