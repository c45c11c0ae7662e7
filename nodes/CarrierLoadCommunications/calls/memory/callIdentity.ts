import type { IExecuteFunctions } from 'n8n-workflow';

import { loadOf } from '../../../shared/service/callEndpoints';
import { CREDENTIAL_TYPE } from '../../../shared/service/http/request';
import { loadKey } from '../output/listedCall';
import { describeCall, type PlannedCall } from '../plan/plannedCall';
import { withoutExtension } from '../plan/extension';
import { withoutOldPrefix } from '../plan/phoneNumber';
import { digest } from './digest';
import { nodeKeyOf, runKeyOf } from './execution';
import type { KnownCall } from './knownCalls';

/** What tells calls apart: the line they go to, and what the duplicate guard compares. */
export class CallIdentity {
	/** The credential of the node. */
	readonly account: string;
	private readonly node: string;
	private readonly run: string;
	private readonly execution: string;
	private readonly described = new WeakMap<PlannedCall, KnownCall>();

	constructor(context: IExecuteFunctions) {
		this.account = context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '';
		this.node = nodeKeyOf(context);
		this.run = runKeyOf(context);
		this.execution = context.getExecutionId();
	}

	/** What is remembered of a call before it is dialed. */
	describe(call: PlannedCall): KnownCall {
		const known = this.described.get(call) ?? {
			...{ key: call.key, state: 'noted', line: lineOf(call), load: loadOf(call) },
			...{ account: this.account, target: this.targetOf(call), from: 0, until: 0 },
			...{ run: this.run, execution: this.execution },
			...{ what: describeCall(call), itemIndex: call.itemIndex },
		};
		this.described.set(call, known);
		return known;
	}

	/**
	 * An agent call is about no load, and its number alone proves nothing. It is the same call only if
	 * the same node called with the same agent and variables. The test number is called for many people.
	 */
	private targetOf(call: PlannedCall): string {
		const { subject, dynamicVariables = {}, insteadOf = [] } = call;
		const phone = withoutOldPrefix(call.toPhone);
		const load = loadOf(call);
		const about =
			load === undefined ? [this.node, subject.agentId, dynamicVariables] : [loadKey(load)];
		return digest([this.account, phone, ...about].concat(insteadOf));
	}
}

/** The number, without its extension or account: two credentials may be of one account. */
function lineOf({ toPhone }: PlannedCall): string {
	return digest([withoutOldPrefix(withoutExtension(toPhone))]);
}
