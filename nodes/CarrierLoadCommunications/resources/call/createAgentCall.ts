import { callOperation } from '../../operations/callOperation';
import { dynamicVariablesFields, readDynamicVariables } from '../../calls/fields/dynamicVariables';
import { readAgentAnswer } from '../../calls/dial/callAnswer';
import type { AgentCallRequest } from '../../../shared/service/contract/agentCall';

interface AgentCallFields {
	agentId: string;
	dynamicVariables: AgentCallRequest['dynamicVariables'];
}

export const createAgentCall = callOperation<AgentCallFields>({
	name: 'Place Agent Call',
	value: 'createAgentCall',
	action: 'Place a call by a custom agent (dials a real phone)',
	description: 'A voice agent of your own phones a number',
	kind: 'agentCall',
	takesMetadata: false,
	fields: [
		{
			displayName: 'Agent ID',
			name: 'agentId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. detention-follow-up',
			description: 'Identifier of the custom agent that makes the call',
		},
		...dynamicVariablesFields,
	],
	readFields: (parameters, context) => ({
		agentId: parameters.text({ name: 'agentId', displayName: 'Agent ID' }),
		dynamicVariables: readDynamicVariables(context, parameters),
	}),
	about: ({ agentId, dynamicVariables }) => ({ subject: { agentId }, dynamicVariables }),
	send: async (client, { agentId, toPhone, dynamicVariables }) =>
		await client.createAgentCall(agentId, { toPhone, dynamicVariables }),
	readAnswer: readAgentAnswer,
});
