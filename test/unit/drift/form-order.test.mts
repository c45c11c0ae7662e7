import type { INodeProperties } from 'n8n-workflow';
import { dialing, named } from '../support/drift/form.mts';

// A dispatcher fills in a form from the top: what is required first, then what narrows or guards it,
// then how the output looks.

const names = (fields: INodeProperties[]) => [
	...new Set(fields.filter(({ type }) => type !== 'hidden').map(({ name }) => name)),
];

/** What has a default, such as the name of the file's field, need not be filled in. */
const isEmpty = ({ default: initially }: INodeProperties) =>
	initially === '' || typeof initially === 'object';

describe.each(named)('the form of %s', (_name, { operation }) => {
	const { fields } = operation;
	const order = names(fields);

	it('begins with what is required', () => {
		const always = fields.filter(
			({ type, displayOptions }) => type !== 'notice' && displayOptions?.show === undefined,
		);
		const required = always.map((field) => field.required === true && isEmpty(field));
		expect(required).toEqual([...required].sort((one, other) => Number(other) - Number(one)));
	});

	it('ends with the output and the options', () => {
		const last = order.filter((name) =>
			['output', 'moreNames', 'selectedFields', 'includeInputFields', 'options'].includes(name),
		);
		expect(order.slice(-last.length)).toEqual(last);
		expect(order.at(-1)).toBe('options');
	});

	it('has filters and additional fields before the limit and the output', () => {
		for (const above of ['filters', 'additionalFields', 'equipmentTypes']) {
			for (const below of ['returnAll', 'limit', 'output']) {
				if (!order.includes(above) || !order.includes(below)) continue;
				expect(order.indexOf(above)).toBeLessThan(order.indexOf(below));
			}
		}
	});
});

it.each(named.filter(([, { operation }]) => dialing.includes(operation.value)))(
	'%s asks who is called first, and about the extension after what is required',
	(_name, { operation }) => {
		const order = names(operation.fields).filter((name) => !name.endsWith('Notice'));
		expect(order[0]).toBe('toPhone');
		const required = operation.fields
			.filter((field) => field.required && !field.displayOptions?.show)
			.map(({ name }) => name);
		const lastRequired = Math.max(...required.map((name) => order.indexOf(name)));
		expect(order.indexOf('extension')).toBe(lastRequired + 1);
	},
);
