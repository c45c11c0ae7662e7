import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { isToolType } from '../fields/parameters';
import { InvalidParameter } from '../fields/invalidParameter';
import { ServiceFailure, type FailureDetails } from '../service/failure';

type NodeError = NodeApiError | NodeOperationError;

export interface Attempted {
	itemIndex: number;
	/** What didn't happen, such as "Couldn't get calls". */
	title: string;
	options?: readonly string[];
}

/**
 * The error that n8n shows for a failed item: what was requested, what happened, what to do now. An
 * existing n8n error is returned as is, because n8n doesn't change a NodeApiError that is wrapped
 * again.
 * @param error anything that was thrown
 */
export function itemError(node: INode, error: unknown, { itemIndex, title, options }: Attempted) {
	if (isNodeError(error)) {
		error.context.itemIndex = itemIndex;
		return error;
	}
	if (error instanceof InvalidParameter) {
		const description = 'Correct the field and run it again. Nothing was sent for this item.';
		return operationError(node, itemIndex, error.message, description);
	}
	if (!(error instanceof ServiceFailure)) {
		return operationError(node, itemIndex, title, textOf(error));
	}
	const { message: what, details } = error;
	const lowered = what.replace(/^(The|There|An?) /, (word) => word.toLowerCase());
	const message = `${title}: ${shortened(lowered)}`;
	const description = describeFailure(details, options);
	const code = details.status === undefined ? {} : { httpCode: String(details.status) };
	const source = { message, ...code };
	const shown = new NodeApiError(node, source, { itemIndex, message, description, ...code });
	return withWords(shown, message, description);
}

export function isNodeError(error: unknown): error is NodeError {
	return error instanceof NodeApiError || error instanceof NodeOperationError;
}

/** An error with exactly this text, regardless of the letters in it. */
export function operationError(
	node: INode,
	itemIndex: number,
	message: string,
	description: string,
): NodeOperationError {
	const error = new NodeOperationError(node, shortened(message), { itemIndex, description });
	return withWords(error, shortened(message), description);
}

/**
 * n8n-workflow 2.41 (NodeError.setDescriptiveErrorMessage) replaces any message that contains the
 * letters of a Node.js error code: a "preexisting call" becomes a missing file. So the texts are
 * set again afterwards.
 */
function withWords<Shown extends NodeError>(error: Shown, message: string, description: string) {
	return Object.assign(error, { message, description, messages: [] });
}

/** An agent's model sees nothing of an error but its message (n8n-core 2.41: `handleNodeExecutionError`). */
export function errorForAgent<Shown extends NodeError>(error: Shown): Shown {
	const { message, description, node } = error;
	if (!isToolType(node.type) || !description || message.includes(description)) return error;
	error.message = `${message.replace(/\.$/, '')}. ${description}`;
	return error;
}

/**
 * A failed item for Continue on Fail. With any other keys, n8n would treat it as a success
 * (n8n-core 2.41 recognizes failed items by their keys).
 * @param onError the node's setting
 */
export function failedItem(error: Error, itemIndex: number, onError?: INode['onError']) {
	const description = isNodeError(error) && error.description;
	const json: IDataObject = { error: error.message, message: description || error.message };
	const item: INodeExecutionData = { json, pairedItem: { item: itemIndex } };
	// When the item can be tried again, if known, for a Wait node.
	const nextAllowedAt = isNodeError(error) ? error.context.nextAllowedAt : undefined;
	if (typeof nextAllowedAt !== 'string') return item;
	json.details = { nextAllowedAt };
	// n8n-core 2.0 doesn't know `details` and sends the item to the error output only if it has an
	// error. The error is not enumerable: n8n copies the item without it, and keeps its json.
	if (onError === 'continueErrorOutput') Object.defineProperty(item, 'error', { value: error });
	return item;
}

/** What to do now, the service's words, and the request. @param options names of the node's options */
export function describeFailure(details: FailureDetails, options: readonly string[] = []): string {
	const { serviceMessage, advice, changes = {} } = details;
	const words = serviceMessage && `The service said: "${serviceMessage}"`;
	const possible = options.flatMap((name) => changes[name] ?? []).join(', ');
	const change = possible && `What you can change under Options: ${possible}`;
	return joinSentences([advice, change, words, asked(details)]);
}

/** Sentences with or without their periods as one text. */
export function joinSentences(sentences: Array<string | undefined>): string {
	return sentences
		.flatMap((sentence) => sentence || [])
		.map((sentence) => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`))
		.join(' ');
}

/** "Request: GET /api/v1/calls (load 48213, records 501 to 1,000, tried 5 times, ECONNRESET)" */
function asked({ request, about, page, attempts, code }: FailureDetails): string | undefined {
	if (request === undefined) return undefined;
	const tried = attempts && `tried ${attempts} times`;
	const more = [about && shortened(about, LONGEST_ABOUT), page, tried, code].filter(Boolean);
	return `Request: ${shortened(request, LONGEST_ABOUT)}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
}

/** An error quotes what the service sent, or an expression gave: a load ID of 2 MB, too. */
const LONGEST = 500;
const LONGEST_ABOUT = 200;

function shortened(text: string, longest = LONGEST): string {
	return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** The text of anything thrown: never a stack. */
export function textOf(thrown: unknown): string {
	const text = thrown instanceof Error ? thrown.message : String(thrown ?? '');
	return text.slice(0, LONGEST) || 'No reason was given';
}
