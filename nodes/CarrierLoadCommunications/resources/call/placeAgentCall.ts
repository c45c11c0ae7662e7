import { text } from '../../../shared/fields/simpleFields';
import { readAgentAnswer } from '../../calls/place';
import { dynamicVariables } from '../../calls/metadata';
import { callOperation } from '../../operations/callOperation';

/** Contract 4.8. */
export const placeAgentCall = callOperation({
	name: 'Place Agent Call',
	value: 'createAgentCall',
	action: 'Place an agent call',
	description: 'Calls a real phone. One of your custom voice agents makes the call.',
	kind: 'agentCall',
	takesMetadata: false,
	fields: {
		agentId: text({
			label: 'Agent ID',
			required: true,
			example: 'detention-follow-up',
			about: 'ID of the custom agent that makes the call',
		}),
		dynamicVariables,
	},
	about: ({ agentId, dynamicVariables: variables }) => ({
		subject: { agentId },
		dynamicVariables: variables,
	}),
	body: ({ dynamicVariables: variables }) => ({ dynamicVariables: variables }),
	readAnswer: readAgentAnswer,
});
