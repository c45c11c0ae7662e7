import { type Example, exampleTables, exampleWorkflows } from '../demo/examples.mts';
import { isRecord, type JsonObject, N8nRefusal, textIn } from '../n8n/rest.mts';
import type { CredentialToCreate, N8nSession } from '../n8n/session.mts';
import { textOf } from '../process/problem.mts';
import { complain, step } from '../cli/terminal.mts';

/** The examples name this credential, and n8n finds it by its name when it creates them. */
export const SANDBOX_CREDENTIAL = 'Carrier Load Communications (sandbox)';
export const SANDBOX_CREDENTIAL_TYPE = 'carrierLoadCommunicationsApi';

/** Where the sandbox is, and one organization's token. */
export interface SandboxAccess {
	baseUrl: string;
	accessToken: string;
}

/**
 * Creates the credential, the data tables and the example workflows that are missing. What is there
 * already stays as the user left it.
 */
export async function furnish(session: N8nSession, access: SandboxAccess): Promise<void> {
	await furnishCredential(session, access);
	await furnishTables(session);
	await furnishWorkflows(session);
}

async function furnishTables(session: N8nSession): Promise<void> {
	const there = (await session.dataTables()).map((table) => textIn(table, 'name'));
	const missing = exampleTables().filter(({ name }) => !there.includes(name));
	for (const table of missing) await session.createDataTable(table);
	if (missing.length > 0) step(`Data tables created: ${missing.length}`);
}

async function furnishWorkflows(session: N8nSession): Promise<void> {
	const imported: Example[] = [];
	for (const example of exampleWorkflows()) {
		try {
			if (await importWorkflow(session, example)) imported.push(example);
		} catch (error) {
			// One broken file must not cost the user the others.
			if (!(error instanceof N8nRefusal)) throw error;
			complain(`examples/${example.file} was left out: ${textOf(error)}`);
		}
	}
	const active = imported.filter((example) => example.active).length;
	if (imported.length > 0)
		step(`Workflows imported: ${imported.length}, of them active: ${active}`);
}

/** Whether there was anything to do: the workflow was missing, or a stopped start left it half imported. */
async function importWorkflow(session: N8nSession, example: Example): Promise<boolean> {
	const { id, name, nodes, connections, settings, active } = example;
	const there = await session.workflow(id);
	if (there === undefined) {
		await session.createWorkflow({ id, name, nodes, connections, ...(settings && { settings }) });
	} else if (!active || !wasNeverActive(there)) {
		return false;
	}
	if (active) await session.activate(id);
	return true;
}

/** n8n 2.41 counts a workflow's triggers when it becomes active, and keeps that when it is deactivated. */
function wasNeverActive(workflow: JsonObject): boolean {
	return (
		workflow['active'] !== true && workflow['triggerCount'] === 0 && workflow['isArchived'] !== true
	);
}

async function furnishCredential(session: N8nSession, access: SandboxAccess): Promise<void> {
	const credential: CredentialToCreate = {
		name: SANDBOX_CREDENTIAL,
		type: SANDBOX_CREDENTIAL_TYPE,
		data: { ...access },
	};
	const id = await sandboxCredentialId(session);
	if (id === undefined) {
		await session.createCredential(credential);
		step(`Credential "${credential.name}" created`);
		return;
	}
	const address = textIn(await session.credentialData(id), 'baseUrl');
	// A user who pointed it at the real service gets to keep that; a sandbox on another port is followed.
	if (address === access.baseUrl || !isOnThisMachine(address)) return;
	await session.updateCredential(id, credential);
	step(`Credential "${credential.name}" now points at ${access.baseUrl}`);
}

export async function sandboxCredentialId(session: N8nSession): Promise<string | undefined> {
	const found = (await session.credentials()).find(
		(one) =>
			isRecord(one) &&
			one['name'] === SANDBOX_CREDENTIAL &&
			one['type'] === SANDBOX_CREDENTIAL_TYPE,
	);
	return found === undefined ? undefined : textIn(found, 'id');
}

export function isOnThisMachine(address: string): boolean {
	return /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$)/.test(address);
}
