import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isJsonObject } from '../../../shared/service/http/json';
import { runsAsTool } from '../../../shared/fields/runsAsTool';
import { loadOf, type CallDetails } from '../plan/plannedCall';
import { digest } from './digest';
import { lineageOf, runIndexOf } from './execution';

/**
 * Says which call a call is, so that it can be recognized when the node runs again: the node in its
 * execution, the kind, the number, what it is about, and its occurrence among equal calls.
 *
 * The item's position does not count, because a restarted execution may read one new row on top.
 * Metadata and names don't count either: an expression in them (`$now`) would make every try another
 * call. Occurrences go on counting over the turns of a loop. So a retry within the same turn asks
 * for the same calls, and the next turn of a loop asks for others.
 */
export class CallKeys {
	private readonly lineage: string;
	private readonly before: IDataObject;
	private readonly current: IDataObject = {};

	constructor(private readonly context: IExecuteFunctions) {
		this.lineage = lineageOf(context);
		const memory = context.getContext('node');
		const last = isJsonObject(memory.callTurn) ? memory.callTurn : {};
		const turn = runIndexOf(context);
		const before = isJsonObject(last.before) ? last.before : {};
		const isNext = typeof last.turn === 'number' && turn > last.turn;
		this.before = isNext && isJsonObject(last.current) ? sum(before, last.current) : before;
		memory.callTurn = { turn, before: this.before, current: this.current };
	}

	/** The key of the next call of a run; ask in the order of the items. */
	next(call: CallDetails): string {
		if (runsAsTool(this.context)) return this.agentKey(call);
		const { kind, toPhone, subject } = call;
		const about = Object.entries(subject).sort(([one], [other]) => (one < other ? -1 : 1));
		const equal = digest([kind, toPhone, about]);
		const occurrence = countOf(this.current, equal) + 1;
		this.current[equal] = occurrence;
		return digest([this.lineage, equal, countOf(this.before, equal) + occurrence]);
	}

	/**
	 * Within one turn of an AI agent the same number and load (or agent ID) is one call, however its
	 * model words it: a model that gets no answer, or an unclear one, asks again in other words.
	 *
	 * Each request of a model is a run of its own, and so is each try of Retry On Fail in an agent
	 * before version 3 and in a sub-agent (n8n-core 2.41: `makeHandleToolInvocation`), so the tool's
	 * run index says nothing. The run before it is the agent's, or that of a person's approval.
	 */
	private agentKey(call: CallDetails): string {
		const source = this.context.getExecuteData().source?.main?.[0];
		const turn = [source?.previousNode ?? null, source?.previousNodeRun ?? 0];
		return digest([this.lineage, turn, call.toPhone, loadOf(call) ?? call.subject.agentId]);
	}
}

function sum(one: IDataObject, other: IDataObject): IDataObject {
	const names = [...Object.keys(one), ...Object.keys(other)];
	return Object.fromEntries(names.map((name) => [name, countOf(one, name) + countOf(other, name)]));
}

function countOf(counts: IDataObject, name: string): number {
	return Number(counts[name] ?? 0);
}
