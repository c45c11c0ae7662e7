import { notice } from '../../shared/fields/simpleFields';
import { propertiesOf, type Declarations, type ValuesOf } from '../../shared/fields/field';
import { fields } from '../../shared/fields/collection';
import { callOptions, skipIfCalledWithin } from '../calls/options';
import { metadata } from '../calls/metadata';
import { extension, toPhone } from '../calls/phone';
import { callingRules } from '../calls/rules/form';
import { waitField } from '../calls/wait';
import { callOutput } from '../calls/rows';
import { placeCalls } from '../calls/placeCalls';
import type { CallRequests } from '../calls/plan';
import type { Operation, OperationNames } from './operation';

/** What is specific to an operation that places calls: its texts, its fields, and its request. */
export interface CallOperation<Declared extends Declarations>
	extends OperationNames,
		Omit<CallRequests<ValuesOf<Declared>>, 'form'> {
	/**
	 * The operation's own fields. All operations also have number, metadata, waiting, output and
	 * options.
	 */
	fields: Declared;
}

/**
 * Shown above all fields. A sub-workflow can't distinguish a retry of its parent from the parent's
 * next item.
 */
const realCallNotice = notice(
	'Executing this step calls a real phone. To test, add Dry Run or Test Number to Calling Rules. In a sub-workflow, keep Skip If Called Within on: a retry of the parent calls again.',
);

/** Builds the complete operation, from its fields to placing the calls. */
export function callOperation<Declared extends Declarations>(
	operation: CallOperation<Declared>,
): Operation {
	const { name, value, action, description, takesMetadata } = operation;
	const form = fields(operation.fields);
	return {
		...{ name, value, action, description },
		fields: [
			...propertiesOf({ realCallNotice, toPhone }),
			...form.properties.filter(({ required }) => required),
			...propertiesOf({ extension }),
			...form.properties.filter(({ required }) => !required),
			...propertiesOf({
				skipIfCalledWithin,
				rules: callingRules,
				...(takesMetadata && { metadata }),
				waitForOutcome: waitField(takesMetadata),
				output: callOutput,
				options: callOptions(takesMetadata),
			}),
		],
		execute: async (context, items) => await placeCalls(context, items, { ...operation, form }),
	};
}
