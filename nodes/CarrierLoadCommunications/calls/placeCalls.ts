import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failedItem } from '../../shared/errors/itemError';
import { Parameters } from '../../shared/fields/parameters';
import { runsAsTool } from '../../shared/fields/runsAsTool';
import { cancelSignal } from '../../shared/service/http/cancellation';
import { connect, type ServiceClient } from '../../shared/service/client';
import { callError } from './output/callErrors';
import { CallJournal } from './memory/callJournal';
import { CallMemo } from './memory/callMemo';
import { readPlacingSettings, type PlacingSettings } from './fields/callOptions';
import { putOut, readShape, type Outcome } from './output/callOutput';
import type { CallOutcome } from './output/callRow';
import { check, checkFailure, type Checked } from './plan/checkItems';
import { inParallel, Pace } from './dial/pacing';
import { placeCall } from './dial/placeCall';
import { nameKind, type ItemCall, type Placing } from './dial/placement';
import { planCall, type CallRequests } from './plan/planCall';
import { checkCanWait } from './wait/waitByWebhook';
import { waitFields, type WaitSettings } from './fields/wait';

/** A run of the node: its settings, and a way to read each item. */
interface Run {
	context: IExecuteFunctions;
	settings: PlacingSettings;
	wait: WaitSettings;
	action: string;
	checkItem(itemIndex: number): Checked;
}

/**
 * Places one call for each item, as an operation says, and waits for the outcomes if asked to.
 *
 * @returns an item for each input item, in their order
 * @throws the error of the first failed item, unless the node is set to continue
 */
export async function placeCalls<Values extends object>(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	requests: CallRequests<Values>,
): Promise<INodeExecutionData[]> {
	const action = nameKind(requests.kind);
	try {
		const run = startRun(context, items.length, requests);
		const client = await connect(context, { timeoutMs: run.settings.timeoutMs });
		const outcomes = await placeAll(run, client, items.length);
		return await putOut(context, client, run.wait, outcomes);
	} catch (error) {
		const shown = callError(context, error, { itemIndex: 0, action });
		// n8n-core 2.41 passes the input on as if all were well when a node that is to continue throws.
		if (!context.continueOnFail()) throw shown;
		return items.map((_item, itemIndex) => failedItem(shown, itemIndex));
	}
}

function startRun<Values extends object>(
	context: IExecuteFunctions,
	items: number,
	requests: CallRequests<Values>,
): Run {
	const parameters = new Parameters(context, 0);
	const wait = waitFields(requests.takesMetadata).read(parameters).wait;
	if (wait.mode === 'webhook') checkCanWait(context, items);
	return {
		context,
		settings: readPlacingSettings(parameters),
		wait,
		action: nameKind(requests.kind),
		checkItem: (itemIndex) =>
			check(() => {
				const fields = new Parameters(context, itemIndex);
				readShape(context, itemIndex);
				return planCall(context, fields, requests, wait);
			}),
	};
}

async function placeAll(run: Run, client: ServiceClient, items: number): Promise<Outcome[]> {
	const { context, settings } = run;
	const indexes = Array.from({ length: items }, (_, itemIndex) => itemIndex);
	const checked = settings.checkAllFirst ? indexes.map(run.checkItem) : [];
	const failure = context.continueOnFail() ? undefined : checkFailure(checked);
	if (failure) {
		throw callError(context, failure.error, { ...failure, action: run.action });
	}
	const signal = cancelSignal(context);
	const placing: Placing = {
		...{ context, client, settings, signal },
		memo: new CallMemo(context),
		journal: new CallJournal(context),
		pace: new Pace(settings.perMinute, signal),
	};
	const outcomes: Outcome[] = [];
	await inParallel(indexes, settings.parallel, async (itemIndex) => {
		const read = checked[itemIndex] ?? run.checkItem(itemIndex);
		outcomes[itemIndex] = await placeOne(run, placing, read, itemIndex);
	});
	return outcomes;
}

async function placeOne(
	run: Run,
	placing: Placing,
	read: Checked,
	itemIndex: number,
): Promise<Outcome> {
	try {
		if ('problem' in read) throw read.problem;
		return { row: await placeOnce(run, placing, read.item) };
	} catch (problem) {
		const error = callError(run.context, problem, { itemIndex, action: run.action });
		if (!run.context.continueOnFail()) throw error;
		return { error };
	}
}

/** An agent's model asks anew, where a workflow only tries again: it must see that no phone rang. */
async function placeOnce({ context }: Run, placing: Placing, item: ItemCall): Promise<IDataObject> {
	const again = runsAsTool(context) && placing.memo.recall(item.key)?.state === 'done';
	const row = await placeCall(placing, item);
	return again ? { ...row, outcome: 'skippedDuplicate' satisfies CallOutcome } : row;
}
