import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidParameter } from '../../../../shared/fields/invalidParameter';
import { runsAsTool } from '../../../../shared/fields/runsAsTool';
import { isJsonObject } from '../../../../shared/service/http/json';

/** What the rules depend on, by parameter name: the labels of what a model must not fill in. */
const PROTECTED = {
	rules: 'Calling Rules',
	options: 'Options',
	skipIfCalledWithin: 'Skip If Called Within (Minutes)',
};

/**
 * What gives a model's words to an expression: $fromAI in the spellings that n8n knows, and the
 * tool's own input, which are the model's arguments (n8n-workflow 2.41: `workflow-data-proxy.js`,
 * `from-ai-parse-utils.js`).
 */
const FROM_MODEL = /\$(?:from_?ai|tool|json|input|binary|data|item|parameter)\b/i;

/**
 * Refuses to run as an AI agent's tool when the model could fill in a rule. The editor offers that
 * for each field that takes expressions, and n8n does not keep a node from it at run time.
 *
 * @throws InvalidParameter that names the field
 */
export function refuseRulesFromModel(context: IExecuteFunctions): void {
	if (!runsAsTool(context)) return;
	const { parameters } = context.getNode();
	for (const [name, label] of Object.entries(PROTECTED)) {
		const expression = expressionsIn(parameters[name]).find((text) => FROM_MODEL.test(text));
		if (expression === undefined) continue;
		throw new InvalidParameter(
			label,
			'must not be filled in by the AI model; enter a value, or an expression that does not use $fromAI or the tool input',
			expression,
		);
	}
}

function expressionsIn(value: unknown): string[] {
	if (typeof value === 'string') return value.startsWith('=') ? [value] : [];
	if (Array.isArray(value)) return value.flatMap(expressionsIn);
	return isJsonObject(value) ? Object.values(value).flatMap(expressionsIn) : [];
}
