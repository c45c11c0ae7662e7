import {
	SANDBOX_CREDENTIAL,
	SANDBOX_CREDENTIAL_TYPE,
} from '../../../../playground/setup/import-examples.mts';
import type { JsonObject } from '../../../../playground/n8n/rest.mts';
import { PACKAGE_NAME } from '../../../../playground/setup/paths.mts';

/** The action node as an agent's tool. */
export interface Tool {
	/** The node's name, from which the tool's name for the model is derived. */
	node: string;
	parameters: JsonObject;
	/** More of the node: its Settings tab. */
	settings?: JsonObject;
}

export interface AgentOptions {
	/** Version of the AI Agent node. Before 3, it runs its tools itself. */
	typeVersion?: number;
	/** Whether a person must approve each use of a tool. */
	reviewed?: boolean;
	/** Whether the workflow returns to the agent once more, as in a loop. */
	twice?: boolean;
}

export const START = 'Start';
export const MODEL_CREDENTIAL = 'The model';
export const REVIEW_CREDENTIAL = 'The reviewer';

const AGENT = 'Dispatch assistant';
const MODEL = 'Model';
const REVIEW = 'Ask the dispatcher';
const AGAIN = 'Again';

const into = (to: string, type: string) => ({ [type]: [[{ node: to, type, index: 0 }]] });

function node(name: string, type: string, typeVersion: number, more: JsonObject = {}): JsonObject {
	return { id: name, name, type, typeVersion, position: [0, 0], parameters: {}, ...more };
}

/** A workflow that starts an agent with these tools, as exported from n8n. */
export function agentWorkflow(
	tools: Tool[],
	{ typeVersion = 3.1, reviewed = false, twice = false }: AgentOptions = {},
) {
	const credentials = { [SANDBOX_CREDENTIAL_TYPE]: { id: null, name: SANDBOX_CREDENTIAL } };
	const user = reviewed ? REVIEW : AGENT;
	return {
		name: AGENT,
		nodes: [
			node(START, 'n8n-nodes-base.manualTrigger', 1),
			node(AGENT, '@n8n/n8n-nodes-langchain.agent', typeVersion, {
				parameters: { promptType: 'define', text: 'Help the dispatcher', options: {} },
			}),
			node(MODEL, '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
				parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
				credentials: { openAiApi: { id: null, name: MODEL_CREDENTIAL } },
			}),
			...(reviewed ? [reviewNode] : []),
			...(twice ? [againNode] : []),
			...tools.map(({ node: name, parameters, settings }) =>
				node(name, `${PACKAGE_NAME}.carrierLoadCommunicationsTool`, 1, {
					...{ parameters, credentials, ...settings },
				}),
			),
		],
		connections: {
			[START]: into(AGENT, 'main'),
			[MODEL]: into(AGENT, 'ai_languageModel'),
			...(reviewed && { [REVIEW]: into(AGENT, 'ai_tool') }),
			...(twice && { [AGENT]: into(AGAIN, 'main'), [AGAIN]: into(AGENT, 'main') }),
			...Object.fromEntries(tools.map((tool) => [tool.node, into(user, 'ai_tool')])),
		},
		settings: { executionOrder: 'v1' },
	};
}

/** n8n's "Human review", with buttons in a chat message. */
const reviewNode = node(REVIEW, 'n8n-nodes-base.telegramHitlTool', 1.2, {
	parameters: {
		chatId: '1',
		message: '=Call {{ $tool.parameters.To_Phone }} about load {{ $tool.parameters.Load_Number }}?',
		approvalOptions: { values: { approvalType: 'double' } },
		options: {},
	},
	credentials: { telegramApi: { id: null, name: REVIEW_CREDENTIAL } },
	webhookId: 'b7c2f3d4-0f5e-4c6e-9a54-3f1d2a6f9e10',
});

const againNode = node(AGAIN, 'n8n-nodes-base.if', 2.2, {
	parameters: {
		conditions: {
			options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
			combinator: 'and',
			conditions: [
				{
					id: 'first',
					leftValue: '={{ $runIndex }}',
					rightValue: 1,
					operator: { type: 'number', operation: 'lt' },
				},
			],
		},
		options: {},
	},
});
