import * as z from 'zod';
import { tolerant } from './gaps.mts';
import { paginationSchema } from './pagination.mts';
import { timestampSchema } from './values.mts';

/** Contract 4.4. */
export const analyticsMetricSchema = z
	.enum([
		'average_rate',
		'avg_call_duration',
		'total_bids',
		'call_volume',
		'loads_touched',
		'loads_booked',
	])
	.meta({ id: 'AnalyticsMetric' });

/** Contract 2.7. */
const analyticsMetricsSchema = z
	.object({
		totalCalls: z.number(),
		successfulCalls: z.number(),
		averageCallDuration: z.number(),
		totalBids: z.number(),
		acceptedBids: z.number(),
	})
	.meta({ id: 'AnalyticsMetrics' });

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

export const analyticsAnswerSchema = analyticsPageSchema
	.extend({ data: z.array(tolerant(analyticsEntrySchema, 'AnalyticsEntry')) })
	.meta({ id: 'AnalyticsPage' });

export type AnalyticsMetric = z.infer<typeof analyticsMetricSchema>;
export type AnalyticsEntry = z.infer<typeof analyticsEntrySchema>;
export type AnalyticsQuery = z.infer<typeof analyticsQuerySchema>;
