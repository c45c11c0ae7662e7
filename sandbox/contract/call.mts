import * as z from 'zod';
import { tolerant } from './gaps.mts';
import { listQuerySchema, pageQuerySchema } from './listQuery.mts';
import { paginationSchema } from './pagination.mts';
import { timestampSchema } from './values.mts';

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
export const placedCallSchema = z
	.object({
		id: z.int(),
		fromPhone: z.string(),
		toPhone: z.string(),
		status: z.string(),
		conversationId: z.int(),
		createdAt: timestampSchema,
		updatedAt: timestampSchema,
	})
	.meta({ id: 'PlacedCall' });

/** Contract 4.2: the common filters and page. */
export const callPageQuerySchema = listQuerySchema.extend(pageQuerySchema.shape);

export const callPageSchema = z.object({
	calls: z.array(listedCallSchema),
	pagination: paginationSchema,
});

/** What the sandbox returns: a call in progress has no summary yet. */
export const callAnswerSchema = callPageSchema
	.extend({ calls: z.array(tolerant(listedCallSchema, 'ListedCall')) })
	.meta({ id: 'CallPage' });

export type PlacedCall = z.infer<typeof placedCallSchema>;
export type CallRecord = z.infer<typeof callAnswerSchema>['calls'][number];
