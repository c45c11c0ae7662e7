import { isRecord, type N8nRest, textIn } from './rest.mts';
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
	if (await hasNoOwner(rest)) {
		await rest.send('create the owner account', 'POST', '/rest/owner/setup', owner);
	}
	await rest.send('log in', 'POST', '/rest/login', {
		emailOrLdapLoginId: owner.email,
		password: owner.password,
	});
	const project = await rest.send('find the personal project', 'GET', '/rest/projects/personal');
	return new N8nSession(rest, textIn(project, 'id'));
}

async function hasNoOwner(rest: N8nRest): Promise<boolean> {
	const settings = await rest.send('read the settings', 'GET', '/rest/settings');
	const users = isRecord(settings) ? settings['userManagement'] : undefined;
	return isRecord(users) && users['showSetupOnFirstLoad'] === true;
}
