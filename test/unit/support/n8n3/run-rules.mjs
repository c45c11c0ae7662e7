// Runs n8n's own rules for 3.0 in a process of its own, as n8n's page "Migration Report" does.
// Input: { folder: with the rules, workflows }; output: the rules' IDs, and a list of findings for each workflow.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const { folder, workflows } = JSON.parse(await text(process.stdin));
const require = createRequire(join(folder, 'package.json'));
const { Container } = require('@n8n/di');
const { BreakingChangeRuleMetadata } = require('@n8n/decorators');
const { NodeTypes } = require('./dist/node-types');
const { groupNodesByType } = require('./dist/modules/breaking-changes/group-nodes-by-type');

// The others look at n8n's settings and database, and need more of n8n.
const v3 = join(folder, 'dist', 'modules', 'breaking-changes', 'rules', 'v3');
for (const name of readdirSync(v3).filter((file) => file.endsWith('.rule.js'))) {
	const path = join(v3, name);
	if (readFileSync(path, 'utf8').includes('detectWorkflow(')) require(path);
}

// One rule asks how many outputs a node has.
const outputs = require('./outputs.json');
Container.set(NodeTypes, {
	getByNameAndVersion(type, version) {
		const key = `${type} ${version}`;
		if (!(key in outputs)) throw new Error(`n8n has no ${key}`);
		return { description: { outputs: outputs[key] } };
	},
});

const rules = Container.get(BreakingChangeRuleMetadata)
	.getEntries()
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
