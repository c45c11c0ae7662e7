import * as z from 'zod';
import type { EndpointName, FaultRules, FaultRule, OrganizationName } from '../types.mts';
import {
	type ResponseFault,
	type DeliveryFault,
	type Fault,
	faultRuleSchema,
	isResponseFault,
	isDeliveryFault,
	isListFault,
	type ListFault,
} from './fault-schema.mts';

/** What happens to a request: a delay, then changes to the response or a different response. */
export interface RequestFaults {
	latencyMs: number;
	answer: ResponseFault | undefined;
	/** Each with the number of times it has applied, including this one. */
	listFaults: { fault: ListFault; strike: number }[];
}

export interface Target {
	endpoint: EndpointName;
	organization: OrganizationName | null;
	/** 0 for the first page; null without pages. */
	offset: number | null;
}

export interface ActiveFaultRules extends FaultRules {
	/** The faults of one request. They count as applied. */
	takeForRequest(target: Target): RequestFaults;
	/** The fault of one webhook event, if any. It counts as applied. */
	takeForDelivery(organization: OrganizationName): DeliveryFault | undefined;
}

interface ActiveRule {
	rule: FaultRule;
	left: number;
	skip: number;
	strikes: number;
}

const triggers = ['triggerCheckCall', 'triggerCarrierSalesCall'];
const lists = ['listConversations', 'listCalls', 'listBids'];

/**
 * Whether this fault can apply to this request: a list has no `call`, and a first page no previous
 * one.
 */
function fits(fault: Fault, { endpoint, offset }: Target): boolean {
	if (isDeliveryFault(fault)) return false;
	if (fault.kind === 'successFalse') return triggers.includes(endpoint);
	if (fault.kind === 'callNull') return [...triggers, 'createAgentCall'].includes(endpoint);
	if (fault.kind === 'agentStatus') return endpoint === 'createAgentCall';
	if (fault.kind === 'total' || fault.kind === 'totalDrift') {
		return lists.includes(endpoint) || ['searchCarriers', 'getAnalytics'].includes(endpoint);
	}
	if (fault.kind === 'insertMidWalk' || fault.kind === 'repeatPage') return (offset ?? 0) > 0;
	if (fault.kind === 'clampLimit') return lists.includes(endpoint);
	return true;
}

function readRule(rule: FaultRule): ActiveRule {
	// JSON has no Infinity, so HTTP clients send "always". Within the process, both are accepted.
	const times = rule.times === Infinity ? 'always' : rule.times;
	const parsed = faultRuleSchema.safeParse({ ...rule, ...(times === undefined ? {} : { times }) });
	if (!parsed.success) throw new Error(`Not a fault rule: ${z.prettifyError(parsed.error)}`);
	if (isDeliveryFault(rule.fault) !== (rule.endpoint === 'webhook')) {
		throw new Error(`The fault "${rule.fault.kind}" cannot befall "${rule.endpoint}"`);
	}
	const left = times === 'always' ? Infinity : (times ?? 1);
	return { rule, left, skip: rule.skip ?? 0, strikes: 0 };
}

/** Counts down a rule's skip and times. Returns whether it applies now. */
function strikes(active: ActiveRule): boolean {
	if (active.left <= 0) return false;
	if (active.skip > 0) {
		active.skip -= 1;
		return false;
	}
	active.left -= 1;
	active.strikes += 1;
	return true;
}

const concerns = (rule: FaultRule, organization: OrganizationName | null): boolean =>
	rule.organization === undefined || rule.organization === organization;

/**
 * Rules apply in the order they were added: all latencies and list faults, but one response fault
 * per request.
 */
export function createFaultRules(): ActiveFaultRules {
	let rules: ActiveRule[] = [];
	const live = () => (rules = rules.filter((active) => active.left > 0));
	return {
		add: (...added) => void rules.push(...added.map(readRule)),
		list: () =>
			live().map(({ rule, left }) => ({ ...rule, times: left === Infinity ? 'always' : left })),
		clear: () => void (rules = []),
		takeForRequest(target) {
			const due: RequestFaults = { latencyMs: 0, answer: undefined, listFaults: [] };
			for (const active of live()) {
				const { rule } = active;
				if (rule.endpoint !== '*' && rule.endpoint !== target.endpoint) continue;
				if (!concerns(rule, target.organization) || !fits(rule.fault, target)) continue;
				// The second response fault waits for the next request.
				if (isResponseFault(rule.fault) && due.answer) continue;
				if (!strikes(active)) continue;
				if (rule.fault.kind === 'latency') due.latencyMs += rule.fault.ms;
				if (isResponseFault(rule.fault)) due.answer = rule.fault;
				if (isListFault(rule.fault)) {
					due.listFaults.push({ fault: rule.fault, strike: active.strikes });
				}
			}
			return due;
		},
		takeForDelivery(organization) {
			for (const active of live()) {
				const { fault } = active.rule;
				if (!isDeliveryFault(fault) || !concerns(active.rule, organization)) continue;
				if (strikes(active)) return fault;
			}
			return undefined;
		},
	};
}
