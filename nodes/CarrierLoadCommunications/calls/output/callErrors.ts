import { NodeApiError, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { errorForAgent } from '../../../shared/errors/errorForAgent';
import { itemError, type Attempted } from '../../../shared/errors/itemError';
import { ServiceFailure } from '../../../shared/service/http/failure';

/** It cannot be found out whether the call was placed. It is never dialled again by itself. */
export class UnknownOutcome extends Error {
	/**
	 * @param call the call in words ("call to +13125550188 about load 48213")
	 * @param why sentences: what happened, and what looking for it brought
	 */
	constructor(
		readonly call: string,
		readonly why: string[],
	) {
		super(`The ${call} may or may not have been placed`);
		this.name = 'UnknownOutcome';
	}
}

/** It is certain that no call was placed for the item. */
export class NotPlaced extends Error {
	constructor(
		what: string,
		readonly advice: string,
	) {
		super(what);
		this.name = 'NotPlaced';
	}
}

/** The error that n8n shows for an item that has no call, with what to do now. */
export function callError(
	context: IExecuteFunctions,
	error: unknown,
	attempted: Attempted,
): NodeApiError | NodeOperationError {
	return errorForAgent(shownError(context, error, attempted));
}

function shownError(
	context: IExecuteFunctions,
	error: unknown,
	attempted: Attempted,
): NodeApiError | NodeOperationError {
	const { itemIndex } = attempted;
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	if (error instanceof UnknownOutcome) {
		const description = [
			...error.why,
			'It was not dialled again, and neither Retry On Fail nor Retry Execution dials it again',
			`Look in Call > Get Many, or ask who was called, whether there was a ${error.call}. If there was none, run this item in a new execution`,
		].join('. ');
		return new NodeOperationError(context.getNode(), error.message, { itemIndex, description });
	}
	if (error instanceof NotPlaced) {
		return new NodeOperationError(context.getNode(), error.message, {
			itemIndex,
			description: error.advice,
		});
	}
	if (error instanceof ServiceFailure && error.details.kind === 'cancelled') {
		// n8n-core 2.41 counts an execution as canceled, not failed, by this word.
		const description = error.nothingHappened
			? 'No phone was dialled for this item.'
			: 'The request was on its way: look in Call > Get Many whether the call was placed.';
		const message = 'The execution was canceled';
		return new NodeOperationError(context.getNode(), message, { itemIndex, description });
	}
	return itemError(context.getNode(), error, attempted);
}
