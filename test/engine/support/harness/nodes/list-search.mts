import type {
	ILoadOptionsFunctions,
	INode,
	INodeListSearchResult,
	INodeParameters,
	Workflow,
} from 'n8n-workflow';
import { additionalDataFor } from '../additional-data.mts';
import type { StoredCredentials } from '../credentials/stored-credentials.mts';
import { core } from '../n8n.mts';

export interface ListSearch {
	/** What the user typed. */
	filter?: string;
}

/** What the editor asks for to fill a resource locator (n8n 2.41: dynamic-node-parameters.service.js). */
export async function searchList(
	{ workflow, node }: { workflow: Workflow; node: INode },
	method: string,
	currentNodeParameters: INodeParameters,
	credentials: StoredCredentials,
	{ filter }: ListSearch,
): Promise<INodeListSearchResult> {
	const { methods } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const search = methods?.listSearch?.[method];
	if (!search) throw new Error(`"${node.type}" has no listSearch method "${method}"`);
	const data = { ...additionalDataFor(workflow, credentials, 'internal', '0') };
	const context = new core.LoadOptionsContext(
		workflow,
		node,
		{ ...data, currentNodeParameters },
		'',
	);
	return await search.call(context as unknown as ILoadOptionsFunctions, filter);
}
