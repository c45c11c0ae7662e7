import { text } from '../../../shared/fields/simpleFields';
import { readAgentAnswer } from '../../calls/place';
import { dynamicVariables } from '../../calls/metadata';
import { extension } from '../../calls/phoneFields';
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
		extension,
	},
	about: ({ agentId, dynamicVariables: variables }) => ({
		subject: { agentId },
		contact: nameIn(variables),
		dynamicVariables: variables,
	}),
	body: ({ dynamicVariables: variables }) => ({ dynamicVariables: variables }),
	readAnswer: readAgentAnswer,
});

/** The person called, if the variables have the usual names. */
function nameIn(variables: Record<string, unknown> = {}): string | undefined {
	const { contact_name: contact, driver_name: driver } = variables;
	return [contact, driver].find((name) => typeof name === 'string');
}
