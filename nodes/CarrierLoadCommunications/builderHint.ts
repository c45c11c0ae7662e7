import type { IBuilderHint, IBuilderHintVariation } from 'n8n-workflow';

import type { Operation, Resource } from './operations/operation';

const TYPE = 'n8n-nodes-carrier-load-communications.carrierLoadCommunications';
const SAFEGUARDS = `callMode: 'dryRun', rules: { hours: { range: { from: '08:00', to: '20:00' } }, doNotCall: expr("{{ $('Do-not-call list').all() }}"), maxCallsPerHour: 20, maxCallsPerDay: 100, maxCallsPerNumber: 2, skipIfCalledWithin: 10 }`;

/**
 * What n8n's assistant learns about this node: the hint when it searches for nodes, the patterns when
 * it reads the node's types (n8n 2.41: `node-catalog.service.js`, `generate-types.js`).
 */
export function builderHint(resources: Resource[]): IBuilderHint {
	return {
		searchHint:
			'The operations that begin with "Place" call a real phone. Set Safety on each of them (rules: hours, do-not-call list, limits, Skip If Called Within), and leave Mode on Dry Run until a person sets it to Live. For an AI agent, put a human review tool between the agent and the call. All other operations only read.',
		extraTypeDefContent: resources.flatMap(({ value, operations }) =>
			operations
				.filter(({ fields }) => fields.some(({ name }) => name === 'rules'))
				.map((operation) => patterns(value, operation)),
		),
	};
}

/** An operation in a workflow, and as an agent's tool that a person approves. */
function patterns(resource: string, { name, value, fields }: Operation): IBuilderHintVariation {
	const required = fields.filter((field) => field.required).map((field) => field.name);
	const config = (source: (field: string) => string) => {
		const filled = required.map((field) => `${field}: ${source(field)}`).join(', ');
		return `config: { name: '${name}', parameters: { resource: '${resource}', operation: '${value}', ${filled}, ${SAFEGUARDS} } }`;
	};
	return {
		displayOptions: { show: { resource: [resource], operation: [value] } },
		content: `<patterns>
<pattern title="${name} within limits">
// A Data Table node "Do-not-call list" runs before it (Get Row(s), Return All, Execute Once, Always Output Data).
const call = node({ type: '${TYPE}', version: 1, ${config((field) => `expr('{{ $json.${field} }}')`)} });
</pattern>
<pattern title="${name} as an AI agent's tool: a person approves each call">
// The same Data Table node runs before the agent. Pass review to the agent, never call.
const call = tool({ type: '${TYPE}Tool', version: 1, ${config((field) => `fromAi('${field}')`)} });
const review = tool({ type: '@n8n/n8n-nodes-langchain.chatHitlTool', version: 1.3, config: { name: 'Approve the call', subnodes: { tools: [call] } } });
</pattern>
</patterns>`,
	};
}
