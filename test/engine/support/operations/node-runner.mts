import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	startSandbox,
	type EndpointName,
	type SandboxOptions,
} from '../../../../sandbox/index.mts';
import { startEngine } from '../harness/index.mts';
import type { NodeOptions, RunOptions } from '../harness/index.mts';

const credentialType = 'carrierLoadCommunicationsApi';

/** The engine, the sandbox, and a way to run the node with a valid credential. */
export async function startNodeRunner(options: SandboxOptions = {}) {
	const sandbox = await startSandbox({ calls: 400, seed: 7, ...options });
	const engine = await startEngine();
	const credentials = {
		[credentialType]: { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north },
	};
	return {
		sandbox,
		engine,
		credentials,
		run: (parameters: INodeParameters, options: NodeOptions & RunOptions = {}) =>
			engine.runNode(parameters, { credentials, timezone: 'America/Chicago', ...options }),
		runTool: (parameters: INodeParameters, toolArguments: IDataObject = {}) =>
			engine.runTool(parameters, toolArguments, { credentials, timezone: 'America/Chicago' }),
		/** The queries that an endpoint received. */
		queries: (endpoint: EndpointName) =>
			sandbox.ledger.requests(endpoint).map(({ query }) => query),
		reset: () => {
			sandbox.faults.clear();
			sandbox.ledger.clear();
		},
		close: async () => {
			engine.close();
			await sandbox.close();
		},
	};
}

/** A tool has no options, and waits longer for lost answers than these tests can. */
export function showToolOptions({ engine }: NodeRunner): void {
	const type = 'n8n-nodes-carrier-load-communications.carrierLoadCommunications';
	for (const name of [type, `${type}Tool`]) {
		const { properties } = engine.types.getByNameAndVersion(name, 1).description;
		for (const { name: field, displayOptions } of properties) {
			if (field === 'options') delete displayOptions?.hide;
		}
	}
}

export type NodeRunner = Awaited<ReturnType<typeof startNodeRunner>>;

/** A failed item with Continue on Fail, on every version of n8n: exactly these keys. */
export const failure = (error: RegExp | string) => ({
	error: typeof error === 'string' ? error : expect.stringMatching(error),
	message: expect.any(String),
});
