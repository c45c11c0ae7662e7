import type { IExecuteFunctions } from 'n8n-workflow';

import { isJsonObject } from '../../../shared/service/http/json';
import { digest } from './digest';

/** Which run of this node in its execution this is, from 0: the turn of a loop. */
export function runIndexOf(context: IExecuteFunctions): number {
	return Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
}

/** Identifies a run of this node in its execution; all tries of the run share it. */
export function runKeyOf(context: IExecuteFunctions): string {
	return `${context.getNode().id}:${runIndexOf(context)}`;
}

/** The URL that resumes this execution when it waits. */
export function resumeUrlOf(context: IExecuteFunctions): string {
	const execution: unknown = context.getWorkflowDataProxy(0).$execution;
	return isJsonObject(execution) ? String(execution.resumeUrl ?? '') : '';
}

/** Names a node among all of this n8n; copies of a workflow keep the IDs of its nodes. */
export function nodeKeyOf(context: IExecuteFunctions): string {
	return `${context.getWorkflow().id}:${context.getNode().id}`;
}

/**
 * What this node in an execution shares with the execution's retries and with a second start of the
 * same job, and with nothing else: the token of the resume URL (n8n-workflow 2.41 keeps it in the
 * run's data). Before n8n had the token, the execution's ID, which a retry does not keep.
 */
export function lineageOf(context: IExecuteFunctions): string {
	const url = resumeUrlOf(context);
	const token = URL.canParse(url) ? new URL(url).searchParams.get('signature') : null;
	return digest([token ?? context.getExecutionId(), context.getNode().id]);
}

/** When this execution or the one it retries began, as Unix milliseconds; undefined if unknown. */
export function startOf(context: IExecuteFunctions): number | undefined {
	const established: unknown = context.getExecutionContext?.()?.establishedAt;
	return typeof established === 'number' ? established : undefined;
}
