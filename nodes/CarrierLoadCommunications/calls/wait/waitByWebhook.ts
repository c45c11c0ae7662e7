import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import type { ShapeRow } from '../../fields/output';
import { runsAsTool } from '../../../shared/fields/runsAsTool';
import type { ServiceClient } from '../../../shared/service/client';
import type { Metadata } from '../../../shared/service/contract/call';
import { digest } from '../memory/callMemo';
import { CALL_FIELDS, hasEnded } from '../output/callRow';
import { lineageOf, resumeUrlOf, runIndexOf } from '../memory/execution';
import { RESUME_URL_KEY } from '../fields/metadata';
import { lookForOutcomes, withOutcome } from './waitByPolling';
import { pickFields, readWaiting, WAIT_ID_QUERY, type Waiting } from './waiting';

/**
 * The moment until which an execution rests.
 *
 * When the time of a wait is up, n8n (n8n-core 2.41: `handleWaitingState`) switches the waiting node
 * off and passes its input on: the node could not look whether its call has ended. n8n does so only
 * if the moment is in the stored data of the run, beside the column by which it finds the execution
 * again. This one leaves itself out of stored data, so that n8n runs the node again. Where n8n
 * stores it all the same, the item goes on as it was prepared, with `timedOut: true`.
 */
class RunNodeAgainAt extends Date {
	override toJSON(): string {
		return '';
	}
}

/** The metadata with the address at which this execution goes on. @throws InvalidParameter if the key is taken */
export function withResumeUrl(
	context: IExecuteFunctions,
	itemIndex: number,
	metadata: Metadata,
): Metadata {
	if (Object.hasOwn(metadata, RESUME_URL_KEY)) {
		const problem = `has the key "${RESUME_URL_KEY}", which this node needs to wait for the event`;
		throw new InvalidParameter('Metadata', problem);
	}
	const url = new URL(resumeUrlOf(context));
	url.searchParams.set(WAIT_ID_QUERY, waitIdOf(context, itemIndex));
	return { ...metadata, [RESUME_URL_KEY]: url.toString() };
}

/** @throws InvalidParameter where an execution cannot rest: several items, or an agent's tool */
export function checkCanRest(context: IExecuteFunctions, items: number): void {
	if (runsAsTool(context)) {
		const problem =
			'cannot be a webhook event when an AI agent uses the node as its tool; let it look in the call list';
		throw new InvalidParameter('Wait for Outcome', problem);
	}
	if (items <= 1) return;
	throw new InvalidParameter(
		'Wait for Outcome',
		`by webhook is for one item at a time, but there are ${items} items. Put a Loop Over Items node with a batch size of 1 before this node, or wait until the call list shows the outcome`,
	);
}

/**
 * Puts the execution to rest until the event about the call arrives or the time is up, and frees
 * its worker. A call that has ended meanwhile is not waited for.
 *
 * @param limit how long to wait, as Unix milliseconds of its end
 */
export async function restUntilEvent(
	context: IExecuteFunctions,
	client: ServiceClient,
	row: IDataObject,
	limit: number,
	shape: ShapeRow,
): Promise<INodeExecutionData[]> {
	const { ended } = await lookForOutcomes(client, [row]);
	const looked = withOutcome(row, ended);
	if (hasEnded(looked)) return [{ json: shape(looked), pairedItem: { item: 0 } }];

	const entry = context.getExecuteData();
	const prepared = { json: shape(looked), pairedItem: { item: 0 } };
	const waiting: Waiting = {
		waitId: waitIdOf(context, 0),
		runIndex: runIndexOf(context),
		row,
		fields: shownFields(shape),
		prepared: prepared.json,
	};
	context.getContext('node').waiting = waiting;
	entry.data.main = [[prepared]];
	entry.runIndex = waiting.runIndex;
	context.setMetadata({ resumeUrl: resumeUrlOf(context) });
	await context.putExecutionToWait(new RunNodeAgainAt(limit));
	return [prepared];
}

/**
 * The output when the node runs because the time of its wait is up: the call, after a last look in
 * the list. Undefined when this run is none of a wait. Never dials.
 *
 * @param connectClient only called when there is something to look for
 */
export async function endOfWait(
	context: IExecuteFunctions,
	connectClient: () => Promise<ServiceClient>,
): Promise<INodeExecutionData[] | undefined> {
	const waiting = readWaiting(context.getContext('node').waiting);
	if (!waiting) return undefined;
	const input = context.getInputData()[0]?.json;
	const isItsRun = runIndexOf(context) === waiting.runIndex;
	// n8n before 2.41 counts the run anew; then the input is the item that was prepared.
	if (!isItsRun && digest(input) !== digest(waiting.prepared)) return undefined;
	const row = await lastLook(waiting.row, connectClient);
	return [{ json: pickFields(row, waiting.fields), pairedItem: { item: 0 } }];
}

async function lastLook(row: IDataObject, connectClient: () => Promise<ServiceClient>) {
	try {
		const { ended } = await lookForOutcomes(await connectClient(), [row]);
		return withOutcome(row, ended);
	} catch {
		// The call was placed: that its outcome cannot be looked up is no failure of the item.
		return { ...row, timedOut: true };
	}
}

function waitIdOf(context: IExecuteFunctions, itemIndex: number): string {
	return digest(['wait', lineageOf(context), runIndexOf(context), itemIndex]);
}

function shownFields(shape: ShapeRow): string[] {
	const names = [...CALL_FIELDS.simplified, ...CALL_FIELDS.more];
	return Object.keys(shape(Object.fromEntries(names.map((name) => [name, '']))));
}
