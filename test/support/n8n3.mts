import type { Example } from '../../playground/demo/examples.mts';
import { isRecord } from '../../playground/n8n/rest.mts';

/** What n8n 2.41's rules for 3.0 find in workflows. The end-to-end tests compare it with the rules themselves. */

/** Node types without their package's name. */
export const REMOVED = {
	'n8n-nodes-base': [
		...['cron', 'function', 'functionItem', 'htmlExtract', 'iCal', 'interval', 'itemLists'],
		...['moveBinaryData', 'openAi', 'orbit', 'readBinaryFile', 'readBinaryFiles', 'readPDF'],
		...['workflowTrigger', 'writeBinaryFile'],
	],
	'@n8n/n8n-nodes-langchain': [
		...['documentBinaryInputLoader', 'documentGithubLoader', 'documentJsonInputLoader'],
		...['lmOpenAi', 'manualChatTrigger', 'memoryChatRetriever', 'memoryMotorhead', 'memoryZep'],
		...['openAiAssistant', 'toolHttpRequest', 'toolSerpApi', 'vectorStoreInMemoryInsert'],
		...['vectorStoreInMemoryLoad', 'vectorStorePineconeInsert', 'vectorStorePineconeLoad'],
		...['vectorStoreSupabaseInsert', 'vectorStoreSupabaseLoad', 'vectorStoreZep'],
		...['vectorStoreZepInsert', 'vectorStoreZepLoad'],
	],
};

const REMOVED_TYPES = Object.entries(REMOVED).flatMap(([name, types]) =>
	types.map((type) => `${name}.${type}`),
);

type Workflow = Pick<Example, 'nodes'>;

/** What n8n 3 removes or changes in a workflow, each with the node's name. */
export function findingsForN8n3({ nodes }: Workflow): string[] {
	return nodes.flatMap((node) => {
		const { type, name, typeVersion } = node;
		const parameters = isRecord(node['parameters']) ? node['parameters'] : {};
		const found: string[] = [];
		if (type === 'n8n-nodes-base.executeWorkflow') {
			if (parameters['mode'] === 'each') found.push('runs a sub-workflow once for each item');
			if (['localFile', 'url'].includes(String(parameters['source'])))
				found.push('reads a sub-workflow from a file or URL');
		}
		if (REMOVED_TYPES.includes(String(type))) found.push(`is a removed node: ${String(type)}`);
		if (JSON.stringify(parameters).includes('$getPairedItem')) found.push('uses $getPairedItem');
		if (type === '@n8n/n8n-nodes-langchain.agent' && Number(typeVersion) < 2)
			found.push('is an AI Agent below version 2');
		if (node['alwaysOutputData'] === true && node['onError'] === 'continueErrorOutput')
			found.push('has Always Output Data with an error output');
		return found.map((text) => `${String(name)} ${text}`);
	});
}

/** What n8n 3's rules don't ask, and these examples do all the same. */
export function findingsOfOurOwn({ nodes }: Workflow): string[] {
	return nodes.flatMap(({ type, name, typeVersion, parameters }) => {
		const { misfirePolicy } = isRecord(parameters) ? parameters : {};
		const isSchedule = type === 'n8n-nodes-base.scheduleTrigger';
		if (isSchedule && (Number(typeVersion) < 1.4 || misfirePolicy === undefined))
			return [`${String(name)} doesn't say what to do if an execution is missed`];
		if (type === 'n8n-nodes-base.spreadsheetFile')
			return [`${String(name)} isn't Extract from File`];
		if (type === 'n8n-nodes-base.executeWorkflow')
			return [`${String(name)} depends on another workflow's ID, which an import changes`];
		return [];
	});
}
