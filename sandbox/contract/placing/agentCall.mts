import * as z from 'zod';
import { placedCallSchema } from '../call.mts';
import { phoneSchema, textSchema } from '../values.mts';

/** The path parameter of contract 4.8. */
export const agentPathSchema = z.strictObject({ agentId: textSchema });

/** Contract 4.8. */
export const agentCallRequestSchema = z
	.strictObject({
		toPhone: phoneSchema,
		dynamicVariables: z.record(z.string(), z.unknown()).optional(),
	})
	.meta({ id: 'AgentCallRequest' });

/** Contract 4.8: `success` is the only documented status. */
export const agentCallResponseSchema = z
	.object({ status: z.string(), call: placedCallSchema })
	.meta({ id: 'AgentCallResponse' });
