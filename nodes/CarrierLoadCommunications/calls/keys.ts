import { hash, randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { runsAsTool } from '../../shared/fields/parameters';
import { CREDENTIAL_TYPE, type CallKind } from '../../shared/service/contract';
import { loadOf } from '../../shared/service/callRequest';
import { isJsonObject } from '../../shared/service/json';
import { loadKey } from '../../shared/service/loads';
import type { CallDetails, CallIdentity } from './call';
import { extensionOf, withoutExtension, withoutOldPrefix } from './phone';

/**
 * Identifies a run's calls, so that they are recognized when the node runs again. The item's position
 * doesn't count, because a retried execution may read a new first row; nor do metadata and names,
 * because an expression in them (`$now`) would make every try a different call. Among equal calls the
 * occurrence counts.
 */
export class CallKeys {
	private readonly lineage: string;
	private readonly shared: Pick<CallIdentity, 'account' | 'run' | 'execution'>;
	private readonly requested = new Map<string, number>();

	constructor(private readonly context: IExecuteFunctions) {
		this.lineage = lineageOf(context);
		this.shared = {
			account: context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '',
			run: runKeyOf(context),
			execution: context.getExecutionId(),
		};
	}

	/** Identifies a run's next call. Must be called in the order of the items. */
	identify(call: CallDetails, itemIndex: number): CallIdentity {
		const load = loadOf(call);
		const { dotNumber, nextStopIndex } = call.subject;
		return {
			key: runsAsTool(this.context) ? this.agentKey(call) : this.nextKey(call),
			phoneKey: phoneKeyOf(call.toPhone),
			extension: extensionOf(call.toPhone),
			duplicateKey: this.duplicateKeyOf(call),
			load,
			dotNumber,
			nextStopIndex: typeof nextStopIndex === 'number' ? nextStopIndex : undefined,
			what: `${wordsOf(call.kind)} to ${shownPhone(call.toPhone)}${load === undefined ? '' : ` (load ${load})`}`,
			itemIndex,
			...this.shared,
		};
	}

	/**
	 * An agent call is about no load, and its number alone proves nothing: it is the same only for the same
	 * node, agent and variables. In a manual execution, variables such as `$now` differ with each click.
	 */
	private duplicateKeyOf(call: CallDetails): string {
		const { kind, subject, dynamicVariables, intendedPhone } = call;
		const { account } = this.shared;
		const load = loadOf({ subject });
		if (load !== undefined) return loadCallKey(account, call, load);
		const variables = this.context.getMode() === 'manual' ? undefined : dynamicVariables;
		const about = [nodeKeyOf(this.context), subject.agentId, variables];
		return digest([account, kind, about, intendedPhone]);
	}

	private nextKey({ kind, toPhone, subject, intendedPhone }: CallDetails): string {
		const key = digest([this.lineage, this.shared.run, kind, toPhone, subject, intendedPhone]);
		const occurrence = (this.requested.get(key) ?? 0) + 1;
		this.requested.set(key, occurrence);
		return `${key}/${occurrence}`;
	}

	/**
	 * Within one turn of an AI agent, the same number, load and carrier (or agent ID) is one call: a
	 * model without a clear response asks again in other words. Each of its requests is a separate run,
	 * and so may be each try of Retry On Fail (n8n-core 2.41: `makeHandleToolInvocation`), so the tool's
	 * run index says nothing. The run before it belongs to the agent, or to a person's approval.
	 */
	private agentKey(call: CallDetails): string {
		const source = this.context.getExecuteData().source?.main?.[0];
		const turn = [source?.previousNode ?? null, source?.previousNodeRun ?? 0];
		const { kind, subject, toPhone, intendedPhone } = call;
		const load = loadOf(call);
		const about = [kind, load === undefined ? subject.agentId : loadKey(load), subject.dotNumber];
		const asked = intendedPhone ?? toPhone;
		const test = intendedPhone === undefined ? [] : [toPhone];
		const node = this.context.getNode().id;
		const base = digest([this.lineage, node, turn, phoneKeyOf(asked), about, test]);
		return this.oneCall(base, asked);
	}

	/** The key of the turn's call to the number. An extension may be left out at times: two differ only if both have one. */
	private oneCall(base: string, phone: string): string {
		const any = `${base}/`;
		const own = any + (extensionOf(phone) ?? '');
		const { placedCalls } = this.context.getContext('flow');
		const asked = Object.keys(Object(placedCalls)).filter((key) => key.startsWith(any));
		return asked.find((key) => key === own || key === any || own === any) ?? own;
	}
}

/** What the duplicate guard compares of a call, as if it were about this load. */
export function loadCallKey(
	account: string,
	{ kind, subject, intendedPhone }: CallDetails,
	load: string,
): string {
	return digest([account, kind, [loadKey(load), subject.dotNumber], intendedPhone]);
}

/** "+13125550188;ext=204" -> "(312) 555-0188 x204" */
function shownPhone(phone: string): string {
	return phone.replace(/^\+1(\d{3})(\d{3})(\d{4})(?!\d)/, '($1) $2-$3').replace(';ext=', ' x');
}

/** Identifies a number, with any extension. */
function phoneKeyOf(phone: string): string {
	return withoutOldPrefix(withoutExtension(phone));
}

/** Identifies a node within this n8n; copied workflows keep their nodes' IDs. */
export function nodeKeyOf(context: IExecuteFunctions): string {
	return `${context.getWorkflow().id}:${context.getNode().id}`;
}

/** Identifies a run of this node in its execution; all tries of the run share it. */
export function runKeyOf(context: IExecuteFunctions): string {
	return `${context.getNode().id}:${runIndexOf(context)}`;
}

/** The number of this node's run in its execution, from 0: the iteration of a loop. */
export function runIndexOf(context: IExecuteFunctions): number {
	return Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
}

export function resumeUrlOf(context: IExecuteFunctions): string {
	const execution: unknown = context.getWorkflowDataProxy(0).$execution;
	return isJsonObject(execution) ? String(execution.resumeUrl ?? '') : '';
}

/** Identifies an execution and its retries, which keep its own data (n8n-core 2.41: `getContext('flow')`). */
export function lineageOf(context: IExecuteFunctions): string {
	const memory = context.getContext('flow');
	memory.callLineage ??= randomUUID();
	return String(memory.callLineage);
}

/** A short hash of plain values. The order of an object's keys doesn't count. */
export function digest(value: unknown): string {
	return hash('sha256', JSON.stringify(value, sorted)).slice(0, 32);
}

function sorted(_key: string, value: unknown): unknown {
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** "carrierSalesCall" -> "carrier sales call" */
export function wordsOf(kind: CallKind): string {
	return kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A call's ID as text; undefined for values that can't identify a call, such as 0 or spaces. */
export function callIdOf({ id }: IDataObject): string | undefined {
	if (typeof id === 'number') return Number.isSafeInteger(id) && id > 0 ? String(id) : undefined;
	const text = typeof id === 'string' ? id.trim().slice(0, 100) : '';
	return /[\p{L}\p{N}]/u.test(text) && !/^(0+|null|undefined|none|nan)$/i.test(text)
		? text
		: undefined;
}
