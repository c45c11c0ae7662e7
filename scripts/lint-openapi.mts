// Lints the sandbox's OpenAPI document with Redocly's strict rules ("npm run lint").
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';

const file = resolve(import.meta.dirname, '../sandbox/openapi.json');
const problems = await lintFromString({
	source: readFileSync(file, 'utf8'),
	absoluteRef: file,
	config: await createConfig({ extends: ['recommended-strict'] }),
});
for (const { ruleId, message, location } of problems) {
	console.error(`sandbox/openapi.json${location[0]?.pointer ?? ''}: ${message} (${ruleId})`);
}
process.exitCode = problems.length > 0 ? 1 : 0;
