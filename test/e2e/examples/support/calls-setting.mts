import { recordsIn, textIn } from '../../../../playground/n8n/rest.mts';
import {
	SANDBOX_CREDENTIAL,
	SANDBOX_CREDENTIAL_TYPE,
} from '../../../../playground/setup/import-examples.mts';
import type { ExamplesEnvironment } from './examples-environment.mts';

/** Changes the Calls setting of the credential in a workflow's Check call. */
export async function setCalls(
	{ session, sandbox }: ExamplesEnvironment,
	workflow: string,
	callMode: 'live' | 'paused',
): Promise<void> {
	const nodes = recordsIn(await session.workflow(workflow), 'nodes');
	const { credentials } = nodes.find(({ name }) => name === 'Check call') ?? {};
	const id = textIn(Object(credentials)[SANDBOX_CREDENTIAL_TYPE], 'id');
	const data = { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north, callMode };
	const credential = { name: SANDBOX_CREDENTIAL, type: SANDBOX_CREDENTIAL_TYPE, data };
	await session.updateCredential(id, credential);
}
