import { text } from '../../../shared/fields/simpleFields';
import { isJsonObject, type JsonObject } from '../../../shared/service/json';
import type { CallAnswer } from '../../calls/call';
import { dynamicVariables } from '../../calls/metadata';
import { extension } from '../../calls/phoneFields';
import { statusWords, unclear, readCall } from '../../calls/callAnswer';
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

/** Only `success` is documented (contract 4.8); with another status the phone may have rung. */
export function readAgentAnswer({ status, call }: JsonObject, words?: string): CallAnswer {
	if (call === null) return { refused: words ?? statusWords(status) };
	if (status !== 'success') return unclear(`responded with ${statusWords(status)}`, words);
	if (!isJsonObject(call)) return unclear('did not say whether the call was placed', words);
	return readCall(call, words);
}
