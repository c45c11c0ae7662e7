import type { IExecuteFunctions } from 'n8n-workflow';

import { isJsonObject } from '../../../shared/service/http/json';
import { digest } from './callMemo';

/** The turn of the loop that this node is in, from 0. */
export function runIndexOf(context: IExecuteFunctions): number {
	return Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
}

/** The address at which this execution goes on when it waits. */
export function resumeUrlOf(context: IExecuteFunctions): string {
	const execution: unknown = context.getWorkflowDataProxy(0).$execution;
	return isJsonObject(execution) ? String(execution.resumeUrl ?? '') : '';
}

/**
 * What an execution has in common with its retries and with a second start of the same job, and
 * with nothing else: the token of its resume address (n8n-workflow 2.41 keeps it in the run's data).
 * Before n8n had the token, the execution's id, which a retry does not keep.
 */
export function lineageOf(context: IExecuteFunctions): string {
	const url = resumeUrlOf(context);
	const token = URL.canParse(url) ? new URL(url).searchParams.get('signature') : null;
	return digest([token ?? context.getExecutionId(), context.getNode().id]);
}

/** When this execution or the one that it retries began, as Unix milliseconds; undefined if unknown. */
export function startOf(context: IExecuteFunctions): number | undefined {
	const established: unknown = context.getExecutionContext?.()?.establishedAt;
	return typeof established === 'number' ? established : undefined;
}
