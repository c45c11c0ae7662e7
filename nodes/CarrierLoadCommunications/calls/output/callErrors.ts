import { NodeApiError, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { errorForAgent } from '../../../shared/errors/errorForAgent';
import { itemError, type Attempted } from '../../../shared/errors/itemError';
import type { Ring } from '../memory/knownCalls';
import { ServiceFailure } from '../../../shared/service/http/failure';

/** It can't be found out whether the call was placed. It is never placed again automatically. */
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

/** A calling rule keeps the call from being placed. */
export class RefusedByRule extends NotPlaced {
	/** @param nextAllowedAt first moment at which the rule lets the call through (ISO 8601, UTC) */
	constructor(
		what: string,
		advice: string,
		readonly nextAllowedAt: string | undefined,
	) {
		super(what, advice);
	}
}

const RINGS: Record<Ring, string> = {
	no: 'No phone rang.',
	maybe: 'The phone may have rung.',
	yes: 'The call was placed.',
};

/** What failed for an item, whether a phone rang for it, and what became of the run's other calls. */
export interface FailedCall extends Attempted {
	ring: Ring;
	/** Sentences about the run's other calls, when the failure stops the node. */
	others?: string[];
}

/** The error that n8n shows for an item that has no call: whether a phone rang, why, what to do now. */
export function callError(
	context: IExecuteFunctions,
	error: unknown,
	failed: FailedCall,
): NodeApiError | NodeOperationError {
	if (saysWhetherItRang(error)) return error;
	const shown = shownError(context, error, failed);
	const { ring, others = [] } = failed;
	const rang = ring === 'no' && others.length > 0 ? 'No phone rang for this item.' : RINGS[ring];
	shown.message = `${rang} ${shown.message}`;
	const description = [shown.description ?? '', ...others].filter((part) => part !== '');
	shown.description = description.map(withStop).join(' ');
	return errorForAgent(shown);
}

/** An error that was built here and is caught once more. */
function saysWhetherItRang(error: unknown): error is NodeApiError | NodeOperationError {
	if (!(error instanceof NodeApiError || error instanceof NodeOperationError)) return false;
	return Object.values(RINGS).some((rang) => error.message.startsWith(rang.slice(0, -1)));
}

function shownError(
	context: IExecuteFunctions,
	error: unknown,
	attempted: Attempted,
): NodeApiError | NodeOperationError {
	const node = context.getNode();
	const { itemIndex } = attempted;
	if (error instanceof UnknownOutcome) {
		const description = [
			...error.why,
			'It was not placed again, and neither Retry On Fail nor Retry Execution places it again',
			`Look in Call > Get Many, or ask the person called whether they got the ${error.call}. If there was none, run this item in a new execution`,
		].join('. ');
		return new NodeOperationError(node, error.message, { itemIndex, description });
	}
	if (error instanceof NotPlaced) {
		const { message, advice: description } = error;
		const shown = new NodeOperationError(node, message, { itemIndex, description });
		if (error instanceof RefusedByRule && error.nextAllowedAt !== undefined) {
			shown.context.nextAllowedAt = error.nextAllowedAt;
		}
		return shown;
	}
	if (error instanceof ServiceFailure && error.details.kind === 'cancelled') {
		// n8n-core 2.41 counts an execution as canceled, not failed, by this word.
		const description = error.nothingHappened
			? ''
			: 'The request had been sent: look in Call > Get Many whether the call was placed';
		return new NodeOperationError(node, 'The execution was canceled', { itemIndex, description });
	}
	return itemError(node, error, attempted);
}

function withStop(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}
