import * as z from 'zod';
import { placedCallSchema } from '../call.mts';
import { metadataSchema, phoneSchema, textSchema } from '../values.mts';

const contactTypeSchema = z.enum(['driver', 'dispatcher']);

/** Contract 4.5. */
export const checkCallRequestSchema = z
	.strictObject({
		toPhone: phoneSchema,
		nextStopIndex: z.int().min(0).meta({ description: '0 is the pickup' }),
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
	})
	.meta({ id: 'CheckCallRequest' });

/** Contract 4.7: a null `call` means that none was placed. */
export const checkCallResponseSchema = z
	.object({ success: z.boolean(), call: placedCallSchema.nullable() })
	.meta({ id: 'CheckCallResponse' });

export type CheckCallRequest = z.infer<typeof checkCallRequestSchema>;
