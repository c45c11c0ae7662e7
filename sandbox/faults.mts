import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import type { ResponseBody } from './endpoints.mts';
import type {
	EndpointName,
	FaultRule,
	FaultRules,
	LedgerRequest,
	OrganizationName,
} from './types.mts';

const ms = z.int().min(0).max(3_600_000);
const when = z.enum(['before', 'after']);
const afterPlacing = z.boolean().optional();

const latency = z.strictObject({ kind: z.literal('latency'), ms });

/** Replaces the service's own response. No call is placed, unless `afterPlacing` is set. */
const answers = [
	z.strictObject({
		kind: z.literal('status'),
		status: z.int().min(200).max(599),
		/** Seconds; `{ inSeconds }` is sent as an HTTP date. */
		retryAfter: z.union([z.number().min(0), z.strictObject({ inSeconds: z.number() })]).optional(),
		body: z.enum(['json', 'html', 'text', 'empty']).optional(),
		message: z.string().optional(),
		afterPlacing,
	}),
	z.strictObject({ kind: z.literal('html'), afterPlacing }),
	z.strictObject({ kind: z.literal('emptyBody'), afterPlacing }),
	/** A string is sent as raw text, anything else as JSON. */
	z.strictObject({ kind: z.literal('body'), body: z.unknown(), afterPlacing }),
	/**
	 * With `contentLength`, the header promises more bytes than are sent. Otherwise the JSON is cut
	 * off and the length is correct.
	 */
	z.strictObject({ kind: z.literal('truncated'), contentLength: z.boolean().optional() }),
	/** Closes the socket without a response. */
	z.strictObject({ kind: z.literal('reset'), when }),
	/** Never responds. */
	z.strictObject({ kind: z.literal('hang'), when }),
	z.strictObject({
		kind: z.literal('redirect'),
		to: z.string().min(1),
		status: z.union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)]).optional(),
	}),
] as const;

/**
 * Responses that the contract describes. None places a call, except `agentStatus` with
 * `afterPlacing`.
 */
const refusals = [
	z.strictObject({ kind: z.literal('successFalse'), message: z.string().optional() }),
	z.strictObject({ kind: z.literal('callNull') }),
	z.strictObject({ kind: z.literal('agentStatus'), status: z.string(), afterPlacing }),
] as const;

/** Changes to a list's response. */
const listFaults = [
	z.strictObject({ kind: z.literal('clampLimit'), max: z.int().min(0) }),
	/** `missing` leaves `pagination.total` out. */
	z.strictObject({ kind: z.literal('total'), value: z.unknown() }),
	/**
	 * Applies to pages with offset > 0: that many new records are inserted first and shift all
	 * others.
	 */
	z.strictObject({ kind: z.literal('insertMidWalk'), count: z.int().min(1).max(10_000) }),
	/** Returns the previous page again. Applies to pages with offset > 0. */
	z.strictObject({ kind: z.literal('repeatPage') }),
] as const;

/** What can happen to a webhook event on its way. Only for the endpoint `webhook`. */
const deliveries = [
	z.strictObject({ kind: z.literal('duplicate'), copies: z.int().min(1).max(100).optional() }),
	z.strictObject({ kind: z.literal('lost') }),
] as const;

export const faultSchema = z.discriminatedUnion('kind', [
	latency,
	...answers,
	...refusals,
	...listFaults,
	...deliveries,
]);

export const endpointNames = [
	'listConversations',
	'listCalls',
	'listBids',
	'searchCarriers',
	'getAnalytics',
	'triggerCheckCall',
	'triggerCarrierSalesCall',
	'createAgentCall',
	'recording',
] as const;

/** `*` means every endpoint of the service; `webhook` means its webhook deliveries. */
export const faultTargetSchema = z.enum([...endpointNames, '*', 'webhook']);

export const faultRuleSchema = z.strictObject({
	endpoint: faultTargetSchema,
	fault: faultSchema,
	times: z.union([z.int().min(1), z.literal('always')]).optional(),
	skip: z.int().min(0).optional(),
	organization: z.enum(['north', 'south']).optional(),
});

export type Fault = z.infer<typeof faultSchema>;
export type FaultTarget = z.infer<typeof faultTargetSchema>;
export type FaultKind = Fault['kind'];
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;
export type ResponseFault = z.infer<(typeof answers)[number] | (typeof refusals)[number]>;
export type ListFault = z.infer<(typeof listFaults)[number]>;
export type DeliveryFault = z.infer<(typeof deliveries)[number]>;

const kindsOf = (schemas: readonly { shape: { kind: { value: string } } }[]) =>
	new Set<string>(schemas.map((schema) => schema.shape.kind.value));

const responseFaultKinds = kindsOf([...answers, ...refusals]);
const listFaultKinds = kindsOf(listFaults);
const deliveryFaultKinds = kindsOf(deliveries);

const isResponseFault = (fault: Fault): fault is ResponseFault =>
	responseFaultKinds.has(fault.kind);
const isListFault = (fault: Fault): fault is ListFault => listFaultKinds.has(fault.kind);
const isDeliveryFault = (fault: Fault): fault is DeliveryFault =>
	deliveryFaultKinds.has(fault.kind);

/** What happens to a request: a delay, then changes to the response or a different response. */
export interface RequestFaults {
	latencyMs: number;
	answer: ResponseFault | undefined;
	listFaults: ListFault[];
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
	if (fault.kind === 'total') {
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
	return { rule, left, skip: rule.skip ?? 0 };
}

/** Counts down a rule's skip and times. Returns whether it applies now. */
function strikes(active: ActiveRule): boolean {
	if (active.left <= 0) return false;
	if (active.skip > 0) {
		active.skip -= 1;
		return false;
	}
	active.left -= 1;
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
				if (isListFault(rule.fault)) due.listFaults.push(rule.fault);
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

const page = (title: string): string =>
	`<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;

/** Whether the service handles the request before the fault changes its response. */
export function appliesAfterPlacing(fault: ResponseFault): boolean {
	if (fault.kind === 'truncated') return true;
	if (fault.kind === 'reset' || fault.kind === 'hang') return fault.when === 'after';
	return 'afterPlacing' in fault && fault.afterPlacing === true;
}

function sendStatus(reply: FastifyReply, fault: FaultOf<'status'>, now: Date): FastifyReply {
	const { status, retryAfter, body = 'json' } = fault;
	const message = fault.message ?? `The sandbox was asked to answer ${status}`;
	reply.code(status);
	if (typeof retryAfter === 'number') reply.header('Retry-After', String(retryAfter));
	if (typeof retryAfter === 'object') {
		const date = new Date(now.getTime() + retryAfter.inSeconds * 1000);
		reply.header('Retry-After', date.toUTCString());
	}
	if (body === 'empty') return reply.send();
	if (body === 'html') return reply.type('text/html').send(page(message));
	if (body === 'text') return reply.type('text/plain').send(message);
	return reply.type('application/json').send(JSON.stringify({ message }));
}

function truncate(reply: FastifyReply, entry: LedgerRequest, content: ResponseBody, lie: boolean) {
	const whole = Buffer.from(content);
	const half = whole.subarray(0, Math.floor(whole.length / 2));
	if (!lie) return reply.type('application/json').send(half);
	reply.hijack();
	entry.status = 200;
	const headers = { 'Content-Type': 'application/json', 'Content-Length': whole.length };
	reply.raw.writeHead(200, headers).write(half, () => reply.raw.destroy());
	return reply;
}

function callResponse(
	fault: FaultOf<'successFalse' | 'callNull' | 'agentStatus'>,
	endpoint: EndpointName,
	content: ResponseBody | undefined,
): string {
	if (fault.kind === 'agentStatus') {
		const answered: object = content === undefined ? { call: null } : JSON.parse(String(content));
		return JSON.stringify({ ...answered, status: fault.status });
	}
	if (fault.kind === 'callNull') {
		const said = endpoint === 'createAgentCall' ? { status: 'success' } : { success: true };
		return JSON.stringify({ ...said, call: null });
	}
	// Contract 4.7: only the carrier sales call has a `message`.
	const usual =
		endpoint === 'triggerCarrierSalesCall'
			? 'The carrier was already called about this load'
			: undefined;
	return JSON.stringify({ success: false, call: null, message: fault.message ?? usual });
}

/** Responds as the fault says. `content` is what the service would have returned, if it ran. */
export function sendFaultResponse(
	reply: FastifyReply,
	fault: ResponseFault,
	entry: LedgerRequest,
	endpoint: EndpointName,
	content: ResponseBody | undefined,
	now: Date,
): FastifyReply {
	switch (fault.kind) {
		case 'status':
			return sendStatus(reply, fault, now);
		case 'html':
			return reply.type('text/html').send(page('Sign in to continue'));
		case 'emptyBody':
			return reply.type('application/json').send('');
		case 'body':
			return reply
				.type('application/json')
				.send(typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? null));
		case 'truncated':
			return truncate(reply, entry, content ?? '', fault.contentLength === true);
		case 'redirect':
			return reply
				.code(fault.status ?? 302)
				.header('Location', fault.to)
				.send();
		case 'reset':
			reply.hijack();
			reply.raw.socket?.resetAndDestroy();
			return reply;
		case 'hang':
			return reply.hijack();
		default:
			return reply.type('application/json').send(callResponse(fault, endpoint, content));
	}
}
