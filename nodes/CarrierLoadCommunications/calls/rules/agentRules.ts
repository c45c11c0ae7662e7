import type { INodeParameters } from 'n8n-workflow';

import { InvalidParameter } from '../../../shared/fields/invalidParameter';
import { expressionsIn } from '../../../shared/fields/parameters';
import { CallProblem } from '../callErrors';
import type { Limits } from './limits';
import { SAFETY } from './ruleFields';

/** An agent's model may call one number after another. @throws CallProblem */
export function refuseNoLimit(limits: Limits): void {
	if (Object.values(limits).some((limit) => limit !== undefined)) return;
	throw new CallProblem(
		'This tool may not place calls without a limit',
		"Do not retry. For the workflow's owner: add Max Calls per Hour, Max Calls per Day or Max Calls per Person per Day to this node's Safety, so that the AI agent can't place calls without limit",
	);
}

/** Parameters that the rules depend on, with their labels. A model must not fill them in. */
const PROTECTED = {
	rules: SAFETY,
	options: 'Options',
	callMode: 'Mode',
	testNumber: 'Test Number',
};

/**
 * What brings a model's words into an expression: $fromAI, and the tool's own input (n8n-workflow
 * 2.41: `workflow-data-proxy.js`, `from-ai-parse-utils.js`).
 */
const FROM_MODEL = /\$(?:from_?ai|tool|json|input|binary|data|items?|parameter)\b/i;

/** @throws InvalidParameter if the model could fill in a rule: the editor offers that for each field that accepts expressions */
export function refuseModelIn(parameters: INodeParameters): void {
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
