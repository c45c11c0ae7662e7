import type {
	IDataObject,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { readOutcome } from '../../../shared/events/callOutcome';
import { callStage, endStatus, hasEnded } from '../../../shared/events/callStage';
import { eventParts, firstScalar } from '../../../shared/events/eventParts';
import { WAIT_ID_QUERY, withoutResumeUrl } from '../../../shared/events/resumeUrl';
import { shapeFor } from '../../fields/output';
import { CALL_FIELDS } from '../output/callRow';
import { lookUpCall } from './callList';
import { readWaiting } from './waitByWebhook';

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
		const json = shapeFor(CALL_FIELDS, waiting.level, waiting.selected)(row);
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
	const status = endStatus(event) ?? ended?.status ?? null;
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
