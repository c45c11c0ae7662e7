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
import { group, type Field } from '../../shared/fields/field';
import { InvalidParameter, runsAsTool } from '../../shared/fields/parameters';
import { choice, type Choice, number } from '../../shared/fields/simpleFields';
import {
	hasEnded,
	readOutcome,
	callStage,
	endStatus,
	endWord,
} from '../../shared/outcome/callOutcome';
import { readMoreNames } from '../../shared/outcome/outcomeRecord';
import { cancelSignal } from '../../shared/service/cancellation';
import { type ServiceClient, connect } from '../../shared/service/client';
import type { Metadata } from '../../shared/service/contract';
import { passingFailure } from '../../shared/service/failure';
import { isJsonObject, type JsonObject } from '../../shared/service/json';
import { timeOf } from '../../shared/service/record';
import { isLevel } from '../fields/output';
import { CallList, callIdOf, isCallOfRow, listed } from './callList';
import { digest, lineageOf, resumeUrlOf, runIndexOf } from './keys';
import { type CallOutput, outcomeOf, reasonWithEnd, shapeCall, statusOf } from './rows';

const DAYS_30_MINUTES = 30 * 24 * 60;

export type WaitSettings =
	| { mode: 'no' }
	| { mode: 'webhook'; limitMs: number }
	| { mode: 'polling'; limitMs: number; intervalMs: number };

const no: Choice<WaitSettings['mode']> = {
	name: 'No',
	value: 'no',
	description: 'Continue as soon as the call is placed',
};
const webhook: Choice<WaitSettings['mode']> = {
	name: 'Until the Webhook Event Arrives',
	value: 'webhook',
	description:
		"Pauses the execution until this package's trigger receives the call's event. For one item at a time.",
};
const polling: Choice<WaitSettings['mode']> = {
	name: 'Until the Call List Shows It',
	value: 'polling',
	description:
		"Polls the call list until every call has an outcome. Meanwhile the execution keeps a place of n8n's concurrency limit, and a restart of n8n ends it.",
};

const waitLimit = number({
	label: 'Wait at Most (Minutes)',
	min: 0,
	aboveMin: true,
	max: DAYS_30_MINUTES,
	default: 60,
	show: { waitForOutcome: ['webhook', 'polling'] },
	about: 'How long to wait before continuing without an outcome (timedOut is then true)',
	unit: 60_000,
});

const pollInterval = number({
	label: 'Poll Every (Seconds)',
	min: 0,
	aboveMin: true,
	max: 3600,
	default: 15,
	show: { waitForOutcome: ['polling'] },
	about: 'How often to check the call list',
	unit: 1000,
});

/** Events about agent calls have no metadata (contract 6), so those calls can only be polled. */
export function waitField(takesMetadata: boolean): Field<WaitSettings> {
	const waitForOutcome = choice({
		label: 'Wait for Outcome',
		choices: takesMetadata ? [no, webhook, polling] : [no, polling],
		default: 'no',
		about: "Whether to wait for the call's outcome (summary, transcript, recording)",
		editor: {
			builderHint: {
				propertyHint:
					'"webhook" needs a published workflow with this package\'s trigger; "polling" needs nothing else. Never add a Wait node and a loop instead.',
			},
		},
	});
	return group({ waitForOutcome, waitLimit, pollInterval }, (read): WaitSettings => {
		const mode = read('waitForOutcome');
		if (mode === 'no') return { mode };
		const limitMs = read('waitLimit');
		return mode === 'webhook'
			? { mode, limitMs }
			: { mode, limitMs, intervalMs: read('pollInterval') };
	});
}

/** What a waiting node leaves in the run's data for the event that ends its wait. */
export interface Waiting extends Omit<CallOutput, 'shape'> {
	/** Identifies one wait of an execution: an event about an earlier call may come late. */
	waitId: string;
	row: IDataObject;
}

/** What `waitByWebhook` left; undefined for any other value. */
function readWaiting(value: unknown): Waiting | undefined {
	if (!isJsonObject(value)) return undefined;
	const { waitId, row, level, selected, moreNames, input } = value;
	if (!isJsonObject(row) || !isLevel(level) || !Array.isArray(selected)) return undefined;
	const output = { level, selected: selected.map(String), moreNames: readMoreNames(moreNames) };
	return { waitId: String(waitId), row, input: isJsonObject(input) ? input : {}, ...output };
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
	{ shape, ...output }: CallOutput,
): Promise<INodeExecutionData[]> {
	const current = await lookUpCall(context, row);
	const items = (json: IDataObject) => [{ json: shape(json), pairedItem: { item: 0 } }];
	if (hasEnded(current)) return items(current);
	if (!expectsEvent) return items({ ...current, timedOut: true, ...reasonFor(row) });

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

function reasonFor({ placementReason }: IDataObject): IDataObject {
	const reason =
		'This item did not wait: the event about the earlier call does not come here, and the call list shows no outcome yet.';
	return { placementReason: placementReason ? `${String(placementReason)} ${reason}` : reason };
}

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

/**
 * Ends the wait if the event proves that the call has ended, and continues with the call and its
 * outcome. Any other event gets 409, and the wait continues.
 */
export async function resumeWithEvent(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const waiting = readWaiting(waitingOf(context));
	if (!waiting || Object(context.getQueryData())[WAIT_ID_QUERY] !== waiting.waitId) {
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
	const current = isComplete ? row : await lookUpCall(context, row);
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

const MAX_NAMED = 10;

/**
 * Waits until the list shows how every call ended, or the time is up; a hint names those still open.
 * All executions that wait in this process share the look-ups (callList.ts).
 *
 * @returns the rows of placed calls in the same order, with the outcome, or with `timedOut: true`
 * @throws ServiceFailure of kind `cancelled` when the user presses Stop
 */
export async function waitByPolling(
	context: IExecuteFunctions,
	client: ServiceClient,
	wait: { limitMs: number; intervalMs: number },
	rows: readonly IDataObject[],
): Promise<IDataObject[]> {
	const list = CallList.of(client);
	const settings = {
		deadline: Date.now() + wait.limitMs,
		longestPauseMs: wait.intervalMs,
		signal: cancelSignal(context),
	};
	const open: IDataObject[] = [];
	let why: string | undefined;
	const waited = rows.map(async (row) => {
		if (hasEnded(row)) return withListed(row, undefined);
		const { listed: call, problem } = await list.ended(client, row, settings);
		const result = withListed(row, call);
		if (result.timedOut === true) open.push(row);
		why ??= problem;
		return result;
	});
	const results = await Promise.all(waited);
	if (open.length > 0) nameOpenCalls(context, open, why);
	return results;
}

function nameOpenCalls(
	context: IExecuteFunctions,
	open: readonly IDataObject[],
	problem: string | undefined,
): void {
	const names = open.slice(0, MAX_NAMED).map(({ callId, toPhone, loadNumber, loadId }) => {
		const load = loadNumber ?? loadId;
		return `${callId} to ${toPhone}${load === undefined ? '' : ` (load ${load})`}`;
	});
	const more = open.length > MAX_NAMED ? ` and ${open.length - MAX_NAMED} more` : '';
	const calls = open.length === 1 ? 'call has' : 'calls have';
	const why = problem === undefined ? '' : `. The call list could not be read: ${problem}`;
	context.addExecutionHints({
		message: `${open.length} ${calls} no outcome yet: ${names.join(', ')}${more}${why}`,
		type: 'warning',
		location: 'outputPane',
	});
}

/** Shorter than the trigger keeps trying to pass on an event: its own sender is waiting too. */
const LOOK_UP_TIMEOUT_MS = 4000;

/** The service's clock may differ by minutes, and its bounds may be exclusive (contract 4.9). */
const CLOCK_MARGIN_MS = 5 * 60_000;

/**
 * The row of one call, with what the list shows of it now: an event about the call may come meanwhile,
 * and is refused until the execution waits.
 */
async function lookUpCall(
	context: IExecuteFunctions | IWebhookFunctions,
	row: IDataObject,
): Promise<IDataObject> {
	const [looked = row] = await lookUpQuickly(context, [row]);
	return looked;
}

/** Rows of calls with what the list shows of them now, if it can be read quickly. */
async function lookUpQuickly(
	context: IExecuteFunctions | IWebhookFunctions,
	rows: readonly IDataObject[],
): Promise<IDataObject[]> {
	const limits = { timeoutMs: LOOK_UP_TIMEOUT_MS, retryBudgetMs: 0 };
	const client = await connect(context, limits).catch(() => undefined);
	if (client === undefined) return rows.map((row) => withListed(row, undefined));
	return await lookUpCalls(client, rows);
}

/** Rows of earlier calls that nobody waits for, whose reason says how each ended. */
export async function nameEnds(
	context: IExecuteFunctions,
	rows: readonly IDataObject[],
): Promise<IDataObject[]> {
	const looked = rows.length > 0 ? await lookUpQuickly(context, rows) : [];
	return looked.map(({ placementReason }, index) => ({ ...rows[index], placementReason }));
}

/** Rows of calls with what the list shows of them now, if it can be read. */
export async function lookUpCalls(
	client: ServiceClient,
	rows: readonly IDataObject[],
): Promise<IDataObject[]> {
	const found = new Map<string, JsonObject>();
	const times = rows.map((row) => timeOf(row)?.ms ?? Date.now());
	const range = {
		from: Math.min(...times) - CLOCK_MARGIN_MS,
		until: Math.max(...times) + CLOCK_MARGIN_MS,
	};
	try {
		const wanted = new Set(rows.map(({ callId }) => callIdOf({ id: callId })));
		const visit = (call: JsonObject) => {
			const id = callIdOf(call);
			if (id !== undefined && wanted.has(id)) found.set(id, call);
			return found.size === wanted.size;
		};
		if (rows.length > 0) await listed(client, range, visit);
	} catch (error) {
		passingFailure(error);
	}
	return rows.map((row) => {
		const call = found.get(callIdOf({ id: row.callId }) ?? '');
		return withListed(row, call && isCallOfRow(call, row) ? call : undefined);
	});
}

/** The row with what the list shows of its call; `timedOut` until it has ended. */
function withListed(row: IDataObject, call: JsonObject | undefined): IDataObject {
	if (call === undefined || !hasEnded(call)) return { ...row, timedOut: !hasEnded(row) };
	// The status of a call that was just placed is outdated.
	const status = statusOf(call.status, true);
	const reason = reasonWithEnd(row, endWord(call));
	return { ...row, status, ...outcomeOf(call), ...reason, timedOut: false, listedCall: call };
}
