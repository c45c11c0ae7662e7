import * as z from 'zod';
import { textSchema, timeSchema } from './values.mts';

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
export const pageQuerySchema = z.strictObject({
	offset: z.int().min(0).optional().meta({ default: 0 }),
	limit: z.int().min(LIMIT.min).max(LIMIT.max).optional().meta({ default: LIMIT.default }),
});

export type ListQuery = z.infer<typeof listQuerySchema>;
