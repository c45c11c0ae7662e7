import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { DAYTIME } from '../../../nodes/CarrierLoadCommunications/calls/rules/hours.ts';
import { resources } from '../../../nodes/CarrierLoadCommunications/resources/index.ts';
import {
	description,
	dialing,
	methods,
	named,
	nodeFolder,
	operations,
	root,
	valuesOf,
	withInner,
} from '../support/drift/form.mts';

const fieldNamed = (name: string, shows: (field: INodeProperties) => boolean = () => true) =>
	description.properties.find((field) => field.name === name && shows(field));

describe('a fresh node', () => {
	it('does not place a call for any resource', () => {
		for (const { value } of resources) {
			const operation = fieldNamed(
				'operation',
				({ displayOptions }) => displayOptions?.show?.resource?.includes(value) === true,
			);
			expect(valuesOf(operation ?? Object(undefined))).toContain(operation?.default);
			expect(dialing).not.toContain(operation?.default);
		}
	});

	it('starts with the Call resource', () => {
		expect(fieldNamed('resource')?.default).toBe('call');
	});
});

it('each field is shown for one resource and one operation', () => {
	for (const { name, displayOptions } of description.properties) {
		if (name === 'resource' || name === 'operation') continue;
		expect(displayOptions?.show).toMatchObject({
			resource: [expect.any(String)],
			operation: [expect.any(String)],
		});
	}
});

describe.each(named)('%s', (_name, { resource, resourceName, operation }) => {
	const fields = operation.fields.flatMap(withInner);

	it("is the node's subtitle in the editor", () => {
		const [, expression = ''] = /^=\{\{(.+)\}\}$/.exec(description.subtitle ?? '') ?? [];
		const subtitle = new Function('$parameter', `return ${expression}`);
		const shown = subtitle({ resource, operation: operation.value });
		expect(shown).toBe(`${resourceName}: ${operation.name}`);
	});

	it('has a short action that tells an agent whether it calls someone', () => {
		const calls = dialing.includes(operation.value);
		expect(operation.action).toMatch(calls ? /^Place an? .*call$/ : /^(Get|Download|Search) /);
		expect(operation.action.length).toBeLessThanOrEqual(30);
	});

	it('describes itself and each of its fields in plain words', () => {
		expect(operation.description).toMatch(/^[A-Z].{15,}/);
		const alone = operation.fields.filter(({ type }) => type !== 'fixedCollection');
		for (const { displayName, description: text, hint, type } of alone.flatMap(withInner)) {
			if (type === 'collection' || type === 'notice' || type === 'hidden') continue;
			expect({ displayName, text: text ?? hint }).toEqual({
				displayName,
				text: expect.stringMatching(/^[A-Z].{8,}/),
			});
		}
	});

	it('has an example in each field for text', () => {
		const texts = fields.filter(
			({ type, typeOptions, default: value }) =>
				type === 'string' && typeOptions?.password !== true && value === '',
		);
		for (const { displayName, placeholder } of texts) {
			expect({ displayName, placeholder }).toEqual({
				displayName,
				placeholder: expect.stringMatching(/^(e\.g\. )?.+/),
			});
		}
	});

	it('has bounds on each field for a number, and a default within them', () => {
		for (const field of fields.filter(({ type }) => type === 'number')) {
			const { minValue, maxValue = Infinity } = field.typeOptions ?? {};
			expect({ field: field.displayName, minValue }).toEqual({
				field: field.displayName,
				minValue: expect.any(Number),
			});
			if (field.default === '') continue;
			expect(field.default).toBeGreaterThanOrEqual(minValue ?? NaN);
			expect(field.default).toBeLessThanOrEqual(maxValue);
		}
	});

	it('has each dropdown start at one of its values', () => {
		for (const field of fields.filter(({ type }) => type === 'options')) {
			// The group gives these their first value: n8n stores none that equals its field's default.
			const [, first] = Object.entries(DAYTIME.range).find(([name]) => name === field.name) ?? [];
			expect(valuesOf(field)).toContain(first ?? field.default);
		}
	});

	it('shows each field once, and its options last', () => {
		const shown = operation.fields.filter(({ type }) => type !== 'hidden');
		const keys = shown.map(({ name, displayOptions }) =>
			JSON.stringify([name, displayOptions?.show]),
		);
		expect(new Set(keys).size).toBe(keys.length);
		expect(shown.at(-1)?.name).toBe('options');
	});

	it('offers the simplified output first, and the limit where it lists', () => {
		const output = operation.fields.find(({ name }) => name === 'output');
		if (output)
			expect([output.default, ...valuesOf(output)]).toEqual([
				'simplified',
				'simplified',
				'all',
				...(resource === 'call' && operation.value !== 'downloadRecording' ? ['outcome'] : []),
				'selected',
			]);
		const lists = ['getAll', 'search'].includes(operation.value) && resource !== 'analytics';
		const names = operation.fields.map(({ name }) => name);
		expect(names.includes('limit') && names.includes('returnAll')).toBe(lists);
	});
});

describe("the node's other files", () => {
	it('the codex belongs to this node of this package', () => {
		const codex = JSON.parse(
			readFileSync(join(nodeFolder, 'CarrierLoadCommunications.node.json'), 'utf8'),
		);
		const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
		expect(codex.node).toBe(`${name}.${description.name}`);
	});

	describe.each(['', 'Trigger', 'PollingTrigger'])(
		'the search words of CarrierLoadCommunications%s',
		(suffix) => {
			const folder = `CarrierLoadCommunications${suffix}`;
			const codex = JSON.parse(
				readFileSync(join(nodeFolder, '..', folder, `${folder}.node.json`), 'utf8'),
			);
			/** n8n 2.41 looks for the typed letters in their order, with any others between them. */
			const isFound = (typed: string) => {
				const pattern = new RegExp([...typed.toLowerCase()].join('.*'));
				return codex.alias.some((alias: string) => pattern.test(alias.toLowerCase()));
			};

			it.each([
				...['call, phone, driver, freight, load, carrier, check call, dispatch, detention'],
				...['truck, sales call, recording, transcript, call driver, agent call, bids, voice'],
				...['call ends, call ended, call outcome, new bid, new call, new conversation'],
			])('find it by %s', (words) => {
				for (const word of words.split(', ')) expect([word, isFound(word)]).toEqual([word, true]);
			});

			it('find it by the action of each operation, also without its article', () => {
				const actions = description.properties
					.filter(({ name }) => name === 'operation')
					.flatMap(({ options = [] }) => options)
					.flatMap((option) => ('action' in option && option.action) || []);
				expect(actions).toHaveLength(operations.length);
				const shorter = actions.map((action) => action.replace(/ an? /, ' '));
				expect([...actions, ...shorter].filter((action) => !isFound(action))).toEqual([]);
			});
		},
	);

	it('the Docs link of the node opens its operations', () => {
		const codex = JSON.parse(
			readFileSync(join(nodeFolder, 'CarrierLoadCommunications.node.json'), 'utf8'),
		);
		const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
		const address = String(repository.url).replace(/^git\+|\.git$/g, '');
		// n8n 2.41 opens this address unless the description has another.
		expect(codex.resources.primaryDocumentation).toEqual([
			{ url: `${address}/blob/main/docs/operations.md` },
		]);
		expect(description.documentationUrl).toBeUndefined();
	});

	it('each list to choose from is searched by a method of the node', () => {
		const chosen = description.properties.flatMap(withInner).flatMap(({ modes = [] }) => modes);
		const searches = chosen.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []);
		expect(searches).toContain('searchCalls');
		for (const method of searches) expect(methods.listSearch).toHaveProperty(method);
	});

	it('the icons exist, and are square and small', () => {
		const { light, dark } = Object(description.icon);
		expect(light).not.toBe(dark);
		for (const icon of [light, dark]) {
			const file = join(nodeFolder, String(icon).replace(/^file:/, ''));
			expect(statSync(file).size).toBeLessThan(2048);
			expect(readFileSync(file, 'utf8')).toMatch(/viewBox="0 0 (\d+) \1"/);
		}
	});
});
