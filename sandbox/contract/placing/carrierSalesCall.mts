import * as z from 'zod';
import { placedCallSchema } from '../call.mts';
import { metadataSchema, phoneSchema, textSchema } from '../values.mts';

/** Contract 4.6. */
export const carrierSalesCallRequestSchema = z
	.strictObject({
		dotNumber: z.int(),
		toPhone: phoneSchema,
		loadId: textSchema,
		contactName: z.string().optional(),
		metadata: metadataSchema.optional(),
	})
	.meta({ id: 'CarrierSalesCallRequest' });

/** Contract 4.7: `message` says why a call was not placed. */
export const carrierSalesCallResponseSchema = z
	.object({
		success: z.boolean(),
		call: placedCallSchema.nullable(),
		message: z.string().optional(),
	})
	.meta({ id: 'CarrierSalesCallResponse' });
