import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeCredentialTestResult,
	INodeType,
} from 'n8n-workflow';
import { additionalDataFor } from '../additional-data.mts';
import type { StoredCredentials } from './stored-credentials.mts';
import type { LoadedTypes } from '../node-types.mts';
import { core, workflow as n8nWorkflow } from '../n8n.mts';

interface Refusal {
	message: string;
	cause?: { code?: string; response?: { status: number; statusText?: string } };
}

/**
 * The "Test" of the credential dialog (n8n 2.41: credentials-tester.service.js): the type's test
 * request is sent through a routing node, and its rules turn the answer into a message.
 */
export async function testCredential(
	type: string,
	data: IDataObject,
	stored: StoredCredentials,
	types: LoadedTypes,
): Promise<INodeCredentialTestResult> {
	const { test } = stored.typeNamed(type);
	if (!test) return { status: 'Error', message: 'No testing function found for this credential.' };
	const references = await stored.save({ [type]: data });
	const probe = types.getByNameAndVersion('testNodes.pass');
	const description = {
		...probe.description,
		credentials: [{ name: type, required: true }],
		properties: [
			{
				displayName: 'Temp',
				name: 'temp',
				type: 'string' as const,
				default: '',
				routing: { request: test.request },
			},
		],
	};
	const nodeType: INodeType = { description };
	const node: INode = {
		id: 'temp',
		name: 'Temp-Node',
		type: 'testNodes.pass',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: references,
	};
	const nodeTypes = {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	};
	const workflow = new n8nWorkflow.Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
	});
	const additionalData = additionalDataFor(workflow, stored, 'internal', '0');
	const decrypted = stored.withDefaults(
		additionalData,
		data as ICredentialDataDecryptedObject,
		type,
		'internal',
	);
	const context = new core.ExecuteContext(
		workflow,
		node,
		additionalData,
		'internal',
		n8nWorkflow.createRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	const credentials = { id: 'test', name: 'Test', type, data: decrypted };
	try {
		const output = await new core.RoutingNode(context, nodeType, credentials).runNode();
		const body = output?.[0]?.[0]?.json ?? {};
		for (const { type: kind, properties } of test.rules ?? []) {
			if (kind !== 'responseSuccessBody') continue;
			const { key, value, message } = properties as {
				key: string;
				value: unknown;
				message: string;
			};
			if (body[key] === value) return { status: 'Error', message };
		}
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		return refused(error as Refusal, test.rules ?? []);
	}
}

function refused(
	error: Refusal,
	rules: ReadonlyArray<{ type: string; properties: object }>,
): INodeCredentialTestResult {
	const response = error.cause?.response;
	if (!response) return { status: 'Error', message: error.cause?.code ?? error.message };
	for (const { type, properties } of rules) {
		if (type !== 'responseCode') continue;
		const { value, message } = properties as { value: number; message: string };
		if (value === response.status) return { status: 'Error', message };
	}
	const message = response.statusText || `Received HTTP status code: ${response.status}`;
	return { status: 'Error', message };
}
