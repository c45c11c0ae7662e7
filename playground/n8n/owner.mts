import { N8nApiError, type N8nRest, textIn } from './rest.mts';
import { N8nSession } from './session.mts';

export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/**
 * Logs in as the owner. Creates the account first if n8n has none yet.
 * @throws N8nApiError with status 401 when n8n has another owner or password
 */
export async function logIn(rest: N8nRest, owner: Owner): Promise<N8nSession> {
	try {
		await rest.send('log in', 'POST', '/rest/login', {
			emailOrLdapLoginId: owner.email,
			password: owner.password,
		});
	} catch (error) {
		if (!(error instanceof N8nApiError) || error.status !== 401) throw error;
		await createOwner(rest, owner, error);
	}
	const project = await rest.send('find the personal project', 'GET', '/rest/projects/personal');
	return new N8nSession(rest, textIn(project, 'id'));
}

/** Only n8n's settings say whether it has an owner, and without its editor n8n doesn't serve them. */
async function createOwner(rest: N8nRest, owner: Owner, wrongLogin: N8nApiError): Promise<void> {
	try {
		await rest.send('create the owner account', 'POST', '/rest/owner/setup', owner);
	} catch (error) {
		// n8n 2.41: "Instance owner already setup".
		if (error instanceof N8nApiError && /already/.test(error.message)) throw wrongLogin;
		throw error;
	}
}
