import type {
	IDataObject,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { connect } from '../../../shared/service/client';
import { isJsonObject, type JsonObject } from '../../../shared/service/http/json';
import { hasEnded, outcomeOf } from '../output/callRow';
import { RESUME_URL_KEY } from '../fields/metadata';
import { lookForOutcomes, withOutcome } from './waitByPolling';
import { pickFields, readWaiting, WAIT_ID_QUERY, type Waiting } from './waiting';

/** Where the trigger node hands an event to the execution that waits for it. */
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

/** Shown in the editor while the node waits. */
export const WAITING_TOOLTIP =
	'The call was placed. The workflow goes on when the event about it reaches the trigger node, or when the time is up.';

/** Where an event may say how the call went; the contract (6) does not show its shape. */
const PLACES = ['data', 'call', 'payload', 'event'];

/** The last look must not keep the sender of the event waiting for long. */
const LOOK_TIMEOUT_MS = 10_000;

/**
 * Takes an event about the call that this node waits for, and ends the wait with the call and its
 * outcome. An event about another call is refused, one about a call that goes on is only thanked for.
 */
export async function resumeWithEvent(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const waiting = readWaiting(waitingOf(context));
	const asked = Object(context.getQueryData())[WAIT_ID_QUERY];
	if (!waiting || asked !== waiting.waitId) {
		const message = 'This execution does not wait for this call';
		context.getResponseObject().status(409).json({ message });
		return { noWebhookResponse: true };
	}
	const event: unknown = context.getBodyData();
	const parts = partsOf(Array.isArray(event) ? event[0] : event);
	if (isInProgress(parts)) return {};
	const row = await withEvent(context, waiting, parts);
	return {
		workflowData: [[{ json: pickFields(row, waiting.fields), pairedItem: { item: 0 } }]],
	};
}

/** What the node left behind in the run's data (n8n-core 2.41: a webhook sees it by expression). */
function waitingOf(context: IWebhookFunctions): unknown {
	const name = JSON.stringify(context.getNode().name);
	const found: unknown = context.evaluateExpression(`{{ $node[${name}].context.waiting }}`);
	return found;
}

async function withEvent(context: IWebhookFunctions, waiting: Waiting, parts: JsonObject[]) {
	const event = withoutAddress(parts[0]);
	const said: IDataObject = Object.assign({}, ...[...parts].reverse().map(outcomeOf));
	const status = parts.map((part) => part.status).find((text) => typeof text === 'string');
	const row: IDataObject = {
		...waiting.row,
		status: status ?? null,
		...said,
		timedOut: false,
		event,
	};
	if (hasEnded(row)) return row;
	const listed = await lookOnce(context, row);
	return { ...listed, status: status ?? listed.status ?? null, timedOut: false };
}

/** The event comes with the call's metadata; the address in it lets its holder end other waits. */
function withoutAddress(event: JsonObject = {}): JsonObject {
	return JSON.parse(
		JSON.stringify(event, (key, value: unknown) => (key === RESUME_URL_KEY ? undefined : value)),
	);
}

async function lookOnce(context: IWebhookFunctions, row: IDataObject): Promise<IDataObject> {
	try {
		const client = await connect(context, { timeoutMs: LOOK_TIMEOUT_MS, retryBudgetMs: 0 });
		return withOutcome(row, (await lookForOutcomes(client, [row])).ended);
	} catch {
		// The event itself has come: that the list cannot be read takes nothing from it.
		return row;
	}
}

/** The event and the objects in it that may speak of the call. */
function partsOf(event: unknown): JsonObject[] {
	if (!isJsonObject(event)) return [];
	const inside = PLACES.map((place) => event[place]).filter(isJsonObject);
	return [
		event,
		...inside,
		...inside.flatMap((part) => PLACES.map((place) => part[place]).filter(isJsonObject)),
	];
}

/** Whether the event only says that the call has begun; anything else is taken for its end. */
function isInProgress(parts: JsonObject[]): boolean {
	if (parts.length === 0) return true;
	if (parts.some(hasEnded)) return false;
	const words = parts.flatMap(({ status, event, type }) => [status, event, type]);
	return words.some(
		(word) =>
			typeof word === 'string' && /in[_ -]?progress|started|initiated|ringing|queued/i.test(word),
	);
}
