import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failedItem } from '../../shared/errors/itemError';
import { ConstantParameters, Parameters } from '../../shared/fields/parameters';
import { cancelSignal } from '../../shared/service/http/cancellation';
import { connect } from '../../shared/service/client';
import { waitFields } from './fields/wait';
import { readPlacingSettings } from './fields/callOptions';
import { EarlyNotes } from './dial/earlyNotes';
import { placeRun } from './dial/placeRun';
import { callsOf, orphanCalls, runCalls } from './dial/runCalls';
import { Pace } from './dial/pacing';
import { CallKeys } from './memory/callKeys';
import { nodeKeyOf } from './memory/execution';
import { CallRegistry } from './memory/callRegistry';
import type { Ring } from './memory/knownCalls';
import { callError } from './output/callErrors';
import { toOutput } from './output/callOutput';
import { callOutput } from './output/callRow';
import { planCall, type CallRequests } from './plan/planCall';
import { planFailure, planItems, type Plan } from './plan/planItems';
import { nameKind } from './plan/plannedCall';
import { DuplicateGuard } from './rules/duplicateGuard';
import { refuseRulesFromModel } from './rules/fields/notFromModel';
import { RulesReader } from './rules/fields/readRules';
import { refuseTooMany } from './rules/maxCalls';
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
	items: INodeExecutionData[],
	requests: CallRequests<Values>,
): Promise<INodeExecutionData[]> {
	const action = nameKind(requests.kind);
	const registry = new CallRegistry(context);
	let plans: Plan[] = [];
	try {
		const constants = new ConstantParameters(context);
		const parameters = new Parameters(context, 0, constants);
		const { parallel, perMinute, lookForMs, timeoutMs } = readPlacingSettings(parameters);
		const wait = waitFields(requests.takesMetadata).read(parameters).wait;
		if (wait.mode === 'webhook') checkCanWait(context, items.length);

		refuseRulesFromModel(context);
		refuseTooMany(items.length, parameters);

		const outputOf = (fields: Parameters) => callOutput.read(fields).output;
		const keys = new CallKeys(context);
		const reader = new RulesReader();
		const rules = new RunRules(context, registry, wait.mode !== 'no');
		const early = new EarlyNotes(registry, { parallel, perMinute });
		const prepare = (itemIndex: number) => new Parameters(context, itemIndex, constants).evaluate();
		plans = await planItems(items.length, prepare, async (fields) => {
			outputOf(fields);
			const call = planCall(context, fields, requests, wait, keys, reader);
			// A call placed by an earlier try is kept, whatever the rules say now.
			const row = registry.recall(call) ? undefined : rules.apply(call);
			if (row) return { row };
			early.add(call);
			return { call };
		});
		const failure = context.continueOnFail() ? undefined : planFailure(plans);
		if (failure) {
			const calls = runCalls(registry, plans);
			throw callError(context, failure.error, { ...failure, action, ring: 'no', calls });
		}

		const client = await connect(context, { timeoutMs });
		const signal = cancelSignal(context);
		const guard = new DuplicateGuard(client, registry, callsOf(plans), lookForMs, signal);
		const pace = new Pace(nodeKeyOf(context), perMinute, signal);
		const run = { context, client, registry, early, guard, rules, pace, lookForMs, signal };
		const outcomes = await placeRun(run, plans, { action, parallel, perMinute });
		const isDryRun = callsOf(plans).every((call) => call.rules.dryRun);
		return await toOutput(
			context,
			client,
			isDryRun ? { mode: 'no' } : wait,
			outcomes,
			(itemIndex) => outputOf(new Parameters(context, itemIndex, constants)),
		);
	} catch (error) {
		await registry.close();
		const ringOf = (itemIndex: number) => ringOfPlan(registry, plans[itemIndex]);
		if (!context.continueOnFail()) {
			const calls = runCalls(registry, plans);
			throw callError(context, error, { itemIndex: 0, action, ring: ringOf(0), calls });
		}
		// If a node that continues on errors throws, n8n-core 2.41 passes its input on as a success.
		const orphans = orphanCalls(registry, plans);
		return items.map((_item, itemIndex) => {
			const calls = 'call' in (plans[itemIndex] ?? {}) ? [] : orphans;
			const failed = { itemIndex, action, ring: ringOf(itemIndex), calls };
			return failedItem(callError(context, error, failed), itemIndex);
		});
	}
}

function ringOfPlan(registry: CallRegistry, plan: Plan | undefined): Ring {
	return plan && 'call' in plan ? registry.ringOf(plan.call) : 'no';
}
