import type { IExecuteFunctions } from 'n8n-workflow';
import { Parameters } from '../../../../nodes/shared/fields/parameters.ts';

/**
 * The parameters of one item, with these values instead of a workflow's.
 *
 * @param expressions the parameters that the workflow gives by expressions
 */
export function parametersOf(
	values: Record<string, unknown>,
	{ timezone = 'America/Chicago', forAgent = false, expressions = [] as string[] } = {},
): Parameters {
	const stored = Object.fromEntries(expressions.map((name) => [name, '={{ $json.given }}']));
	const context = {
		getNodeParameter: (name: string, _itemIndex: number, fallback: unknown) =>
			name in values ? values[name] : fallback,
		getInputData: () => [],
		getTimezone: () => timezone,
		isToolExecution: () => forAgent,
		getNode: () => ({ type: 'carrierLoadCommunications', parameters: stored }),
	};
	return new Parameters(context as unknown as IExecuteFunctions, 0);
}

/** Values that an expression may return instead of the intended one. */
export const wrongTypes: Array<[string, unknown]> = [
	['a list', ['48213']],
	['an object', { toString: 'no function' }],
	['an object without a prototype', Object.create(null)],
	['a flag', true],
	['a function', () => 'Chicago, IL'],
	['a symbol', Symbol('load')],
	['a big integer', 10n],
	['an object in a circle', circle()],
	['an endless number', Infinity],
	['no number', NaN],
];

function circle() {
	const object: Record<string, unknown> = {};
	object.self = object;
	return object;
}
