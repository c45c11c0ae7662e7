import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failedItem } from '../../shared/errors/itemError';
import { ConstantParameters } from '../../shared/fields/constantParameters';
import { Parameters } from '../../shared/fields/parameters';
import { cancelSignal } from '../../shared/service/http/cancellation';
import { connect } from '../../shared/service/client';
import { waitField } from './fields/wait';
import { readPlacingSettings } from './fields/callOptions';
import { EarlyNotes } from './dial/earlyNotes';
import { placeItems } from './dial/placeItems';
import { CallKeys } from './memory/callKeys';
import { CallRegistry } from './memory/callRegistry';
import type { KnownCall } from './memory/knownCalls';
import { callError } from './output/callErrors';
import { toOutput } from './output/callOutput';
import { callOutput } from './output/callRow';
import type { RunCall } from './output/runSummary';
import { planCall, type CallRequests } from './plan/planCall';
import { callsOf, planFailure, planItems, type CallItem } from './plan/planItems';
import { wordsOf } from './plan/plannedCall';
import { DuplicateGuard } from './rules/duplicateGuard';
import { refuseRulesFromModel } from './rules/fields/notFromModel';
import { refuseTooMany, RulesReader } from './rules/fields/readRules';
import { RunRules } from './rules/runRules';
import { checkCanWait } from './wait/waitByWebhook';

/**
 * Places one call per item, as an operation defines it, and waits for the outcomes if the user
 * wants that: plan → rules → dial → reconcile → wait → output.
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
	const registry = new CallRegistry(context);
	let items: CallItem[] = [];
	let failed: CallItem | undefined;
	let orphans: KnownCall[] | undefined;
	try {
		const constants = new ConstantParameters(context);
		const parameters = new Parameters(context, 0, constants);
		const { lookForMs, timeoutMs, ...speed } = readPlacingSettings(parameters);
		const wait = waitField(requests.takesMetadata).read(parameters, 'waitForOutcome');
		if (wait.mode === 'webhook') checkCanWait(context, input.length);

		refuseRulesFromModel(context);
		refuseTooMany(input.length, parameters);

		const keys = new CallKeys(context);
		const reader = new RulesReader();
		const rules = new RunRules(context, wait.mode !== 'no');
		const early = new EarlyNotes(registry, speed);
		const prepare = (itemIndex: number) => new Parameters(context, itemIndex, constants).evaluate();
		items = await planItems(input.length, prepare, (fields) => {
			const output = callOutput.read(fields, 'output');
			const call = planCall(context, fields, requests, wait, keys, reader);
			// A call placed by an earlier try is kept, whatever the rules say now.
			const row = registry.recall(call) ? undefined : rules.apply(call);
			if (row) return { output, row };
			early.add(call);
			return { output, call };
		});
		const calls = callsOf(items);
		failed = stops ? planFailure(items) : undefined;
		if (failed) throw failed.problem;

		const client = await connect(context, { timeoutMs });
		const signal = cancelSignal(context);
		const guard = new DuplicateGuard(client, registry, calls, lookForMs, signal);
		const run = { context, client, registry, early, guard, rules, speed, lookForMs, signal };
		failed = await placeItems({ ...run, stops }, items);
		if (stops && failed) throw failed.problem;
		const isDryRun = calls.every((call) => call.rules.dryRun);
		return await toOutput(run, isDryRun ? { mode: 'no' } : wait, items, (item) =>
			failedItem(errorOf(item, item.problem), item.itemIndex, onError),
		);
	} catch (error) {
		await registry.close();
		if (stops) throw errorOf(failed ?? items[0] ?? { itemIndex: 0 }, error);
		// If a node that continues on errors throws, n8n-core 2.41 passes its input on as a success.
		return input.map((_item, itemIndex) => {
			return failedItem(errorOf(items[itemIndex] ?? { itemIndex }, error), itemIndex, onError);
		});
	}

	function errorOf({ itemIndex, call }: CallItem, problem: unknown) {
		const action = `The ${wordsOf(requests.kind)}`;
		const ring = call ? registry.ringOf(call) : 'no';
		orphans ??= registry.earlierCalls(callsOf(items));
		// An item without a call may have had one of an earlier try.
		const others = call ? [] : orphans;
		const calls = stops ? [...runCalls(registry, items), ...orphans] : others;
		return callError(context, problem, { itemIndex, action, ring, calls });
	}
}

/** What happened to the calls of a run's items, in this try and earlier ones. */
function runCalls(registry: CallRegistry, items: readonly CallItem[]): RunCall[] {
	return items.flatMap(({ call, row, problem }) => {
		if (call === undefined) return [];
		const { what, itemIndex } = call.known;
		const isOpen = row === undefined && problem === undefined;
		return [{ ...registry.stateOf(call), what, itemIndex, isOpen }];
	});
}
