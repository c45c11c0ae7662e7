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
import type { DialingSpeed } from './earlyNotes';
import { noteAhead } from './noteAhead';
import { inParallel } from './pacing';
import { placeCall } from './placeCall';
import { callsOf, orphanCalls, runCalls } from './runCalls';

export interface RunSettings extends DialingSpeed {
	/** "The check call", for errors. */
	action: string;
}

/** An item's plan and its result. */
interface Item {
	plan: Plan;
	itemIndex: number;
	result?: { row: IDataObject; expectsEvent?: boolean } | { problem: unknown };
}

/**
 * Places the planned calls.
 *
 * @returns the result of each item, in their order
 * @throws the error of the first failed item, unless the node continues on errors; it says what
 * happened to the other calls
 */
export async function placeRun(
	run: CallRun,
	plans: readonly Plan[],
	settings: RunSettings,
): Promise<Outcome[]> {
	const stops = !run.context.continueOnFail();
	const items = plans.map((plan, itemIndex): Item => ({ plan, itemIndex }));
	const started = new Set<Promise<void>>();
	let failed: Item | undefined;
	const jobs = noteAhead(run, items, settings, () => failed !== undefined);
	await inParallel(jobs, settings.parallel, async ({ item, noted }) => {
		started.add(noted);
		if (failed) return;
		item.result = await placeItem(run, item.plan, noted);
		if (stops && 'problem' in item.result) failed ??= item;
	});
	await Promise.allSettled(started);
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

async function placeItem(run: CallRun, plan: Plan, noted: Promise<void>) {
	try {
		if (!('call' in plan)) return plan;
		if (isRehearsed(run, plan.call)) return { row: await rehearse(run, plan.call) };
		await noted;
		const row = await placeOnce(run, plan.call);
		return { row, expectsEvent: run.registry.expectsEvent(plan.call) };
	} catch (problem) {
		return { problem };
	} finally {
		await run.rules.close(callsOf([plan]));
	}
}

/** A call that an earlier try placed is no longer a dry run. */
function isRehearsed({ registry }: CallRun, call: PlannedCall): boolean {
	return call.rules.dryRun && registry.recall(call) === undefined;
}

/** What would happen to a call now: the row of an earlier call, or the request that would be sent. */
async function rehearse(run: CallRun, call: PlannedCall): Promise<IDataObject> {
	return await runExclusive(run.registry.lineOf(call), async () => {
		return (await run.guard.findLast(call, 0)) ?? (await run.rules.rehearse(call));
	});
}

/** An agent's model doesn't retry but requests a new call, so it must be told that no phone rang. */
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

/** @param calls calls besides the item's own that the error must list */
function errorOf(run: CallRun, item: Item, { action }: RunSettings, calls: readonly RunCall[]) {
	const { registry, context } = run;
	const { plan, itemIndex, result } = item;
	const problem = result && 'problem' in result ? result.problem : undefined;
	const ring = 'call' in plan ? registry.ringOf(plan.call) : 'no';
	return callError(context, problem, { itemIndex, action, ring, calls });
}

function warnOfProblem({ registry, context }: CallRun): void {
	if (registry.problem === undefined) return;
	const message = `These calls could not be noted in n8n's database (${registry.problem}), so the node can't tell if another execution places the same call at the same moment. Saving the workflow usually fixes this.`;
	context.addExecutionHints?.({ message, type: 'warning', location: 'outputPane' });
}
