import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { hasEnded } from '../../../shared/events/callStage';
import { RESUME_URL_KEY, WAIT_ID_QUERY } from '../../../shared/events/resumeUrl';
import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import { isLevel, type Output } from '../../fields/output';
import { runsAsTool } from '../../../shared/fields/runsAsTool';
import type { Metadata } from '../../../shared/service/contract';
import { isJsonObject } from '../../../shared/service/http/json';
import { digest } from '../memory/digest';
import { lineageOf, resumeUrlOf, runIndexOf } from '../memory/execution';
import { lookUpCall } from './callList';

/** What a waiting node leaves in the run's data for the event that ends its wait. */
export interface Waiting extends Pick<Output, 'level' | 'selected'> {
	/** Identifies one wait of an execution: an event about an earlier call may come late. */
	waitId: string;
	row: IDataObject;
}

/** What `waitByWebhook` left; undefined for any other value. */
export function readWaiting(value: unknown): Waiting | undefined {
	if (!isJsonObject(value)) return undefined;
	const { waitId, row, level, selected } = value;
	if (!isJsonObject(row) || !isLevel(level) || !Array.isArray(selected)) return undefined;
	return { waitId: String(waitId), row, level, selected: selected.map(String) };
}

/** Adds the URL that resumes this execution. @throws InvalidParameter if the key is taken */
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

/** @throws InvalidParameter for several items, or an AI agent's tool */
export function checkCanWait(context: IExecuteFunctions, items: number): void {
	if (runsAsTool(context)) {
		const problem =
			'cannot be a webhook event when an AI agent uses the node as a tool. Choose Until the Call List Shows It';
		throw new InvalidParameter('Wait for Outcome', problem);
	}
	if (items <= 1) return;
	throw new InvalidParameter(
		'Wait for Outcome',
		`by webhook works for one item at a time, but there are ${items} items. Put a Loop Over Items node with a batch size of 1 before this node, or wait until the call list shows the outcome`,
	);
}

/**
 * Pauses the execution until the event about the call arrives or the time is up. Does not wait for
 * a call that has already ended, or whose event can't come here.
 *
 * @param expectsEvent whether the event about the call comes to this execution
 * @param limit the end of the wait, in Unix milliseconds
 */
export async function waitByWebhook(
	context: IExecuteFunctions,
	row: IDataObject,
	expectsEvent: boolean,
	limit: number,
	{ level, selected, shape }: Output,
): Promise<INodeExecutionData[]> {
	const current = await lookUpCall(context, row);
	const items = (json: IDataObject) => [{ json: shape(json), pairedItem: { item: 0 } }];
	if (hasEnded(current)) return items(current);
	if (!expectsEvent) return items({ ...current, timedOut: false, ...reasonFor(row) });

	const waiting: Waiting = { waitId: waitIdOf(context, 0), row, level, selected };
	context.getContext('node').waiting = waiting;
	// When the time is up, n8n disables the waiting node and passes its input on (n8n-core 2.41:
	// handleWaitingState): so this becomes its input. Not the returned list, which n8n-core empties if
	// the node has an error output (handleNodeErrorOutput).
	context.getExecuteData().data.main = [items(current)];
	context.setMetadata({ resumeUrl: resumeUrlOf(context) });
	await context.putExecutionToWait(new Date(limit));
	return items(current);
}

function reasonFor({ placementReason }: IDataObject): IDataObject {
	const reason =
		'This item did not wait: the event about the earlier call goes to the execution that placed it, and the call list shows no outcome yet.';
	return { placementReason: placementReason ? `${String(placementReason)} ${reason}` : reason };
}

function waitIdOf(context: IExecuteFunctions, itemIndex: number): string {
	return digest(['wait', lineageOf(context), runIndexOf(context), itemIndex]);
}
