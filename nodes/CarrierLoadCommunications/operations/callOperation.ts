import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { outputFields } from '../../shared/fields/output';
import { callOptions } from '../calls/fields/callOptions';
import { CALL_FIELDS } from '../calls/output/callRow';
import { metadataFields } from '../calls/fields/metadata';
import { phoneFields } from '../calls/fields/phoneFields';
import { placeCalls } from '../calls/placeCalls';
import type { CallRequests } from '../calls/plan/planCall';
import { waitFields } from '../calls/fields/waitFields';

/** An operation that dials, by what is its own: names, fields, and how its request is written. */
export interface CallOperation<Fields extends object> extends CallRequests<Fields> {
	name: string;
	value: string;
	action: string;
	description: string;
	/** The operation's own fields; number, metadata, waiting, output and options come with all. */
	fields: INodeProperties[];
}

/** The operation with all its fields, and its way from items to calls. */
export function callOperation<Fields extends object>(operation: CallOperation<Fields>) {
	const { name, value, action, description, takesMetadata } = operation;
	return {
		...{ name, value, action, description },
		fields: [
			...phoneFields,
			...operation.fields,
			...(takesMetadata ? metadataFields : []),
			...waitFields({ webhook: takesMetadata }),
			...outputFields(CALL_FIELDS, {
				simplified: 'The call, flat, as a sheet or a message needs it',
				all: "The same with the service's raw answer",
			}),
			callOptions({ metadata: takesMetadata }),
		],
		async execute(
			context: IExecuteFunctions,
			items: INodeExecutionData[],
		): Promise<INodeExecutionData[]> {
			return await placeCalls(context, items, operation);
		},
	};
}
