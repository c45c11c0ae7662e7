import * as z from 'zod';
import { tolerant } from './gaps.mts';
import { listQuerySchema, pageQuerySchema } from './listQuery.mts';
import { paginationSchema } from './pagination.mts';
import { textSchema, timestampSchema } from './values.mts';

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
export const conversationAnswerSchema = conversationPageSchema
	.extend({ conversations: z.array(tolerant(conversationSchema, 'Conversation')) })
	.meta({ id: 'ConversationPage' });

export type ConversationQuery = z.infer<typeof conversationQuerySchema>;
export type ConversationRecord = z.infer<typeof conversationAnswerSchema>['conversations'][number];
