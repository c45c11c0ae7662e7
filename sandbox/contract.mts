import * as z from 'zod';

/** Contract 4.5: E.164 with + and country code; for an extension `;ext=` and its digits. */
const phoneSchema = z
	.string()
	.regex(/^\+[1-9]\d{6,14}(;ext=\d+)?$/, 'must be a phone number like +13125550142;ext=204');

/** Contract 2: an ISO 8601 timestamp. */
export const timestampSchema = z.iso.datetime({ offset: true });

/** Contract 4.1 "date in ISO 8601": a timestamp or a date alone; without an offset it is read as UTC. */
const timeSchema = z.union(
	[z.iso.datetime({ offset: true, local: true }), z.iso.date()],
	'must be an ISO 8601 date or date-time, like 2026-02-03T08:00:00Z',
);

/** Contract 4.3: "city, state". */
const placeSchema = z
	.string()
	.regex(/^[^,]*[^,\s][^,]*,\s*[^,\s][^,]*$/, 'must be city and state, like "Joliet, IL"');

/** Contract 2.8. */
export const metadataSchema = z.record(
	z.string(),
	z.union([z.string(), z.number()], 'must be a string or a number'),
);

/** Text that isn't blank. */
const textSchema = z.string().min(1, 'must not be empty');

export type Metadata = z.infer<typeof metadataSchema>;

type Tolerant<Shape extends z.ZodRawShape> = {
	[Key in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Key] & z.core.SomeType>>;
};

/**
 * Makes every field of a schema nullable and optional: contract 2.9 doesn't show which response
 * fields may be null or absent. Unknown fields are accepted anyway.
 */
function tolerant<Shape extends z.ZodRawShape>(
	schema: z.ZodObject<Shape>,
): z.ZodObject<Tolerant<Shape>, z.core.$loose> {
	const shape = Object.fromEntries(
		Object.entries(schema.shape).map(([key, field]) => [key, z.nullish(field)]),
	);
	// Object.fromEntries loses the keys, which the mapped type restores.
	return z.looseObject(shape as Tolerant<Shape>);
}

/** Contract 2.1. */
const paginationSchema = z.object({ limit: z.int(), offset: z.int(), total: z.int() });

/** Contract 2.1: the carriers list reports nothing else. */
const totalOnlySchema = z.object({ total: z.int() });

/** Contract 4.1. */
export const LIMIT = { min: 1, max: 500, default: 100 } as const;

/** The filters of contract 4.1. */
export const listQuerySchema = z.strictObject({
	startTime: timeSchema,
	endTime: timeSchema,
	loadId: textSchema.optional(),
	mcNumber: textSchema.optional(),
});

/** The page of contract 4.1. */
const pageQuerySchema = z.strictObject({
	offset: z.int().min(0).optional(),
	limit: z.int().min(LIMIT.min).max(LIMIT.max).optional(),
});

export type ListQuery = z.infer<typeof listQuerySchema>;

/** Contract 2.2. */
const conversationSchema = z.object({
	id: z.int(),
	type: z.string(),
	createdAt: timestampSchema,
	mcNumber: z.string(),
	dotNumber: z.int(),
	carrierHwConnectionStatus: z.string(),
	carrierHwRulesAssessment: z.string(),
	fromPhone: z.string(),
	callerName: z.string(),
	callerExt: z.string(),
	callSummary: z.string(),
	callContentTags: z.string(),
	emailSubject: z.string(),
	emailFrom: z.string(),
	loads: z.string(),
	totalBids: z.int(),
	bidAmounts: z.string(),
});

/** Contract 4.2: the common filters, and the load's pickup and delivery address. */
export const conversationQuerySchema = listQuerySchema.extend({
	origin: textSchema.optional(),
	destination: textSchema.optional(),
});

export const conversationPageQuerySchema = conversationQuerySchema.extend(pageQuerySchema.shape);

export const conversationPageSchema = z.object({
	conversations: z.array(conversationSchema),
	pagination: paginationSchema,
});

/** What the sandbox returns: an email has no phone, a call no subject. */
export const conversationAnswerSchema = conversationPageSchema.extend({
	conversations: z.array(tolerant(conversationSchema)),
});

export type ConversationQuery = z.infer<typeof conversationQuerySchema>;
export type ConversationRecord = z.infer<typeof conversationAnswerSchema>['conversations'][number];

/** Contract 2.3. */
const listedCallSchema = z.object({
	id: z.int(),
	fromPhone: z.string(),
	callerName: z.string(),
	callerExt: z.string(),
	toPhone: z.string(),
	createdAt: timestampSchema,
	contentTags: z.string(),
	summary: z.string(),
	loadIds: z.array(z.string()),
	mcNumber: z.string(),
	dotNumber: z.int(),
	carrierHwConnectionStatus: z.string(),
	carrierHwRulesAssessment: z.string(),
	recordingUrl: z.string(),
	transcript: z.string(),
});

/** Contract 2.4. */
export const placedCallSchema = z.object({
	id: z.int(),
	fromPhone: z.string(),
	toPhone: z.string(),
	status: z.string(),
	conversationId: z.int(),
	createdAt: timestampSchema,
	updatedAt: timestampSchema,
});

/** Contract 4.2: the common filters and page. */
export const callPageQuerySchema = listQuerySchema.extend(pageQuerySchema.shape);

export const callPageSchema = z.object({
	calls: z.array(listedCallSchema),
	pagination: paginationSchema,
});

/** What the sandbox returns: a call in progress has no summary yet. */
export const callAnswerSchema = callPageSchema.extend({
	calls: z.array(tolerant(listedCallSchema)),
});

export type PlacedCall = z.infer<typeof placedCallSchema>;
export type CallRecord = z.infer<typeof callAnswerSchema>['calls'][number];

/** Contract 2.5. */
export const salesBidSchema = z.object({
	loadId: z.int(),
	originLocation: z.string(),
	destinationLocation: z.string(),
	carrierMc: z.string(),
	carrierDot: z.string(),
	phoneNumber: z.string(),
	extension: z.string(),
	callerName: z.string(),
	callSummary: z.string(),
	callDateTime: timestampSchema,
});

/** Contract 4.2: the common filters and page. */
export const bidPageQuerySchema = listQuerySchema.extend(pageQuerySchema.shape);

export const bidPageSchema = z.object({
	salesBids: z.array(salesBidSchema),
	pagination: paginationSchema,
});

export const bidAnswerSchema = bidPageSchema.extend({
	salesBids: z.array(tolerant(salesBidSchema)),
});

export type SalesBid = z.infer<typeof salesBidSchema>;
export type BidRecord = z.infer<typeof bidAnswerSchema>['salesBids'][number];

/** Contract 2.6. */
export const laneSchema = z.object({
	origin: z.string(),
	destination: z.string(),
	avgRate: z.string(),
	totalBids: z.int(),
});

/** Contract 2.6. */
export const carrierSchema = z.object({
	mcNumber: z.string(),
	dotNumber: z.int(),
	name: z.string(),
	address: z.string(),
	fleetsize: z.int(),
	avgRate: z.string(),
	lanes: z.array(laneSchema),
	ruleAssessment: z.string(),
});

/** Contract 4.3: radius in miles. */
export const carrierQuerySchema = z.strictObject({
	origin: placeSchema,
	destination: placeSchema,
	radius: z.number().min(0).optional(),
	equipmentTypes: textSchema.optional(),
});

export const carrierPageSchema = z.object({
	carriers: z.array(carrierSchema),
	pagination: totalOnlySchema,
});

export const carrierAnswerSchema = carrierPageSchema.extend({
	carriers: z.array(tolerant(carrierSchema)),
});

export type Lane = z.infer<typeof laneSchema>;
export type Carrier = z.infer<typeof carrierSchema>;
export type CarrierQuery = z.infer<typeof carrierQuerySchema>;

/** Contract 4.4. */
export const analyticsMetricSchema = z.enum([
	'average_rate',
	'avg_call_duration',
	'total_bids',
	'call_volume',
	'loads_touched',
	'loads_booked',
]);

/** Contract 2.7. */
const analyticsMetricsSchema = z.object({
	totalCalls: z.number(),
	successfulCalls: z.number(),
	averageCallDuration: z.number(),
	totalBids: z.number(),
	acceptedBids: z.number(),
});

/** Contract 2.7. */
export const analyticsEntrySchema = z.object({
	date: timestampSchema,
	metrics: analyticsMetricsSchema,
});

/** Contract 4.4: dates; there is no limit and no offset. */
export const analyticsQuerySchema = z.strictObject({
	startDate: z.iso.date('must be a date, like 2026-02-03'),
	endDate: z.iso.date('must be a date, like 2026-02-03'),
	metric: analyticsMetricSchema.optional(),
});

export const analyticsPageSchema = z.object({
	data: z.array(analyticsEntrySchema),
	pagination: paginationSchema,
});

export const analyticsAnswerSchema = analyticsPageSchema.extend({
	data: z.array(tolerant(analyticsEntrySchema)),
});

export type AnalyticsMetric = z.infer<typeof analyticsMetricSchema>;
export type AnalyticsEntry = z.infer<typeof analyticsEntrySchema>;
export type AnalyticsQuery = z.infer<typeof analyticsQuerySchema>;

const contactTypeSchema = z.enum(['driver', 'dispatcher']);

/** Contract 4.5. */
export const checkCallRequestSchema = z.strictObject({
	toPhone: phoneSchema,
	nextStopIndex: z.int().min(0),
	loadNumber: textSchema,
	driverName: z.string().optional(),
	contactName: z.string().optional(),
	contactType: contactTypeSchema.optional(),
	waitingAtFacility: z.boolean().optional(),
	// Contract 4.5 doesn't name the two values, only that each is an app's lowercase name.
	askForTrackingApp: z
		.string()
		.regex(/^[a-z][a-z0-9]*$/, 'must be the lowercase name of a tracking app, one word')
		.optional(),
	metadata: metadataSchema.optional(),
});

/** Contract 4.7: a null `call` means that none was placed. */
export const checkCallResponseSchema = z.object({
	success: z.boolean(),
	call: placedCallSchema.nullable(),
});

export type CheckCallRequest = z.infer<typeof checkCallRequestSchema>;

/** Contract 4.6. */
export const carrierSalesCallRequestSchema = z.strictObject({
	dotNumber: z.int(),
	toPhone: phoneSchema,
	loadId: textSchema,
	contactName: z.string().optional(),
	metadata: metadataSchema.optional(),
});

/** Contract 4.7: `message` says why a call was not placed. */
export const carrierSalesCallResponseSchema = z.object({
	success: z.boolean(),
	call: placedCallSchema.nullable(),
	message: z.string().optional(),
});

/** The path parameter of contract 4.8. */
export const agentPathSchema = z.strictObject({ agentId: textSchema });

/** Contract 4.8. */
export const agentCallRequestSchema = z.strictObject({
	toPhone: phoneSchema,
	dynamicVariables: z.record(z.string(), z.unknown()).optional(),
});

/** Contract 4.8: `success` is the only documented status. */
export const agentCallResponseSchema = z.object({ status: z.string(), call: placedCallSchema });

/** Where the sandbox keeps recordings; the contract shows only that `recordingUrl` is a string. */
export const recordingPathSchema = z.strictObject({
	file: z.string().regex(/^\d+\.wav$/, 'must be a call id and .wav'),
});
