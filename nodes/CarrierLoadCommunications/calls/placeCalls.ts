import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failedItem } from '../../shared/errors/itemError';
import { Parameters } from '../../shared/fields/parameters';
import { cancelSignal } from '../../shared/service/http/cancellation';
import { connect } from '../../shared/service/client';
import { waitFields } from './fields/wait';
import { readPlacingSettings } from './fields/callOptions';
import { placeRun } from './dial/placeRun';
import { Pace } from './dial/pacing';
import { CallKeys } from './memory/callKeys';
import { nodeKeyOf } from './memory/execution';
import { CallRegistry } from './memory/callRegistry';
import { callError } from './output/callErrors';
import { putOut, readShape } from './output/callOutput';
import { planCall, type CallRequests } from './plan/planCall';
import { planFailure, planItems } from './plan/planItems';
import { nameKind } from './plan/plannedCall';
import { DuplicateGuard } from './rules/duplicateGuard';
import { refuseRulesFromModel } from './rules/fields/notFromModel';
import { RulesReader } from './rules/fields/readRules';
import { refuseTooMany } from './rules/maxCalls';
import { RunRules } from './rules/runRules';
import { checkCanWait } from './wait/waitByWebhook';

/**
 * Places one call for each item, as an operation says, and waits for the outcomes if asked to:
 * plan → rules → dial → reconcile → wait → output.
 *
 * @returns an item for each input item, in their order
 * @throws the error of the first failed item, unless the node is set to continue
 */
export async function placeCalls<Values extends object>(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	requests: CallRequests<Values>,
): Promise<INodeExecutionData[]> {
	const action = nameKind(requests.kind);
	try {
		const parameters = new Parameters(context, 0);
		const { parallel, perMinute, lookForMs, timeoutMs } = readPlacingSettings(parameters);
		const wait = waitFields(requests.takesMetadata).read(parameters).wait;
		if (wait.mode === 'webhook') checkCanWait(context, items.length);

		refuseRulesFromModel(context);
		refuseTooMany(items.length, parameters);

		const keys = new CallKeys(context);
		const reader = new RulesReader();
		const rules = new RunRules(context, wait.mode !== 'no');
		const plans = await planItems(items.length, async (itemIndex) => {
			readShape(context, itemIndex);
			const fields = new Parameters(context, itemIndex);
			const call = planCall(context, fields, requests, wait, keys, reader);
			const row = await rules.apply(call);
			return row ? { row } : { call };
		});
		const failure = context.continueOnFail() ? undefined : planFailure(plans);
		if (failure) throw callError(context, failure.error, { ...failure, action, ring: 'no' });

		const client = await connect(context, { timeoutMs });
		const registry = new CallRegistry(context);
		const signal = cancelSignal(context);
		const calls = plans.flatMap((plan) => ('call' in plan ? [plan.call] : []));
		const guard = new DuplicateGuard(client, registry, calls, lookForMs, signal);
		const pace = new Pace(nodeKeyOf(context), perMinute, signal);
		const run = { context, client, registry, guard, rules, pace, lookForMs, signal };
		const outcomes = await placeRun(run, plans, { action, parallel, perMinute });
		return await putOut(context, client, wait, outcomes);
	} catch (error) {
		const shown = callError(context, error, { itemIndex: 0, action, ring: 'no' });
		// n8n-core 2.41 passes the input on as if all were well when a node that is to continue throws.
		if (!context.continueOnFail()) throw shown;
		return items.map((_item, itemIndex) => failedItem(shown, itemIndex));
	}
}
