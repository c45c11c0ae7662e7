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

	it('ends with the options, and before them the output if it only reads', () => {
		expect(order.at(-1)).toBe('options');
		if (dialing.includes(operation.value)) return;
		const last = order.filter((name) =>
			['output', 'moreNames', 'selectedFields', 'includeInputFields', 'options'].includes(name),
		);
		expect(order.slice(-last.length)).toEqual(last);
	});

	it('has filters and additional fields before the limit and the output', () => {
		for (const above of ['filters', 'additionalFields', 'equipmentTypes']) {
			for (const below of [
				'returnAll',
				'limit',
				...(dialing.includes(operation.value) ? [] : ['output']),
			]) {
				if (!order.includes(above) || !order.includes(below)) continue;
				expect(order.indexOf(above)).toBeLessThan(order.indexOf(below));
			}
		}
	});
});

it.each([
	['triggerCheckCall', ['loadNumber', 'nextStopIndex', 'driverName'], ['metadata']],
	['triggerCarrierSalesCall', ['loadId', 'dotNumber'], ['metadata']],
	['createAgentCall', ['agentId', 'dynamicVariables'], []],
])('%s has at most eight entries before More Fields, in the order of use', (value, own, more) => {
	const operation = named.find(([, listed]) => listed.operation.value === value)?.[1].operation;
	const always = (operation?.fields ?? []).filter(
		({ type }) => !['notice', 'hidden'].includes(type),
	);
	// Include Input Fields belongs to Output. What else belongs to an entry is shown for some of its values only, or names where the rows come from.
	const entries = always.filter(
		({ name, displayOptions }) =>
			!name.endsWith('From') &&
			name !== 'includeInputFields' &&
			(displayOptions?.show === undefined || own.concat(more).includes(name)),
	);
	const order = entries.map(({ name }) => name);
	expect(order).toEqual([
		...['toPhone', ...own, 'callMode', 'waitForOutcome', 'rules', 'output'],
		...['additionalFields', ...more, 'options'],
	]);
	expect(order.indexOf('additionalFields')).toBeLessThanOrEqual(8);
});

it.each(dialing)('%s has its safety rules in the order of use, not of the alphabet', (value) => {
	const operation = named.find(([, listed]) => listed.operation.value === value)?.[1].operation;
	const safety = operation?.fields.find(({ name, type }) => name === 'rules' && type !== 'hidden');
	expect(safety?.displayName).toBe('Safety');
	expect(safety?.default).toEqual({
		hours: {
			range: {
				...{ from: '08:00', to: '20:00', zone: 'phone', outside: 'error' },
				...{ days: expect.arrayContaining(['monday', 'sunday']) },
			},
		},
		skipIfCalledWithin: 10,
	});
	expect(safety?.options?.map(({ name }) => name)).toEqual([
		...['hours', 'doNotCall', 'onDoNotCall', 'allowedCountries', 'maxCallsPerNumber'],
		...['samePhonePause', 'maxCallsPerHour', 'maxCallsPerDay', 'maxCalls', 'skipIfCalledWithin'],
	]);
});
