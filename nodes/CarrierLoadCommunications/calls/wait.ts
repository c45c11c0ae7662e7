import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { eventParts, firstScalar } from '../../shared/events/event';
import { RESUME_URL_KEY, WAIT_ID_QUERY, withoutResumeUrl } from '../../shared/events/resumeUrl';
import { runsAsTool, showHint } from '../../shared/fields/parameters';
import { InvalidParameter } from '../../shared/fields/invalidParameter';
import {
	hasEnded,
	readOutcome,
	callStage,
	endStatus,
	endWord,
} from '../../shared/outcome/callOutcome';
import { cancelSignal, throwIfStopped } from '../../shared/service/exchange';
import { connect, type ServiceClient } from '../../shared/service/client';
import type { Metadata } from '../../shared/service/contract';
import { isJsonObject, type JsonObject } from '../../shared/service/json';
import { timeOf } from '../../shared/service/record';
import { firstFew } from './callErrors';
import { CLOCK_MARGIN_MS } from './callList';
import { reasonWithEnd } from './duplicate';
import { callIdOf, digest, lineageOf, resumeUrlOf, runIndexOf } from './keys';
import { isCallOfRow, outcomeOf, statusOf } from './listedCall';
import { awaitEnd, Looks, rangeAround } from './looks';
import { isSkipped } from './memory';
import { shapeCall, type CallOutput } from './rows';
import type { WaitSettings } from './settings';

/** What a waiting node leaves in the run's data for the event that ends its wait. */
interface Waiting extends Omit<CallOutput, 'shape'> {
	/** Identifies one wait of an execution: an event about an earlier call may come late. */
	waitId: string;
	row: IDataObject;
}

/** Whether it is what `waitByWebhook` left: the node leaves nothing else there. */
function isWaiting(value: unknown): value is Waiting {
	return isJsonObject(value) && isJsonObject(value.row) && typeof value.waitId === 'string';
}

/** Adds the URL that resumes this execution. @throws InvalidParameter if the key is taken */
export function withResumeUrl(context: IExecuteFunctions, itemIndex: number, metadata: Metadata) {
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
 * Pauses the execution until the event about the call arrives or the time is up (Unix milliseconds).
 * Does not wait for a call that has already ended, or whose event doesn't come here.
 */
export async function waitByWebhook(
	context: IExecuteFunctions,
	row: IDataObject,
	expectsEvent: boolean,
	limit: number,
	{ shape, ...output }: CallOutput,
): Promise<INodeExecutionData[]> {
	// An event about the call may come during the look-up, and is refused until the execution waits.
	const current = (await lookUpCalls(context, [row]))(row);
	const items = (json: IDataObject) => [{ json: shape(json), pairedItem: { item: 0 } }];
	if (hasEnded(current)) return items(current);
	if (!expectsEvent) {
		const placementReason = [row.placementReason, DID_NOT_WAIT].filter(Boolean).join(' ');
		return items({ ...current, timedOut: true, placementReason });
	}
	const waiting: Waiting = { waitId: waitIdOf(context, 0), row, ...output };
	context.getContext('node').waiting = waiting;
	// When the time is up, n8n disables the waiting node and passes its input on (n8n-core 2.41:
	// handleWaitingState): so this becomes its input. Not the returned list, which n8n-core empties if
	// the node has an error output (handleNodeErrorOutput).
	context.getExecuteData().data.main = [items(current)];
	context.setMetadata({ resumeUrl: resumeUrlOf(context) });
	await context.putExecutionToWait(new Date(limit));
	return items(current);
}

const DID_NOT_WAIT =
	'This item did not wait: the event about the earlier call does not come here, and the call list shows no outcome yet.';

function waitIdOf(context: IExecuteFunctions, itemIndex: number): string {
	return digest(['wait', lineageOf(context), runIndexOf(context), itemIndex]);
}

/** Where the trigger node sends the event that ends a wait. */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		path: '',
		isFullPath: true,
		restartWebhook: true,
	},
];

export const WAITING_TOOLTIP =
	'The call was placed. The workflow continues when the trigger node receives the event that ends the call, or when the time is up.';

/** Ends the wait if the event proves that the call has ended. Any other gets 409, and the wait continues. */
export async function resumeWithEvent(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const waiting = waitingOf(context);
	if (!isWaiting(waiting) || Object(context.getQueryData())[WAIT_ID_QUERY] !== waiting.waitId) {
		return refuse(context, 'This execution is not waiting for this call');
	}
	const body: unknown = context.getBodyData();
	for (const event of Array.isArray(body) ? body : [body]) {
		const row = await rowOfEnded(context, waiting.row, event);
		if (row === undefined) continue;
		const json = shapeCall(waiting, context.getTimezone())(row);
		return { workflowData: [[{ json: withoutResumeUrl(json), pairedItem: { item: 0 } }]] };
	}
	return refuse(context, 'The event does not prove that the call has ended');
}

/** The call's row with its outcome; undefined if it hasn't ended, or the event isn't about it. */
async function rowOfEnded(context: IWebhookFunctions, row: IDataObject, event: unknown) {
	const stage = callStage(event);
	if (stage === 'live' || stage === 'other' || isAboutOther(event, row)) return undefined;
	const outcome: IDataObject = { ...readOutcome(event) };
	const isComplete = stage === 'ended' && hasEnded(outcome);
	const current = isComplete ? row : (await lookUpCalls(context, [row]))(row);
	const ended = current.timedOut === false ? current : undefined;
	if (stage === 'unknown' && ended === undefined) return undefined;
	const status = endStatus(event) ?? ended?.status ?? 'COMPLETED';
	return { ...row, ...ended, ...outcome, status, timedOut: false, event: Object(event) };
}

/** An event may name another call, such as one that the service placed with the same metadata. */
function isAboutOther(event: unknown, { callId, conversationId }: IDataObject): boolean {
	const named = String(firstScalar(eventParts(event), ['callId', 'call_id']));
	const own = [callId, conversationId].map(String);
	// IDs that aren't numbers (contract 2.4) belong to the event.
	return /^\d+$/.test(named) && own.some((id) => /^\d+$/.test(id)) && !own.includes(named);
}

/** What the node left in the run's data (n8n-core 2.41: a webhook reads it by expression). */
function waitingOf(context: IWebhookFunctions): unknown {
	// Braces would end the expression.
	const name = JSON.stringify(context.getNode().name)
		.replaceAll('{', '\\u007b')
		.replaceAll('}', '\\u007d');
	const found: unknown = context.evaluateExpression(`{{ $node[${name}].context.waiting }}`);
	return found;
}

function refuse(context: IWebhookFunctions, message: string): IWebhookResponseData {
	context.getResponseObject().status(409).json({ message });
	return { noWebhookResponse: true };
}

/**
 * The rows of calls with what the list shows of their ends. A wait by polling lasts until the list shows
 * how each placed call ended, or the time is up; a hint names those still open. A row that was skipped as the
 * same call gets its outcome, too. That of a call of another run belongs to who placed it: it is looked up
 * once, and without a wait only the reason of the skip names it.
 * @returns the rows in the same order; those that were waited for with `timedOut`
 * @throws ServiceFailure of kind `cancelled` when the user presses Stop
 */
export async function withOutcomes(
	context: IExecuteFunctions,
	client: ServiceClient,
	wait: Exclude<WaitSettings, { mode: 'webhook' }>,
	rows: readonly IDataObject[],
): Promise<IDataObject[]> {
	const looked = await lookUpCalls(context, rows.filter(isSkipped));
	if (wait.mode === 'no') {
		return rows.map((row) => {
			return isSkipped(row) ? { ...row, placementReason: looked(row).placementReason } : row;
		});
	}
	const settings = {
		deadline: Date.now() + wait.limitMs,
		longestPauseMs: wait.intervalMs,
		signal: cancelSignal(context),
	};
	const open: IDataObject[] = [];
	let why: string | undefined;
	const ends = new Map<unknown, Promise<JsonObject | undefined>>();
	const endOf = async (row: IDataObject) => {
		const { listed, problem } = await awaitEnd(client, row, settings);
		if (listed === undefined) open.push(row);
		why ??= problem;
		return listed;
	};
	for (const row of rows) {
		if (!isSkipped(row) && !hasEnded(row)) ends.set(row.callId, endOf(row));
	}
	const results = rows.map(async (row) => {
		const end = ends.get(row.callId);
		if (end === undefined) return isSkipped(row) ? looked(row) : withListed(row, undefined);
		return withListed(row, await end);
	});
	const waited = await Promise.all(results);
	if (open.length > 0) nameOpenCalls(context, open, why);
	return waited;
}

function nameOpenCalls(context: IExecuteFunctions, open: IDataObject[], problem?: string): void {
	const names = open.map(({ callId, toPhone, loadNumber, loadId }) => {
		const load = loadNumber ?? loadId;
		return `${callId} to ${toPhone}${load === undefined ? '' : ` (load ${load})`}`;
	});
	const calls = open.length === 1 ? 'call has' : 'calls have';
	const why = problem === undefined ? '' : `. The call list could not be read: ${problem}`;
	const message = `${open.length} ${calls} no outcome yet: ${firstFew(names, ', ')}${why}`;
	showHint(context, 'warning', message);
}

/** Shorter than the trigger keeps trying to pass on an event: its own sender is waiting too. */
const LOOK_UP_TIMEOUT_MS = 4000;

/** Adds to each of these rows what the list shows of its call now, as far as it can be read quickly. */
async function lookUpCalls(
	context: IExecuteFunctions | IWebhookFunctions,
	rows: readonly IDataObject[],
): Promise<(row: IDataObject) => IDataObject> {
	if (rows.length === 0) return (row) => row;
	const signal = cancelSignal(context);
	const ids = new Set(rows.map(({ callId }) => callIdOf({ id: callId })));
	const found = new Map<string, JsonObject>();
	const visit = (call: JsonObject) => {
		const id = callIdOf(call);
		if (id !== undefined && ids.has(id)) found.set(id, call);
		return found.size === ids.size;
	};
	const times = rows.map((row) => timeOf(row)?.ms ?? Date.now());
	const range = rangeAround(times, CLOCK_MARGIN_MS);
	const deadline = Date.now() + LOOK_UP_TIMEOUT_MS;
	try {
		const limits = { timeoutMs: LOOK_UP_TIMEOUT_MS, retryBudgetMs: 0 };
		const client = await connect(context, limits);
		await Looks.of(client).look(client, { range, visit, afterMs: 0, deadline, signal });
	} catch {
		throwIfStopped(signal);
	}
	return (row) => {
		const call = found.get(callIdOf({ id: row.callId }) ?? '');
		return withListed(row, call && isCallOfRow(call, row) ? call : undefined);
	};
}

function withListed(row: IDataObject, call: JsonObject | undefined): IDataObject {
	if (call === undefined || !hasEnded(call)) return { ...row, timedOut: !hasEnded(row) };
	// The status of a call that was just placed is outdated.
	const status = statusOf(call.status, true);
	const reason = reasonWithEnd(row, endWord(call));
	return { ...row, status, ...outcomeOf(call), ...reason, timedOut: false, listedCall: call };
}
