import type { INodeParameters, IWebhookDescription } from 'n8n-workflow';

const TEMPLATE = '={{ $parameter["eventOptions"]["responseCode"] || 200 }}';

/**
 * For the webhook's description. Evaluating the expression takes n8n about 20 ms for each request.
 * n8n 2.41 and later call the function under this symbol instead, unless the node has other
 * expressions (n8n-workflow, webhook-description-fields.js).
 */
export const responseCode: Pick<IWebhookDescription, 'responseCode'> = {
	responseCode: TEMPLATE,
	[Symbol.for('n8n.webhookDescriptionResolvers')]: {
		responseCode: {
			template: TEMPLATE,
			resolve: ({ eventOptions }: INodeParameters) =>
				Number(Object(eventOptions).responseCode) || 200,
		},
	},
};
