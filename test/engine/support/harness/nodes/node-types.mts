import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type {
	ICredentialTestFunction,
	ICredentialType,
	INodeProperties,
	INodeType,
	INodeTypes,
	IVersionedNodeType,
} from 'n8n-workflow';
import { core, repositoryRoot, workflow } from '../n8n.mts';
import { testNodes } from './test-nodes.mts';

type AnyNodeType = INodeType | IVersionedNodeType;

/** The node and credential types available to test workflows. */
export class LoadedTypes implements INodeTypes {
	readonly credentials = new Map<string, ICredentialType>();
	private readonly nodes = new Map<string, AnyNodeType>();
	private readonly tools = new Map<string, INodeType>();

	constructor(extra: Record<string, AnyNodeType> = {}) {
		for (const [name, type] of Object.entries({ ...testNodes, ...extra })) {
			this.nodes.set(name, type);
		}
	}

	/** Loads a built package as n8n does. Throws if it was not built. */
	async loadPackage(directory: string): Promise<string> {
		const loader = new core.PackageDirectoryLoader(directory);
		if (directory === repositoryRoot && !existsSync(join(directory, 'dist'))) {
			throw new Error('There is no dist/: run "npm run build" first');
		}
		await loader.loadAll();
		for (const [name, { type }] of Object.entries(loader.nodeTypes)) {
			this.nodes.set(`${loader.packageName}.${name}`, type);
		}
		for (const [name, { type }] of Object.entries(loader.credentialTypes)) {
			this.credentials.set(name, type);
		}
		return loader.packageName;
	}

	getByName(name: string): AnyNodeType {
		const found = this.nodes.get(name);
		if (found) return found;
		const known = [...this.nodes.keys()].join(', ');
		throw new Error(`No node type "${name}": is it registered and built? Known: ${known}`);
	}

	getByNameAndVersion(name: string, version?: number): INodeType {
		if (!this.nodes.has(name) && name.endsWith('Tool')) return this.asTool(name, version);
		return workflow.NodeHelpers.getVersionedNodeType(this.getByName(name), version);
	}

	/** The method that tests a credential; undefined if there is none. */
	credentialTest(credential: string): ICredentialTestFunction | undefined {
		for (const name of this.nodes.keys()) {
			const { description, methods } = this.getByNameAndVersion(name);
			for (const { name: used, testedBy } of description.credentials ?? []) {
				if (used === credential && typeof testedBy === 'string') {
					return methods?.credentialTest?.[testedBy];
				}
			}
		}
		return undefined;
	}

	getKnownTypes() {
		return {};
	}

	/** The node type that n8n derives for AI agents (n8n 2.41: node-types.js, ai-tools.js). */
	private asTool(name: string, version?: number): INodeType {
		const known = this.tools.get(`${name}@${version}`);
		if (known) return known;
		const node = this.getByNameAndVersion(name.slice(0, -'Tool'.length), version);
		if (!node.description.usableAsTool) throw new Error(`"${name}" cannot be used as a tool`);
		const description: INodeProperties = {
			displayName: 'Description',
			name: 'toolDescription',
			type: 'string',
			default: node.description.description,
		};
		const descriptionType: INodeProperties = {
			displayName: 'Tool Description',
			name: 'descriptionType',
			type: 'options',
			options: [
				{ name: 'Set Automatically', value: 'auto' },
				{ name: 'Set Manually', value: 'manual' },
			],
			default: 'auto',
		};
		const tool: INodeType = Object.create(node, {
			description: {
				value: {
					...node.description,
					name: `${node.description.name}Tool`,
					inputs: [],
					outputs: ['ai_tool'],
					properties: [descriptionType, description, ...node.description.properties],
				},
			},
		});
		this.tools.set(`${name}@${version}`, tool);
		return tool;
	}
}
