import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import type { Parameters } from '../../../shared/fields/parameters';
import { readPairs, UNSENDABLE } from './pairs';
import { pairsFields, type PairsField } from './pairsFields';

const field: PairsField = {
	name: 'dynamicVariables',
	displayName: 'Dynamic Variables',
	description: "Values for the variables in the agent's prompt",
	placeholder: { key: 'e.g. driver_name', value: 'e.g. Luis Ortega' },
	anyJson: true,
};

export const dynamicVariablesFields: INodeProperties[] = pairsFields(field);

/**
 * The variables of one item, values of any JSON type (contract 4.8); undefined when there are none.
 *
 * @throws InvalidParameter that names the key of a value that JSON does not have
 */
export function readDynamicVariables(
	context: IExecuteFunctions,
	parameters: Parameters,
): Record<string, unknown> | undefined {
	const pairs = [...readPairs(context, parameters, field)].filter(
		([, value]) => value !== undefined,
	);
	if (pairs.length === 0) return undefined;
	return Object.fromEntries(pairs.map(([key, value]) => [key, asJson(key, value)]));
}

function asJson(key: string, value: unknown): unknown {
	const refuse = () => new InvalidParameter(field.displayName, `"${key}" cannot be sent as JSON`);
	let text: string | undefined;
	try {
		text = JSON.stringify(value, (name, part: unknown) => {
			if (name === UNSENDABLE) throw refuse();
			if (typeof part === 'number' && !Number.isFinite(part)) throw refuse();
			return part;
		});
	} catch {
		throw refuse();
	}
	if (text === undefined) throw refuse();
	return JSON.parse(text);
}
