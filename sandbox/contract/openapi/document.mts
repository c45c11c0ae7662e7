import * as z from 'zod';
import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi';
import {
	agentCallRequestSchema,
	agentCallResponseSchema,
	agentPathSchema,
} from '../placing/agentCall.mts';
import { analyticsAnswerSchema, analyticsQuerySchema } from '../analytics.mts';
import { bidAnswerSchema, bidPageQuerySchema } from '../bid.mts';
import { callAnswerSchema, callPageQuerySchema } from '../call.mts';
import { carrierAnswerSchema, carrierQuerySchema } from '../carrier.mts';
import {
	carrierSalesCallRequestSchema,
	carrierSalesCallResponseSchema,
} from '../placing/carrierSalesCall.mts';
import { checkCallRequestSchema, checkCallResponseSchema } from '../placing/checkCall.mts';
import { conversationAnswerSchema, conversationPageQuerySchema } from '../conversation.mts';
import { recordingPathSchema } from '../recording.mts';

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

/** Contract 7 shows no error bodies: these are the sandbox's own. */
const refusalSchema = z
	.object({
		message: z.string(),
		field: z.string().optional(),
		errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
	})
	.meta({ id: 'Refusal' });

const refusals = {
	'400': { description: 'A parameter is wrong; `field` names it', content: json(refusalSchema) },
	'401': { description: 'The access token is missing or wrong', content: json(refusalSchema) },
};

const answers = (description: string, schema: z.ZodType) => ({
	'200': { description, content: json(schema) },
	...refusals,
});

const list = (
	operationId: string,
	summary: string,
	query: z.ZodObject,
	answer: z.ZodType,
): ZodOpenApiOperationObject => ({
	operationId,
	summary,
	requestParams: { query },
	responses: answers(summary, answer),
});

const trigger = (
	operationId: string,
	summary: string,
	body: z.ZodType,
	answer: z.ZodType,
): ZodOpenApiOperationObject => ({
	operationId,
	summary,
	requestBody: { required: true, content: json(body) },
	responses: answers('The call that was placed, or why none was', answer),
});

const paths = {
	'/api/v1/conversations': {
		get: list(
			'listConversations',
			'List conversations',
			conversationPageQuerySchema,
			conversationAnswerSchema,
		),
	},
	'/api/v1/calls': {
		get: list('listCalls', 'List calls', callPageQuerySchema, callAnswerSchema),
	},
	'/api/v1/bids': {
		get: list('listBids', 'List bids', bidPageQuerySchema, bidAnswerSchema),
	},
	'/api/v1/carriers': {
		get: list('searchCarriers', 'Get carriers by lane', carrierQuerySchema, carrierAnswerSchema),
	},
	'/api/v1/analytics': {
		get: list('getAnalytics', 'Retrieve analytics', analyticsQuerySchema, analyticsAnswerSchema),
	},
	'/api/v1/track-and-trace/trigger-check-call': {
		post: trigger(
			'triggerCheckCall',
			'Trigger a check call',
			checkCallRequestSchema,
			checkCallResponseSchema,
		),
	},
	'/api/v1/carrier-sales/trigger-call': {
		post: trigger(
			'triggerCarrierSalesCall',
			'Trigger an outbound carrier sales call',
			carrierSalesCallRequestSchema,
			carrierSalesCallResponseSchema,
		),
	},
	'/api/v1/custom-use-cases/{agentId}/create-phone-call': {
		post: {
			...trigger(
				'createAgentCall',
				'Create a phone call by a custom agent',
				agentCallRequestSchema,
				agentCallResponseSchema,
			),
			requestParams: { path: agentPathSchema },
		},
	},
	'/recordings/{file}': {
		get: {
			operationId: 'recording',
			summary: "Download a call's recording (where the sandbox keeps it)",
			requestParams: { path: recordingPathSchema },
			responses: {
				'200': {
					description: 'A WAV file',
					content: { 'audio/wav': { schema: z.string().meta({ format: 'binary' }) } },
				},
				...refusals,
				'404': { description: 'There is no such recording', content: json(refusalSchema) },
			},
		},
	},
};

/**
 * The contract as an OpenAPI 3.1 document, generated from the schemas that the sandbox validates
 * with.
 */
export const openApiDocument = () =>
	createDocument(
		{
			openapi: '3.1.0',
			info: {
				title: 'Carrier and load communications',
				version: '1.0.0',
				license: { name: 'MIT', identifier: 'MIT' },
				description:
					'Any field of a record may be null or absent and unknown fields may come: the contract does not show which.',
			},
			servers: [{ url: 'http://127.0.0.1:4010', description: 'The sandbox' }],
			security: [{ accessToken: [] }],
			components: {
				securitySchemes: { accessToken: { type: 'http', scheme: 'bearer' } },
			},
			paths,
		},
		{
			// Responses may contain unknown fields.
			override: ({ jsonSchema, io }) => {
				if (io === 'output' && jsonSchema.additionalProperties === false) {
					delete jsonSchema.additionalProperties;
				}
			},
		},
	);

/** The contents of sandbox/openapi.json. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, '\t')}\n`;
