import * as z from 'zod';
import { tolerant } from './gaps.mts';
import { listQuerySchema, pageQuerySchema } from './listQuery.mts';
import { paginationSchema } from './pagination.mts';
import { timestampSchema } from './values.mts';

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

export const bidAnswerSchema = bidPageSchema
	.extend({ salesBids: z.array(tolerant(salesBidSchema, 'SalesBid')) })
	.meta({ id: 'BidPage' });

export type SalesBid = z.infer<typeof salesBidSchema>;
export type BidRecord = z.infer<typeof bidAnswerSchema>['salesBids'][number];
