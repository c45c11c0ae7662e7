import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { n8nFolder } from '../../../../playground/setup/paths.mts';

const FILE = join(n8nFolder(), 'node_modules', 'n8n-nodes-base', 'dist', 'types', 'nodes.json');

let installed: INodeTypeDescription[] | undefined;

/**
 * The description of one of n8n's own nodes, as installed.
 * @throws when n8n has no such node, or not in this version
 */
export function describeN8nNode(type: string, version: number): INodeTypeDescription {
	installed ??= JSON.parse(readFileSync(FILE, 'utf8')) as INodeTypeDescription[];
	const found = installed.find(
		(node) => `n8n-nodes-base.${node.name}` === type && [node.version].flat().includes(version),
	);
	if (found === undefined) throw new Error(`n8n has no version ${version} of ${type}`);
	return found;
}
