import { textIn } from '../../../playground/n8n/rest.mts';
import type { N8nSession } from '../../../playground/n8n/session.mts';

/** Creates the API key that npm start and the suites ask for, and what removes the tests' things again. */
export async function createApiKey({ rest }: N8nSession): Promise<string> {
	const scopes = ['workflow', 'credential', 'dataTable', 'dataTableRow', 'execution'].flatMap(
		(of) =>
			['create', 'read', 'list', 'update', 'activate', 'delete'].map((what) => `${of}:${what}`),
	);
	const known = await rest.send('read the scopes', 'GET', '/rest/api-keys/scopes');
	const created = await rest.send('create an API key', 'POST', '/rest/api-keys', {
		label: 'playground',
		expiresAt: null,
		scopes: scopes.filter((scope) => Array.isArray(known) && known.includes(scope)),
	});
	return textIn(created, 'rawApiKey');
}
