import type { INodeProperties } from 'n8n-workflow';

import { notice } from '../../shared/fields/simpleFields';
import { propertiesOf } from '../../shared/fields/field';
import type { Declarations, ValuesOf } from '../../shared/fields/fieldTypes';
import { ADDITIONAL } from '../../shared/fields/readCollection';
import { fields } from '../../shared/fields/collection';
import { callMode, callOptions, testNumber, waitFields, waitFieldsOfAgent } from '../calls/options';
import { metadata } from '../calls/metadata';
import { movedProperties } from '../calls/moved';
import { toPhone } from '../calls/phoneFields';
import { callingRules } from '../calls/rules/ruleFields';
import { callOutput } from '../calls/callFields';
import { placeCalls } from '../calls/placeCalls';
import type { CallRequests } from '../calls/item';
import type { Operation, OperationNames } from './operation';

/** What is specific to an operation that places calls: its texts, its fields, and its request. */
export interface CallOperation<Declared extends Declarations>
	extends OperationNames,
		Omit<CallRequests<ValuesOf<Declared>>, 'form'> {
	/** Besides those of all: number, mode, waiting, safety, output, metadata and options. */
	fields: Declared;
}

const realCallNotice = notice('Executing this step calls a real phone, unless Mode is Dry Run.');

export function callOperation<Declared extends Declarations>(
	operation: CallOperation<Declared>,
): Operation {
	const { name, value, action, description, takesMetadata } = operation;
	const form = fields(operation.fields);
	return {
		...{ name, value, action, description },
		fields: [
			...propertiesOf({ realCallNotice, toPhone }),
			...form.properties.filter((property) => !isMore(property)),
			...propertiesOf({ callMode }),
			...hiddenFromTool(propertiesOf({ testNumber })),
			...propertiesOf({
				...(takesMetadata ? waitFields : waitFieldsOfAgent),
				rules: callingRules,
				...callOutput,
			}),
			...form.properties.filter(isMore),
			...hiddenFromTool(
				propertiesOf({ ...(takesMetadata && { metadata }), options: callOptions(takesMetadata) }),
			),
			...movedProperties,
		],
		execute: placeCalls.bind(undefined, { ...operation, form }),
	};
}

function isMore({ name }: INodeProperties): boolean {
	return name === ADDITIONAL;
}

/** An AI agent's tool shows what its model may fill in. n8n drops the stored values of what is hidden. */
function hiddenFromTool(properties: INodeProperties[]): INodeProperties[] {
	return properties.map((property) => ({
		...property,
		displayOptions: { ...property.displayOptions, hide: { '@tool': [true] } },
	}));
}
