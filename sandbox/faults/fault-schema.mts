import * as z from 'zod';

const ms = z.int().min(0).max(3_600_000);
const when = z.enum(['before', 'after']);
const afterPlacing = z.boolean().optional();

const latency = z.strictObject({ kind: z.literal('latency'), ms });

/** Answers instead of the service's own. On a trigger nothing is dialed unless `afterPlacing`. */
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
	/** A string is sent as raw text, all else as JSON. */
	z.strictObject({ kind: z.literal('body'), body: z.unknown(), afterPlacing }),
	/** `contentLength` promises more bytes than come; else the JSON is cut and its length is true. */
	z.strictObject({ kind: z.literal('truncated'), contentLength: z.boolean().optional() }),
	/** The socket is destroyed, no answer is written. */
	z.strictObject({ kind: z.literal('reset'), when }),
	/** Never answers. */
	z.strictObject({ kind: z.literal('hang'), when }),
	z.strictObject({
		kind: z.literal('redirect'),
		to: z.string().min(1),
		status: z.union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)]).optional(),
	}),
] as const;

/** Answers that the contract itself foresees. None dials, but `agentStatus` with `afterPlacing`. */
const refusals = [
	z.strictObject({ kind: z.literal('successFalse'), message: z.string().optional() }),
	z.strictObject({ kind: z.literal('callNull') }),
	z.strictObject({ kind: z.literal('agentStatus'), status: z.string(), afterPlacing }),
] as const;

/** Changes to what a list answers. */
const listFaults = [
	z.strictObject({ kind: z.literal('clampLimit'), max: z.int().min(0) }),
	/** `missing` leaves `pagination.total` out. */
	z.strictObject({ kind: z.literal('total'), value: z.unknown() }),
	/** `total` is off by `by` at the first strike, by twice that at the second, and so on. */
	z.strictObject({ kind: z.literal('totalDrift'), by: z.int() }),
	/** Strikes at a page with offset > 0: that many new records come first, and all others move on. */
	z.strictObject({ kind: z.literal('insertMidWalk'), count: z.int().min(1).max(10_000) }),
	/** Answers the page before this one again. Strikes at a page with offset > 0. */
	z.strictObject({ kind: z.literal('repeatPage') }),
] as const;

/** What can happen to a webhook event on its way. For the endpoint `webhook` only. */
const deliveries = [
	z.strictObject({ kind: z.literal('duplicate'), copies: z.int().min(1).max(100).optional() }),
	/** Held back until the next event was delivered: the two arrive in the wrong order. */
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

/** `*` is every endpoint of the service; `webhook` is the way out. */
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
