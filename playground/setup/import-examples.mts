import { errorMessage, printError, printStep } from '../cli/terminal.mts';
import {
	type Example,
	exampleTables,
	exampleWorkflows,
	FIRST_CALL_WORKFLOW,
	numbered,
} from '../demo/examples.mts';
import { isRecord, type JsonObject, N8nApiError, textIn } from '../n8n/rest.mts';
import type { CredentialToCreate, N8nSession } from '../n8n/session.mts';

/** The examples refer to this credential by name, and n8n finds it when it creates them. */
export const SANDBOX_CREDENTIAL = 'Carrier Load Communications (sandbox)';
export const SANDBOX_CREDENTIAL_TYPE = 'carrierLoadCommunicationsApi';

/** The sandbox's URL and one organization's token. */
export interface SandboxAccess {
	baseUrl: string;
	accessToken: string;
}

/**
 * Creates the credential, the data tables and the example workflows that are missing. What exists
 * stays as the user left it.
 */
export async function importExamples(session: N8nSession, access: SandboxAccess): Promise<void> {
	await ensureCredential(session, access);
	await ensureExampleCredentials(session);
	await ensureDataTables(session);
	await ensureWorkflows(session);
}

async function ensureDataTables(session: N8nSession): Promise<void> {
	const existing = (await session.dataTables()).map((table) => textIn(table, 'name'));
	const missing = exampleTables().filter(({ name }) => !existing.includes(name));
	for (const table of missing) await session.createDataTable(table);
	if (missing.length > 0) printStep(`Data tables created: ${missing.length}`);
}

async function ensureWorkflows(session: N8nSession): Promise<void> {
	const imported: Example[] = [];
	// n8n lists the workflow that was changed last first, so the first one is imported last.
	for (const example of numbered(exampleWorkflows()).reverse()) {
		try {
			if (await importWorkflow(session, example)) imported.push(example);
		} catch (error) {
			// One broken file must not keep the others out.
			if (!(error instanceof N8nApiError)) throw error;
			printError(`Skipped examples/${example.file}: ${errorMessage(error)}`);
		}
	}
	const active = imported.filter((example) => example.active).length;
	if (imported.length > 0)
		printStep(`Workflows imported: ${imported.length} (${active} published)`);
}

/** Imports a workflow that is missing, or that an interrupted start left inactive. Returns whether it did. */
async function importWorkflow(session: N8nSession, example: Example): Promise<boolean> {
	const { id, name, description, connections, settings = {}, tags = [], active } = example;
	const existing = await session.workflow(id);
	if (existing === undefined) {
		const ready = example.nodes.map(withWebhookCredential);
		const nodes = id === FIRST_CALL_WORKFLOW ? ready.map(atAnyHour) : ready;
		await session.createWorkflow({ id, name, description, nodes, connections, settings, tags });
	} else if (!active || !wasNeverActive(existing)) {
		return false;
	}
	if (active) await session.activate(id);
	return true;
}

/** Someone may try the first call when it is night at the number. The sandbox wakes no one. */
function atAnyHour(node: JsonObject): JsonObject {
	const isOurs = textIn(node, 'type').endsWith('.carrierLoadCommunications');
	return isOurs ? { ...node, parameters: { ...Object(node['parameters']), rules: {} } } : node;
}

/** Some examples name none, so that n8n runs their sample before one is chosen. */
function withWebhookCredential(node: JsonObject): JsonObject {
	const isOurs = textIn(node, 'type').endsWith('.carrierLoadCommunicationsTrigger');
	const { name, type } = WEBHOOK_CREDENTIAL;
	return isOurs ? { credentials: { [type]: { id: null, name } }, ...node } : node;
}

/** n8n 2.41 counts a workflow's triggers when it is activated and keeps the count when it is deactivated. */
function wasNeverActive(workflow: JsonObject): boolean {
	return (
		workflow['active'] !== true && workflow['triggerCount'] === 0 && workflow['isArchived'] !== true
	);
}

async function ensureCredential(session: N8nSession, access: SandboxAccess): Promise<void> {
	const credential: CredentialToCreate = {
		name: SANDBOX_CREDENTIAL,
		type: SANDBOX_CREDENTIAL_TYPE,
		data: { ...access },
	};
	const id = await sandboxCredentialId(session);
	if (id === undefined) {
		await session.createCredential(credential);
		printStep(`Credential "${credential.name}" created`);
		return;
	}
	const baseUrl = textIn(await session.credentialData(id), 'baseUrl');
	// Leave a credential alone that points at the real service; follow a sandbox that changed its port.
	if (baseUrl === access.baseUrl || (baseUrl !== '' && !isOnThisMachine(baseUrl))) return;
	await session.updateCredential(id, credential);
	printStep(`Credential "${credential.name}" now points at ${access.baseUrl}`);
}

async function ensureExampleCredentials(session: N8nSession): Promise<void> {
	for (const credential of EXAMPLE_CREDENTIALS) {
		if ((await credentialId(session, credential.name, credential.type)) !== undefined) continue;
		await session.createCredential(credential);
		printStep(`Credential "${credential.name}" created`);
	}
}

export async function sandboxCredentialId(session: N8nSession): Promise<string | undefined> {
	return await credentialId(session, SANDBOX_CREDENTIAL, SANDBOX_CREDENTIAL_TYPE);
}

async function credentialId(session: N8nSession, name: string, type: string) {
	const found = (await session.credentials()).find(
		(one) => isRecord(one) && one['name'] === name && one['type'] === type,
	);
	return found === undefined ? undefined : textIn(found, 'id');
}

/** Whether a URL points at this machine, as the sandbox's does. */
export function isOnThisMachine(url: string): boolean {
	return /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/.test(url);
}

/** The header that the example of TMS events requires. Only the playground's n8n knows this value. */
export const TMS_KEY = { name: 'X-TMS-Key', value: 'sandbox-tms-key' };
export const TMS_KEY_CREDENTIAL: CredentialToCreate = {
	name: 'TMS webhook key (sandbox)',
	type: 'httpHeaderAuth',
	data: { ...TMS_KEY },
};

/** What the browser asks for when the call board is opened. */
export const BOARD_LOGIN = { user: 'dispatch', password: 'sandbox' };
const BOARD_CREDENTIAL: CredentialToCreate = {
	name: 'Call board login',
	type: 'httpBasicAuth',
	data: { ...BOARD_LOGIN },
};

/** What the sandbox signs its events with. Only the playground's n8n knows it. */
export const WEBHOOK_SECRET = 'sandbox-webhook-secret';
export const WEBHOOK_CREDENTIAL: CredentialToCreate = {
	name: 'Carrier Load Communications webhook',
	type: 'carrierLoadCommunicationsWebhookApi',
	data: { method: 'hmac', secret: WEBHOOK_SECRET },
};

/** The credentials that the examples name, besides the sandbox's. */
export const EXAMPLE_CREDENTIALS = [TMS_KEY_CREDENTIAL, WEBHOOK_CREDENTIAL, BOARD_CREDENTIAL];
