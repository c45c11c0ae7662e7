import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ConstantParameters, Parameters, showHint } from '../../shared/fields/parameters';
import { cancelSignal } from '../../shared/service/exchange';
import { connect } from '../../shared/service/client';
import { rowsOf } from './callErrors';
import { errorOf, itemOf, planFailure, type Attempt } from './failedRun';
import { DuplicateGuard } from './guard';
import type { CallItem, CallRequests } from './item';
import { CallKeys, wordsOf } from './keys';
import { CallMemory, isSkipped } from './memory';
import { refuseMoved } from './moved';
import { placeItems, type CallRun } from './place';
import { isReady, planCall, planItems } from './plan';
import { isCalled, readCallOutput } from './rows';
import { refuseRulesFromModel, refuseTooMany, RulesReader } from './rules/readRules';
import { RunRules } from './rules/rules';
import { readPlacingSettings, readWait, type WaitSettings } from './settings';
import { ifReadable, PAUSED, nameRefusal, unplannedRow, withUncalledOutcome } from './uncalledRow';
import { checkCanWait, waitByWebhook, withOutcomes } from './wait';

/**
 * Places one call per item, as an operation defines it, and waits for the outcomes if the user
 * wants that: plan → rules → guard → place → reconcile → wait → rows.
 * @returns an item for each input item, in order
 * @throws the error of the first failed item, unless the node continues on errors
 */
export async function placeCalls<Values extends object>(
	requests: CallRequests<Values>,
	context: IExecuteFunctions,
	input: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const { kind, takesMetadata } = requests;
	const stops = !context.continueOnFail();
	const memory = new CallMemory(context);
	const attempt: Attempt = { context, memory, kind, stops, items: [] };
	let failed: CallItem | undefined;
	try {
		const constants = new ConstantParameters(context);
		const parameters = new Parameters(context, 0, constants);
		refuseMoved(parameters.node.parameters, 'This node');
		const { lookForMs, timeoutMs, ...speed } = readPlacingSettings(parameters);
		const wait = readWait(parameters, takesMetadata);
		refuseRulesFromModel(context);

		const client = await connect(context, { timeoutMs });
		const keys = new CallKeys(context);
		const reader = new RulesReader(client.calls);
		const rules = new RunRules(context);
		const prepare = (itemIndex: number) => new Parameters(context, itemIndex, constants).evaluate();
		const plan = (fields: Parameters) => {
			const output = readCallOutput(fields);
			const read = planCall(context, fields, requests, wait, keys, reader);
			// A call placed by an earlier try is kept, regardless of the rules now.
			const isKept = memory.recall(read.call) !== undefined;
			const isDryRun = !isKept && read.rules.dryRun !== undefined;
			const row = isKept ? undefined : rules.apply(read.call, read.rules);
			return { output, isDryRun, ...(row ? { row } : read) };
		};
		const planned = await planItems(input.length, prepare, plan, (fields, problem) => {
			const isDryRun = reader.isDryRun(fields);
			if (!isDryRun) return { isDryRun, problem };
			const row = unplannedRow(context, fields, problem, wordsOf(kind));
			return { isDryRun, row, output: ifReadable(() => readCallOutput(fields)) };
		});
		const isRehearsal = planned.every(({ isDryRun }) => isDryRun);
		const checks = [() => refuseTooMany(input.length, parameters)];
		if (wait.mode === 'webhook') checks.push(() => checkCanWait(context, input.length));
		for (const check of checks) {
			if (isRehearsal) nameRefusal(context, check);
			else check();
		}
		attempt.items = planned;
		if (isRehearsal && client.calls.mode === 'paused') showHint(context, 'warning', PAUSED);
		failed = stops && planned.some((item) => 'problem' in item) ? planFailure(planned) : undefined;
		if (failed) throw failed.problem;

		const signal = cancelSignal(context);
		const guard = new DuplicateGuard({ context, client, memory, lookForMs, signal });
		const run = { context, stops, client, memory, guard, rules, speed, lookForMs, signal };
		failed = await placeItems(run, planned.filter(isReady));
		if (stops && failed) throw failed.problem;
		return await toOutput(run, wait, planned, (item) => itemOf(attempt, item, item.problem));
	} catch (error) {
		const { items } = attempt;
		if (stops) throw errorOf(attempt, failed ?? items[0] ?? { itemIndex: 0 }, error);
		// If a node that continues on errors throws, n8n-core 2.41 passes its input on as a success.
		const done = input.map((_item, itemIndex) =>
			itemOf(attempt, items[itemIndex] ?? { itemIndex }, error),
		);
		const noRows = done.map(() => undefined);
		summarize(context, noRows, done);
		return done;
	}
}

async function toOutput(
	{ context, stops, client, memory }: CallRun,
	wait: WaitSettings,
	items: readonly CallItem[],
	failed: (item: CallItem) => INodeExecutionData,
): Promise<INodeExecutionData[]> {
	let rows = items.map(({ row, isDryRun }) =>
		row && isDryRun && wait.mode !== 'no' ? withUncalledOutcome(row) : row,
	);
	const [only] = items;
	if (wait.mode === 'webhook') {
		if (items.length === 1 && only?.call && only.output && hasCall(only.row)) {
			const limit = Date.now() + wait.limitMs;
			// The event about an earlier call, or one of an execution that was retried, goes elsewhere.
			const expectsEvent =
				memory.hasRung(only.call) &&
				memory.recall(only.call)?.execution === context.getExecutionId();
			summarize(context, rows, []);
			return await waitByWebhook(context, only.row, expectsEvent, limit, only.output);
		}
	} else if (wait.mode === 'polling' || rows.some(isSkipped)) {
		const ends = await withOutcomes(context, client, wait, rows.filter(hasCall));
		rows = rows.map((row) => (hasCall(row) ? ends.shift() : row));
	}
	const done = items.map((item, index) => {
		const row = rows[index];
		if (row === undefined) return failed(item);
		return { json: item.output?.shape(row) ?? row, pairedItem: { item: item.itemIndex } };
	});
	summarize(context, rows, done, stops);
	return done;
}

/** Whether an item has a call whose outcome can be awaited, rather than being skipped by a rule. */
function hasCall(row: IDataObject | undefined): row is IDataObject {
	return row !== undefined && row.callId !== null;
}

const KINDS = ['called', 'would be called', 'skipped', 'failed', 'would fail', 'waiting'] as const;

/** What became of an item, in a word; it failed if it has no row. */
function kindOf(row: IDataObject | undefined): (typeof KINDS)[number] {
	if (row === undefined) return 'failed';
	if (isCalled(row)) return row.timedOut === true ? 'waiting' : 'called';
	if (row.placement === 'dryRun') return 'would be called';
	return row.placement === 'wouldFail' ? 'would fail' : 'skipped';
}

/**
 * A hint that counts what became of the rows, with the reason of the first that was not called, or
 * with the rows that would stop a live run. Rows are counted from 1, as the editor shows them.
 * @param done their items, of which failed ones have an error
 * @param stops whether a failing item ends a live run before its first call
 */
function summarize(
	context: IExecuteFunctions,
	rows: ReadonlyArray<IDataObject | undefined>,
	done: readonly INodeExecutionData[],
	stops = false,
): void {
	const kinds = rows.map(kindOf);
	const failing = kinds.findIndex((kind) => kind === 'failed' || kind === 'would fail');
	const refused = failing < 0 ? kinds.indexOf('skipped') : failing;
	const first = refused < 0 ? kinds.indexOf('would be called') : refused;
	const reason = String(rows[first]?.placementReason ?? done[first]?.json.error);
	if (rows.length === 1) {
		// The error of a failed item says whether its phone rang.
		if (first === 0 && rows[0]) showHint(context, 'info', `No call was placed. ${reason}`);
		return;
	}
	const isDryRun = kinds.some((kind) => kind.startsWith('would'));
	const failed = kinds.flatMap((kind, itemIndex) => (kind === 'failed' ? [{ itemIndex }] : []));
	const which = failed.length > 1 && failed.length < rows.length ? ` (${rowsOf(failed)})` : '';
	const counts = KINDS.flatMap((kind) => {
		const count = kinds.filter((each) => each === kind).length;
		// A dry run places no calls, and nothing of it waits.
		if (count === 0 && (isDryRun || kind.startsWith('would'))) return [];
		const words = isDryRun && kind === 'skipped' ? 'would be skipped' : kind;
		return [`${count} ${words}${kind === 'failed' ? which : ''}`];
	});
	const summary = `${rows.length} rows: ${counts.join(', ')}.`;
	const bad = kinds.flatMap((kind, itemIndex) => (kind === 'would fail' ? [{ itemIndex }] : []));
	if (stops && bad.length > 0 && bad.length < rows.length) {
		const advice = `A live run would stop before its first call because of ${rowsOf(bad)}. To call the others, set On Error on the Settings tab to Continue (using error output).`;
		showHint(context, 'warning', `${summary} ${advice}`);
		return;
	}
	const why = first < 0 ? '' : ` Row ${first + 1}: ${reason}`;
	showHint(context, 'info', summary + why);
}
