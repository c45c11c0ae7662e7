import type { IExecuteFunctions } from 'n8n-workflow';

import { isJsonObject } from '../../../shared/service/http/json';
import { digest } from './digest';

/** The number of this node's run in its execution, from 0: the iteration of a loop. */
export function runIndexOf(context: IExecuteFunctions): number {
	return Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
}

/** Identifies a run of this node in its execution; all tries of the run share it. */
export function runKeyOf(context: IExecuteFunctions): string {
	return `${context.getNode().id}:${runIndexOf(context)}`;
}

/** The URL that resumes this execution while it waits. */
export function resumeUrlOf(context: IExecuteFunctions): string {
	const execution: unknown = context.getWorkflowDataProxy(0).$execution;
	return isJsonObject(execution) ? String(execution.resumeUrl ?? '') : '';
}

/** Identifies a node within this n8n; copied workflows keep their nodes' IDs. */
export function nodeKeyOf(context: IExecuteFunctions): string {
	return `${context.getWorkflow().id}:${context.getNode().id}`;
}

/**
 * Identifies this node in an execution, its retries and a second start of the same job: by the token
 * of the resume URL (n8n-workflow 2.41 keeps it in the run's data), or in older versions by the ID of
 * the first execution, which the run's data takes along into a retry.
 */
export function lineageOf(context: IExecuteFunctions): string {
	const url = resumeUrlOf(context);
	const token = URL.canParse(url) ? new URL(url).searchParams.get('signature') : null;
	return digest([token ?? firstExecutionOf(context), context.getNode().id]);
}

function firstExecutionOf(context: IExecuteFunctions): string {
	const memory = context.getContext('flow');
	memory.firstExecution ??= context.getExecutionId();
	return String(memory.firstExecution);
}

/** When this execution, or the one it retries, started (Unix milliseconds), if that is known. */
export function startOf(context: IExecuteFunctions): number | undefined {
	const established: unknown = context.getExecutionContext?.()?.establishedAt;
	return typeof established === 'number' ? established : undefined;
}
