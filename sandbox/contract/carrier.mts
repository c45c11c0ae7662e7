import * as z from 'zod';
import { tolerant } from './gaps.mts';
import { totalOnlySchema } from './pagination.mts';
import { placeSchema, textSchema } from './values.mts';

/** Contract 2.6. */
export const laneSchema = z
	.object({
		origin: z.string(),
		destination: z.string(),
		avgRate: z.string(),
		totalBids: z.int(),
	})
	.meta({ id: 'Lane' });

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
	equipmentTypes: textSchema.optional().meta({ description: 'comma-separated' }),
});

export const carrierPageSchema = z.object({
	carriers: z.array(carrierSchema),
	pagination: totalOnlySchema,
});

export const carrierAnswerSchema = carrierPageSchema
	.extend({ carriers: z.array(tolerant(carrierSchema, 'Carrier')) })
	.meta({ id: 'CarrierPage' });

export type Lane = z.infer<typeof laneSchema>;
export type Carrier = z.infer<typeof carrierSchema>;
export type CarrierQuery = z.infer<typeof carrierQuerySchema>;
