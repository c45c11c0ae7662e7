import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failedItem, textOf } from '../../shared/errors/itemError';
import { ConstantParameters, Parameters } from '../../shared/fields/parameters';
import { cancelSignal } from '../../shared/service/cancellation';
import { connect } from '../../shared/service/client';
import { ringOf, wordsOf } from './call';
import { callError, type RunCall } from './callErrors';
import { CallList, MAX_KEPT } from './callList';
import { ifReadable, unplannedRow } from './dryRun';
import { DuplicateGuard } from './guard';
import { CallKeys } from './keys';
import { CallMemory } from './memory';
import { refuseMoved } from './moved';
import { placingOptions, readPlacingSettings } from './options';
import { hasNewAreaCode, withoutExtension } from './phone';
import { placeItems, type CallRun } from './place';
import {
	isReady,
	planCall,
	planFailure,
	planItems,
	type CallItem,
	type CallRequests,
} from './plan';
import { callOutput, isCalled } from './rows';
import { refuseRulesFromModel, refuseTooMany, RulesReader } from './rules/form';
import { RunRules } from './rules/rules';
import {
	checkCanWait,
	lookUpCalls,
	nameEnds,
	waitByPolling,
	waitByWebhook,
	waitField,
	type WaitSettings,
} from './wait';

/**
 * Places one call per item, as an operation defines it, and waits for the outcomes if the user
 * wants that: plan → rules → guard → place → reconcile → wait → rows.
 *
 * @returns an item for each input item, in order
 * @throws the error of the first failed item, unless the node continues on errors
 */
export async function placeCalls<Values extends object>(
	context: IExecuteFunctions,
	input: INodeExecutionData[],
	requests: CallRequests<Values>,
): Promise<INodeExecutionData[]> {
	const stops = !context.continueOnFail();
	const { onError } = context.getNode();
	const memory = new CallMemory(context);
	let items: CallItem[] = [];
	let failed: CallItem | undefined;
	try {
		const constants = new ConstantParameters(context);
		const parameters = new Parameters(context, 0, constants);
		refuseMoved(parameters);
		const { lookForMs, timeoutMs, ...speed } = readPlacingSettings(parameters);
		const wait = waitField(requests.takesMetadata).read(parameters, 'waitForOutcome');
		refuseRulesFromModel(context);

		const client = await connect(context, { timeoutMs });
		const keys = new CallKeys(context);
		const reader = new RulesReader(client.calls);
		const rules = new RunRules(context, wait.mode !== 'no');
		const prepare = (itemIndex: number) => new Parameters(context, itemIndex, constants).evaluate();
		const plan = (fields: Parameters) => {
			const output = callOutput.read(fields, 'output');
			const read = planCall(context, fields, requests, wait, keys, reader);
			// A call placed by an earlier try is kept, whatever the rules say now.
			const isKept = memory.recall(read.call) !== undefined;
			const isDryRun = !isKept && read.rules.dryRun !== undefined;
			const row = isKept ? undefined : rules.apply(read.call, read.rules);
			return { output, isDryRun, ...(row ? { row } : read) };
		};
		const planned = await planItems(input.length, prepare, plan, (fields, problem) => {
			const isDryRun = reader.isDryRun(fields);
			if (!isDryRun) return { isDryRun, problem };
			const row = unplannedRow(context, fields, problem, wordsOf(requests.kind));
			return { isDryRun, row, output: ifReadable(() => callOutput.read(fields, 'output')) };
		});
		const isRehearsal = planned.every(({ isDryRun }) => isDryRun);
		const checks = [() => refuseTooMany(input.length, parameters)];
		if (wait.mode === 'webhook') checks.push(() => checkCanWait(context, input.length));
		for (const check of checks) {
			if (isRehearsal) nameRefusal(context, check);
			else check();
		}
		items = planned;
		failed = stops ? planFailure(items) : undefined;
		if (failed) throw failed.problem;

		const signal = cancelSignal(context);
		const guard = new DuplicateGuard({ context, client, memory, lookForMs, signal });
		const run = { context, stops, client, memory, guard, rules, speed, lookForMs, signal };
		const ready = items.filter(isReady);
		failed = await placeItems(run, ready);
		warnOfProblem(run);
		warnOfLongList(run);
		if (stops && failed) throw failed.problem;
		nameNewAreaCodes(context, items);
		return await toOutput(run, wait, items, (item) =>
			failedItem(errorOf(item, item.problem), item.itemIndex, onError),
		);
	} catch (error) {
		if (stops) throw errorOf(failed ?? items[0] ?? { itemIndex: 0 }, error);
		// If a node that continues on errors throws, n8n-core 2.41 passes its input on as a success.
		return input.map((_item, itemIndex) => {
			return failedItem(errorOf(items[itemIndex] ?? { itemIndex }, error), itemIndex, onError);
		});
	}

	function errorOf({ itemIndex, call }: CallItem, problem: unknown) {
		return callError(context, problem, {
			itemIndex,
			what: call?.identity.what ?? wordsOf(requests.kind),
			options: Object.keys(placingOptions),
			ring: call ? ringOf(memory.recall(call)) : 'no',
			calls: stops || !call ? callsOf(memory, stops ? items : [], items) : [],
		});
	}
}

/** What stops a live run before its first call; a dry run goes on. */
function nameRefusal(context: IExecuteFunctions, check: () => void): void {
	try {
		check();
	} catch (problem) {
		const message = `A live run would stop before its first call: ${textOf(problem)}`;
		context.addExecutionHints?.({ message, type: 'warning', location: 'outputPane' });
	}
}

/** What happened to the calls of a run's items, and to calls of its earlier tries that are no longer asked for. */
function callsOf(
	memory: CallMemory,
	shown: readonly CallItem[],
	items: readonly CallItem[],
): RunCall[] {
	const calls = shown.filter(isReady).map(({ call, row, problem }) => {
		const known = memory.recall(call);
		const { what, itemIndex } = call.identity;
		const isOpen = row === undefined && problem === undefined;
		return { what, itemIndex, isOpen, ring: ringOf(known), callId: known?.row?.callId };
	});
	const earlier = memory.earlierCalls(items.filter(isReady).map(({ call }) => call));
	const orphans = earlier.map((known) => ({
		what: known.what,
		itemIndex: known.itemIndex,
		ring: ringOf(known),
		callId: known.row?.callId,
	}));
	return [...calls, ...orphans];
}

/** Waits if the user wants that, and converts the results to the node's output. */
async function toOutput(
	{ context, client, memory }: CallRun,
	wait: WaitSettings,
	items: readonly CallItem[],
	failed: (item: CallItem) => INodeExecutionData,
): Promise<INodeExecutionData[]> {
	const only = items.length === 1 ? items[0] : undefined;
	if (wait.mode === 'webhook' && only?.call && only.row && only.output && hasCall(only.row)) {
		const limit = Date.now() + wait.limitMs;
		const expectsEvent = memory.expectsEvent(only.call);
		summarize(context, [only.row], []);
		return await waitByWebhook(context, only.row, expectsEvent, limit, only.output);
	}
	const rows = items.flatMap(({ row }) => (row && hasCall(row) ? [row] : []));
	const own = rows.filter((row) => !isEarlier(row));
	const earlier = rows.filter(isEarlier);
	const results = new Map<IDataObject, IDataObject | undefined>();
	if (wait.mode === 'no') {
		const named = await nameEnds(context, earlier);
		for (const [index, row] of earlier.entries()) results.set(row, named[index]);
	}
	if (wait.mode === 'polling') {
		// An earlier call's outcome belongs to who placed it: it is looked up once, not waited for.
		const looked = await lookUpCalls(client, earlier);
		const waited = await waitByPolling(context, client, wait, own);
		for (const [index, row] of earlier.entries()) results.set(row, looked[index]);
		for (const [index, row] of own.entries()) results.set(row, waited[index]);
	}
	const ends = items.map(({ row }) => row && (results.get(row) ?? row));
	const done = items.map((item, index) => {
		const row = ends[index];
		if (row === undefined) return failed(item);
		return { json: item.output?.shape(row) ?? row, pairedItem: { item: item.itemIndex } };
	});
	summarize(context, ends, done);
	return done;
}

/** Whether an item has a call whose outcome can be awaited, rather than being skipped by a rule. */
function hasCall({ callId }: IDataObject): boolean {
	return callId !== null;
}

function isEarlier({ placement }: IDataObject): boolean {
	return placement === 'skippedDuplicate';
}

/**
 * A hint that counts what became of the rows, with the reason of the first that was not called. Rows
 * are counted from 1, as the editor shows them.
 *
 * @param done their items, of which failed ones have an error
 */
function summarize(
	context: IExecuteFunctions,
	rows: ReadonlyArray<IDataObject | undefined>,
	done: readonly INodeExecutionData[],
): void {
	const isDry = (row: IDataObject) => row.placement === 'dryRun';
	const named = rows.filter((row) => row !== undefined);
	const called = named.filter(isCalled);
	// The error of a failed item says whether its phone rang.
	if (rows.length === 1 && (called.length === 1 || named.length === 0)) return;
	const dry = named.filter(isDry).length;
	const failing = named.filter(({ placement }) => placement === 'wouldFail').length;
	const waiting = called.filter(({ timedOut }) => timedOut === true).length;
	const counts = [
		`${called.length - waiting} called`,
		`${named.length - called.length - dry - failing} skipped`,
		`${rows.length - named.length} failed`,
		`${waiting} waiting`,
		...(dry > 0 ? [`${dry} would be called`] : []),
		...(failing > 0 ? [`${failing} would fail`] : []),
	].join(', ');
	const isUncalled = (row: IDataObject | undefined) => row === undefined || !isCalled(row);
	const refused = rows.findIndex((row) => isUncalled(row) && !(row && isDry(row)));
	const first = refused < 0 ? rows.findIndex(isUncalled) : refused;
	const reason = rows[first]?.placementReason ?? done[first]?.json.error;
	const why = first < 0 ? '' : ` Row ${first + 1}: ${String(reason)}`;
	const message =
		rows.length === 1
			? `No call was placed. ${String(reason)}`
			: `${rows.length} rows: ${counts}.${why}`;
	// Older versions of n8n have no hints.
	context.addExecutionHints?.({ message, type: 'info', location: 'outputPane' });
}

/** A mistyped number may look like one in a new area code. */
function nameNewAreaCodes(context: IExecuteFunctions, items: readonly CallItem[]): void {
	const called = items.filter(({ row }) => row && isCalled(row));
	const numbers = called.flatMap(({ call }) => {
		return call && hasNewAreaCode(withoutExtension(call.toPhone)) ? [call.toPhone] : [];
	});
	const codes = new Set(numbers.map((number) => number.slice(2, 5)));
	if (codes.size === 0) return;
	const message = `This version of the node does not know the area code ${[...codes].join(', ')}, which may be new or mistyped. The number was called. For Calling Hours, all time zones of the contiguous United States and Canada count.`;
	context.addExecutionHints?.({ message, type: 'info', location: 'outputPane' });
}

function warnOfLongList({ client, context }: CallRun): void {
	if (!CallList.of(client).isTooLong) return;
	const message = `The call list has more than ${MAX_KEPT.toLocaleString('en-US')} calls in the time that this node looks back to, so all of them are read before each call. A shorter Skip If Called Within, or no Max Calls per Person per Day, reads less.`;
	context.addExecutionHints?.({ message, type: 'warning', location: 'outputPane' });
}

function warnOfProblem({ guard, context }: CallRun): void {
	if (guard.problem === undefined) return;
	const message = `These calls could not be reserved in n8n's database (${guard.problem}), so the node can't tell if another worker places the same call at the same moment. Saving the workflow usually fixes this.`;
	context.addExecutionHints?.({ message, type: 'warning', location: 'outputPane' });
}
