import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { additionalDataFor } from '../additional-data.mts';
import type { StoredCredentials } from './stored-credentials.mts';
import type { LoadedTypes } from '../nodes/node-types.mts';
import { core, workflow as n8nWorkflow } from '../n8n.mts';

/**
 * The "Test" of the credential dialog (n8n 2.41: credentials-tester.service.js). Runs the test
 * method of the first node that has one, in n8n's own context.
 */
export async function testCredential(
	type: string,
	data: IDataObject,
	stored: StoredCredentials,
	types: LoadedTypes,
): Promise<INodeCredentialTestResult> {
	const method = types.credentialTest(type);
	if (!method)
		return { status: 'Error', message: 'No testing function found for this credential.' };
	const workflow = new n8nWorkflow.Workflow({
		nodes: [],
		connections: {},
		active: false,
		nodeTypes: types,
	});
	const additionalData = additionalDataFor(workflow, stored, 'internal', '0');
	const decrypted = stored.withDefaults(
		additionalData,
		data as ICredentialDataDecryptedObject,
		type,
		'internal',
	);
	const context: ICredentialTestFunctions = new core.CredentialTestContext(additionalData);
	return await method.call(context, { id: 'test', name: 'Test', type, data: decrypted });
}
