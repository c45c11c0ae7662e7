import type { IDataObject } from 'n8n-workflow';

import { runsAsTool } from '../../../shared/fields/runsAsTool';
import { runExclusive } from '../memory/runExclusive';
import type { Placement } from '../output/callRow';
import { callsOf, type CallItem } from '../plan/planItems';
import type { PlannedCall } from '../plan/plannedCall';
import type { CallRun } from './callRun';
import { noteAhead } from './noteAhead';
import { inParallel } from './pacing';
import { placeCall } from './placeCall';

/**
 * Places the planned calls, and gives each item its row or its problem.
 *
 * @returns the item that failed first; the run stopped there, unless the node continues on errors
 */
export async function placeItems(
	run: CallRun,
	items: readonly CallItem[],
): Promise<CallItem | undefined> {
	const started = new Set<Promise<void>>();
	let failed: CallItem | undefined;
	const isStopped = () => run.stops && failed !== undefined;
	const jobs = noteAhead(run, items, isStopped);
	await inParallel(jobs, run.speed.parallel, async ({ item, noted }) => {
		started.add(noted);
		if (isStopped()) return;
		await placeItem(run, item, noted);
		if ('problem' in item) failed ??= item;
	});
	await Promise.allSettled(started);
	await run.registry.close();
	await run.rules.close(callsOf(items));
	warnOfProblem(run);
	return failed;
}

async function placeItem(run: CallRun, item: CallItem, noted: Promise<void>): Promise<void> {
	const { call } = item;
	if (call === undefined) return;
	try {
		// A call that an earlier try placed is no longer a dry run.
		if (call.rules.dryRun && run.registry.recall(call) === undefined) {
			item.row = await rehearse(run, call);
			return;
		}
		await noted;
		item.row = await placeOnce(run, call);
	} catch (problem) {
		item.problem = problem;
	} finally {
		await run.rules.close([call]);
	}
}

/** What would happen to a call now: the row of an earlier call, or the request that would be sent. */
async function rehearse(run: CallRun, call: PlannedCall): Promise<IDataObject> {
	return await runExclusive(call.known.line, async () => {
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

function warnOfProblem({ registry, context }: CallRun): void {
	if (registry.problem === undefined) return;
	const message = `These calls could not be noted in n8n's database (${registry.problem}), so the node can't tell if another execution places the same call at the same moment. Saving the workflow usually fixes this.`;
	context.addExecutionHints?.({ message, type: 'warning', location: 'outputPane' });
}
