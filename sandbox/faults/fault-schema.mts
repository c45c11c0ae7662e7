import * as z from 'zod';

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
	/** `total` is off by `by` the first time, by twice that the second time, and so on. */
	z.strictObject({ kind: z.literal('totalDrift'), by: z.int() }),
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
	/** Delivered after the next event, so the two arrive in the wrong order. */
	z.strictObject({ kind: z.literal('outOfOrder') }),
	z.strictObject({ kind: z.literal('delayed'), ms }),
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

export const isResponseFault = (fault: Fault): fault is ResponseFault =>
	responseFaultKinds.has(fault.kind);
export const isListFault = (fault: Fault): fault is ListFault => listFaultKinds.has(fault.kind);
export const isDeliveryFault = (fault: Fault): fault is DeliveryFault =>
	deliveryFaultKinds.has(fault.kind);
