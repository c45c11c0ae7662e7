import type { IExecuteFunctions } from 'n8n-workflow';

import { isJsonObject, type JsonObject } from '../../../shared/service/http/json';
import { callKey, digest } from '../memory/callMemo';
import type { WantedCall } from '../output/callRow';

/**
 * Which call a call is when an AI agent asks for it. Within one turn of the agent the same number
 * about the same load is one call, however often its model asks: a model that gets no answer, or
 * an unclear one, asks again.
 *
 * Each request of a model is a run of its own, and so is each try of Retry On Fail in an agent
 * before version 3 and in a sub-agent (n8n-core 2.41: `makeHandleToolInvocation`), so the run of
 * the tool says nothing. The run before it is the agent's, or that of the person's approval.
 */
export function agentCallKey(context: IExecuteFunctions, wanted: WantedCall): string {
	const { previousNode, previousNodeRun } = context.getExecuteData().source?.main?.[0] ?? {};
	const turn = [previousNode ?? null, previousNodeRun ?? 0];
	// An agent call is about no load: what the model said with it tells one from another.
	const said = wanted.kind === 'agentCall' ? saidBy(context) : null;
	return digest([callKey(0, 0, wanted), turn, said]);
}

/** What the model filled in: the tool's input, but for the number of the request. */
function saidBy(context: IExecuteFunctions): JsonObject {
	const input: unknown = context.getInputData()[0]?.json;
	if (!isJsonObject(input)) return {};
	return Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'toolCallId'));
}
