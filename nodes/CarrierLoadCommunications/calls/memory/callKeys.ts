import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { loadOf } from '../../../shared/service/callEndpoints';
import { isJsonObject } from '../../../shared/service/http/json';
import { runsAsTool } from '../../../shared/fields/runsAsTool';
import { CREDENTIAL_TYPE } from '../../../shared/service/http/request';
import { loadKey } from '../../../shared/service/loads';
import { withoutExtension } from '../plan/extension';
import { withoutOldPrefix } from '../plan/phoneNumber';
import { wordsOf, type CallDetails } from '../plan/plannedCall';
import { digest } from './digest';
import { lineageOf, nodeKeyOf, runIndexOf, runKeyOf } from './execution';
import type { KnownCall } from './knownCalls';

/**
 * Identifies calls, so that they are recognized when the node runs again. The item's position doesn't
 * count, because a restarted execution may read a new first row; nor do metadata and names, because an
 * expression in them (`$now`) would make every try a different call. Among equal calls the occurrence
 * counts, across a loop's iterations: a retry requests the same calls, the next iteration new ones.
 */
export class CallKeys {
	private readonly lineage: string;
	private readonly node: string;
	private readonly shared: Pick<KnownCall, 'account' | 'run' | 'execution'>;
	private readonly before: IDataObject;
	private readonly current: IDataObject = {};

	constructor(private readonly context: IExecuteFunctions) {
		this.lineage = lineageOf(context);
		this.node = nodeKeyOf(context);
		this.shared = {
			account: context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '',
			run: runKeyOf(context),
			execution: context.getExecutionId(),
		};
		const memory = context.getContext('node');
		const last = isJsonObject(memory.callTurn) ? memory.callTurn : {};
		const turn = runIndexOf(context);
		const before = isJsonObject(last.before) ? last.before : {};
		const isNext = typeof last.turn === 'number' && turn > last.turn;
		this.before = isNext && isJsonObject(last.current) ? sum(before, last.current) : before;
		memory.callTurn = { turn, before: this.before, current: this.current };
	}

	/** What is remembered of a run's next call. Must be called in the order of the items. */
	identify(call: CallDetails, itemIndex: number): KnownCall {
		const load = loadOf(call);
		const about = load === undefined ? '' : ` about load ${load}`;
		return {
			...{ key: this.next(call), state: 'noted', from: 0, until: 0, load, itemIndex },
			// Not by account: two credentials may be of one.
			line: digest([withoutOldPrefix(withoutExtension(call.toPhone))]),
			target: this.targetOf(call),
			what: `${wordsOf(call.kind)} to ${call.toPhone}${about}`,
			...this.shared,
		};
	}

	/**
	 * An agent call is about no load, and its number alone proves nothing. It is the same call only if
	 * the same node called with the same agent and variables. The test number is called for many people.
	 */
	private targetOf(call: CallDetails): string {
		const { subject, dynamicVariables, insteadOf } = call;
		const load = loadOf(call);
		const about =
			load === undefined ? [this.node, subject.agentId, dynamicVariables] : [loadKey(load)];
		const phone = withoutOldPrefix(call.toPhone);
		return digest([this.shared.account, phone, about, insteadOf]);
	}

	private next(call: CallDetails): string {
		if (runsAsTool(this.context)) return this.agentKey(call);
		const { kind, toPhone, subject, insteadOf } = call;
		// The test number is called for many people.
		const equal = digest([kind, toPhone, subject, insteadOf]);
		const occurrence = countOf(this.current, equal) + 1;
		this.current[equal] = occurrence;
		return digest([this.lineage, equal, countOf(this.before, equal) + occurrence]);
	}

	/**
	 * Within one turn of an AI agent, the same number and load (or agent ID) is one call: a model without
	 * a clear response asks again in other words. Each of its requests is a separate run, and so may be
	 * each try of Retry On Fail (n8n-core 2.41: `makeHandleToolInvocation`), so the tool's run index says
	 * nothing. The run before it belongs to the agent, or to a person's approval.
	 */
	private agentKey(call: CallDetails): string {
		const source = this.context.getExecuteData().source?.main?.[0];
		const turn = [source?.previousNode ?? null, source?.previousNodeRun ?? 0];
		const load = loadOf(call);
		const about = load === undefined ? call.subject.agentId : loadKey(load);
		const { toPhone, insteadOf } = call;
		const asked = insteadOf ?? toPhone;
		const test = insteadOf === undefined ? [] : [toPhone];
		const base = digest([this.lineage, turn, withoutExtension(asked), about].concat(test));
		return digest([base, this.extensionOf(base, asked)]);
	}

	/** An extension may be left out at times: two numbers differ only if both have one. */
	private extensionOf(base: string, phone: string): string {
		const memory = this.context.getContext('node');
		const asked = isJsonObject(memory.extensions) ? memory.extensions : {};
		memory.extensions = asked;
		const extension = phone.split(';ext=')[1] ?? '';
		const own: unknown[] = Array.isArray(asked[base]) ? asked[base] : [];
		const same = own.find((each) => extension === '' || each === '' || each === extension);
		if (same !== undefined) return String(same);
		asked[base] = [...own.map(String), extension];
		return extension;
	}
}

function sum(one: IDataObject, other: IDataObject): IDataObject {
	const names = [...Object.keys(one), ...Object.keys(other)];
	return Object.fromEntries(names.map((name) => [name, countOf(one, name) + countOf(other, name)]));
}

function countOf(counts: IDataObject, name: string): number {
	return Number(counts[name] ?? 0);
}
