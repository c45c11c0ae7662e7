import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidParameter } from '../../../../shared/fields/invalidParameter';
import { expressionsIn } from '../../../../shared/fields/constantParameters';
import { runsAsTool } from '../../../../shared/fields/runsAsTool';

/** Parameters that the rules depend on, with their labels. A model must not fill them in. */
const PROTECTED = {
	rules: 'Calling Rules',
	options: 'Options',
	skipIfCalledWithin: 'Skip If Called Within (Minutes)',
};

/**
 * What brings a model's words into an expression: $fromAI, and the tool's own input (n8n-workflow
 * 2.41: `workflow-data-proxy.js`, `from-ai-parse-utils.js`).
 */
const FROM_MODEL = /\$(?:from_?ai|tool|json|input|binary|data|items?|parameter)\b/i;

/**
 * Refuses to run as an AI agent's tool if the model could fill in a rule: the editor offers that for
 * each field that accepts expressions. @throws InvalidParameter
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
