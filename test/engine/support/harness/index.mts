import type { ICredentialType, INodeType, IVersionedNodeType } from 'n8n-workflow';
import { Engine } from './engine.mts';
import { keepLogs } from './logs.mts';
import { readyStorage, repositoryRoot } from './n8n.mts';
import { LoadedTypes } from './nodes/node-types.mts';

export type { Engine, NodeOptions } from './engine.mts';
export type { EngineRun, RunOptions } from './run.mts';
export type { WebhookRequest } from './webhooks/webhook-sender.mts';
export { chain, type WorkflowJson } from './workflow-json.mts';

export interface EngineOptions {
	/** Which package to load; false for none. By default, this checkout's build. */
	package?: string | false;
	/** Additional node types, by full name. */
	nodeTypes?: Record<string, INodeType | IVersionedNodeType>;
	credentialTypes?: ICredentialType[];
}

/**
 * Starts the real engine (n8n-core 2.41) in this process. It loads the built package's nodes and
 * credentials as n8n does. HTTP, credentials, expressions, retries and binary data are n8n's own;
 * there is no database and no editor. Close it when done.
 */
export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
	keepLogs();
	await readyStorage();
	const types = new LoadedTypes(options.nodeTypes);
	const directory = options.package ?? repositoryRoot;
	const packageName = directory === false ? 'testNodes' : await types.loadPackage(directory);
	for (const type of options.credentialTypes ?? []) types.credentials.set(type.name, type);
	return new Engine(types, packageName);
}
