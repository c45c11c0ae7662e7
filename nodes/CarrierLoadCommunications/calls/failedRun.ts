import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failedItem, textOf } from '../../shared/errors/itemError';
import type { CallKind } from '../../shared/service/contract';
import type { CallIdentity, KnownCall } from './call';
import { callError, CallProblem, firstFew } from './callErrors';
import type { CallItem } from './item';
import { wordsOf } from './keys';
import { ringOf, type CallMemory } from './memory';
import { placingOptions } from './options';
import { isReady } from './plan';

/** A run of the node, as far as it has come. */
export interface Attempt {
	context: IExecuteFunctions;
	memory: CallMemory;
	kind: CallKind;
	/** Whether the node stops at the first failed item. */
	stops: boolean;
	/** Empty until they are planned. */
	items: readonly CallItem[];
}

/** An item's error, which also says what happened to the calls of the run. */
export function errorOf(attempt: Attempt, { itemIndex, call }: CallItem, problem: unknown) {
	const { context, memory, kind, stops, items } = attempt;
	const error = callError(context, problem, {
		itemIndex,
		what: call?.identity.what ?? wordsOf(kind),
		options: Object.keys(placingOptions),
		ring: call ? ringOf(memory.recall(call)) : 'no',
		calls: stops || !call ? callsOf(memory, stops ? items : [], items) : [],
	});
	// n8n shows the item, counted from 0, behind the rows that the error names.
	if (problem instanceof RowsProblem) delete error.context.itemIndex;
	return error;
}

/** About several rows, which it names. */
class RowsProblem extends CallProblem {}

/** The same as a failed item, for a node that continues on errors. */
export function itemOf(attempt: Attempt, item: CallItem, problem: unknown): INodeExecutionData {
	const { onError } = attempt.context.getNode();
	return failedItem(errorOf(attempt, item, problem), item.itemIndex, onError);
}

/** What happened to the calls of a run's items, and to calls of its earlier tries that are no longer asked for. */
function callsOf(memory: CallMemory, shown: readonly CallItem[], items: readonly CallItem[]) {
	const about = ({ what, itemIndex }: CallIdentity, known: KnownCall | undefined) => {
		return { what, itemIndex, ring: ringOf(known), callId: known?.row?.callId };
	};
	const calls = shown.filter(isReady).map(({ call, row, problem }) => {
		const isOpen = row === undefined && problem === undefined;
		return { ...about(call.identity, memory.recall(call)), isOpen };
	});
	const earlier = memory.earlierCalls(items.filter(isReady).map(({ call }) => call));
	return [...calls, ...earlier.map((known) => about(known, known))];
}

const MAX_SHOWN = 100;
const CORRECT =
	'Correct these rows and run them again, or set On Error to continue, which calls the others';

/** One failed item for all that can't be called, at the first one's place. */
export function planFailure(items: readonly CallItem[]): CallItem | undefined {
	const bad = items.filter((item) => 'problem' in item);
	const [first] = bad;
	const messages = new Set(bad.map(({ problem }) => textOf(problem)));
	const isSame = messages.size === 1 && bad.length === items.length;
	if (first === undefined || bad.length === 1 || isSame) return first;
	const lines = bad.map(({ itemIndex, problem }) => `Row ${itemIndex + 1}: ${textOf(problem)}`);
	const what = `${bad.length} of ${items.length} items cannot be called`;
	const advice = `${CORRECT}. ${firstFew(lines, '. ', MAX_SHOWN)}`;
	return { ...first, problem: new RowsProblem(what, advice) };
}
