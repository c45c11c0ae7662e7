// Runs n8n's own rules for 3.0 in a process of its own, as n8n's page "Migration Report" does.
// Input: { n8n: its package.json, outputs: by node type, workflows }; output: findings, one list for each workflow.
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';

const { n8n, outputs, workflows } = JSON.parse(await text(process.stdin));
const require = createRequire(n8n);
const { Container } = require('@n8n/di');
const { BreakingChangeRuleMetadata } = require('@n8n/decorators');
const { NodeTypes } = require('n8n/dist/node-types');
const { groupNodesByType } = require('n8n/dist/modules/breaking-changes/group-nodes-by-type');
require('n8n/dist/modules/breaking-changes/rules');

// One rule asks how many outputs a node has.
Container.set(NodeTypes, {
	getByNameAndVersion(type) {
		if (!(type in outputs)) throw new Error(`Unknown node ${type}`);
		return { description: { outputs: outputs[type] } };
	},
});

const rules = Container.get(BreakingChangeRuleMetadata)
	.getEntries()
	.filter(({ version }) => version === 'v3')
	.filter((rule) => 'detectWorkflow' in rule.class.prototype)
	.map((rule) => Container.get(rule.class));

const findings = await Promise.all(
	workflows.map(async (workflow) => {
		const grouped = groupNodesByType(workflow.nodes);
		const reports = await Promise.all(
			rules.map(async (rule) => {
				const { issues } = await rule.detectWorkflow(workflow, grouped);
				return issues.map(({ title }) => `${rule.id}: ${title}`);
			}),
		);
		return reports.flat();
	}),
);
process.stdout.write(JSON.stringify({ rules: rules.map(({ id }) => id), findings }));
