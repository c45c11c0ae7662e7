import type { INodeTypeDescription } from 'n8n-workflow';
import { CarrierLoadCommunicationsPollingTrigger } from '../../../nodes/CarrierLoadCommunicationsPollingTrigger/CarrierLoadCommunicationsPollingTrigger.node.ts';
import { CarrierLoadCommunicationsTrigger } from '../../../nodes/CarrierLoadCommunicationsTrigger/CarrierLoadCommunicationsTrigger.node.ts';
import { description, dialing, named, withInner } from '../support/drift/form.mts';

// What n8n's assistant reads about the nodes, and copies into the workflows that it writes.

interface Built {
	type: string;
	config: { parameters?: Record<string, unknown>; subnodes?: { tools?: Built[] } };
}

/** The nodes that a pattern builds, and those of them that stand below a person's review. */
function build(pattern: string): { nodes: Built[]; reviewed: Built[] } {
	const nodes: Built[] = [];
	const add = (built: Built) => {
		nodes.push(built);
		return built;
	};
	const text = (value: string) => `=${value}`;
	new Function('node', 'tool', 'expr', 'fromAi', pattern)(add, add, text, text);
	const reviews = nodes.filter(({ type }) => type.endsWith('HitlTool'));
	return { nodes, reviewed: reviews.flatMap(({ config }) => config.subnodes?.tools ?? []) };
}

/** What is unsafe about a pattern; nothing if a workflow may be copied from it. */
function problemsOf(pattern: string): string[] {
	const { nodes, reviewed } = build(pattern);
	const calling = nodes.filter(({ config }) =>
		dialing.includes(String(config.parameters?.operation)),
	);
	if (calling.length === 0) return ['places no call'];
	return calling.flatMap((node) => {
		const { rules, callMode } = node.config.parameters ?? {};
		const set = { ...Object(rules), ...Object(Object(rules).hours?.range) };
		const needed = ['from', 'to', 'doNotCall', 'maxCallsPerHour', 'maxCallsPerDay'];
		const missing = [...needed, 'maxCallsPerNumber'].filter((rule) => !set[rule]);
		const isTool = node.type.endsWith('Tool');
		return [
			...missing.map((rule) => `no ${rule}`),
			...(Number(set.skipIfCalledWithin) > 0 ? [] : ['no skipIfCalledWithin']),
			...(callMode === 'dryRun' ? [] : ['no dry run']),
			...(isTool && !reviewed.includes(node) ? ['no review'] : []),
			...(JSON.stringify(rules ?? {}).includes('fromAi') ? ['a rule from the model'] : []),
		];
	});
}

const variations = description.builderHint?.extraTypeDefContent ?? [];
const patterns = variations.flatMap(({ content, displayOptions }) =>
	[...content.matchAll(/<pattern title="(.+)">\n([^]+?)<\/pattern>/g)].map(
		([, title = '', code = '']) => ({
			title,
			code,
			operation: displayOptions?.show?.operation?.[0],
		}),
	),
);

it('each operation that places calls has a pattern for a workflow and one for a tool', () => {
	expect(patterns.map(({ operation }) => operation)).toEqual(
		dialing.flatMap((each) => [each, each]),
	);
});

describe.each(patterns)('$title', ({ code, operation }) => {
	it('has hours, a do-not-call list, limits and, as a tool, a review', () => {
		expect(problemsOf(code)).toEqual([]);
	});

	it('fills in the required fields, and no field or rule that the form lacks', () => {
		const [, listed] = named.find(([, each]) => each.operation.value === operation) ?? [];
		const fields = listed?.operation.fields ?? [];
		const rules = fields.filter(({ name }) => name === 'rules').flatMap(withInner);
		for (const { config } of build(code).nodes) {
			if (config.parameters === undefined) continue;
			const { resource, operation: chosen, ...filled } = config.parameters;
			expect([resource, chosen]).toEqual(['call', operation]);
			const required = fields.filter((field) => field.required).map(({ name }) => name);
			expect(Object.keys(filled)).toEqual(expect.arrayContaining(required));
			expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(filled)));
			const set = Object.keys(Object(filled.rules));
			expect(rules.map(({ name }) => name)).toEqual(expect.arrayContaining(set));
		}
	});
});

describe('the check of patterns', () => {
	const [inWorkflow, asTool] = patterns;

	it.each(['to', 'doNotCall', 'maxCallsPerNumber', 'skipIfCalledWithin'])(
		'finds a pattern without %s',
		(name) => {
			const without = inWorkflow?.code.replace(` ${name}:`, ` ${name}Removed:`) ?? '';
			expect(problemsOf(without)).toEqual([`no ${name}`]);
		},
	);

	it('finds a tool that the agent reaches without a review', () => {
		expect(problemsOf(asTool?.code.replace('tools: [call]', 'tools: []') ?? '')).toEqual([
			'no review',
		]);
	});
});

it.each<[string, INodeTypeDescription]>([
	['the action node', description],
	['the webhook trigger', new CarrierLoadCommunicationsTrigger().description],
	['the polling trigger', new CarrierLoadCommunicationsPollingTrigger().description],
])('%s has a hint of at most four sentences for the search', (_name, { builderHint }) => {
	const hint = builderHint?.searchHint ?? '';
	expect(hint.split(/\.(?: |$)/).filter(Boolean).length).toBeGreaterThan(1);
	expect(hint.split(/\.(?: |$)/).filter(Boolean).length).toBeLessThanOrEqual(4);
});

it.each(['toPhone', 'nextStopIndex', 'waitForOutcome', 'rules'])(
	'%s has a hint wherever an operation has the field',
	(name) => {
		const fields = description.properties.filter(
			(field) => field.name === name && field.type !== 'hidden',
		);
		expect(fields.length).toBeGreaterThan(0);
		for (const { builderHint } of fields) expect(builderHint?.propertyHint).toBeTruthy();
	},
);
