import {
	type Example,
	exampleTables,
	exampleWorkflows,
} from '../../../../playground/demo/examples.mts';
import { isRecord, type JsonObject } from '../../../../playground/n8n/rest.mts';
import type { N8nSession } from '../../../../playground/n8n/session.mts';
import {
	SANDBOX_CREDENTIAL,
	SANDBOX_CREDENTIAL_TYPE,
} from '../../../../playground/setup/import-examples.mts';
import type { Sandbox } from '../../../../sandbox/index.mts';
import { deleteDataTables, deleteWorkflows } from './deletions.mts';

/** An example with different parameters in one node, for what a test can't wait for. */
export interface Variant {
	/** The example's id. */
	of: string;
	/** ID of a second copy. Without it, the example itself is imported with the change. */
	as?: string;
	node: string;
	/** As a function: asked when the example is imported, after n8n has started. */
	set: JsonObject | (() => JsonObject);
	/** More of the node: its Settings tab and its credentials. */
	settings?: JsonObject;
}

/** Imports examples. Returns what deletes their workflows and data tables again. */
export async function importExamples(
	session: N8nSession,
	sandbox: Sandbox,
	variants: Variant[],
	only?: string[],
): Promise<() => Promise<void>> {
	const isImported = ({ id }: Example) => only?.includes(id) ?? true;
	const copied = variants.filter(({ as }) => as !== undefined).map(({ of }) => of);
	const examples = exampleWorkflows().filter((one) => isImported(one) || copied.includes(one.id));
	const { id: credential } = await session.createCredential({
		name: SANDBOX_CREDENTIAL,
		type: SANDBOX_CREDENTIAL_TYPE,
		data: { baseUrl: sandbox.baseUrl, accessToken: sandbox.tokens.north },
	});
	const tables = await createTables(session, JSON.stringify(examples));
	const workflows: string[] = [];
	for (const example of examples) {
		const ofIt = variants.filter((variant) => variant.of === example.id);
		const copies = new Set(ofIt.map(({ as }) => as));
		if (isImported(example)) copies.add(undefined);
		for (const copy of copies) {
			const changes = ofIt.filter(({ as }) => as === copy);
			const workflow = changes.reduce(changed, toCreate(example));
			const nodes = workflow.nodes
				.map((node) => withSandbox(node, String(credential)))
				.map(atAnyHour);
			await session.createWorkflow({ ...workflow, nodes });
			workflows.push(workflow.id);
		}
	}
	return async () => {
		await deleteWorkflows(session, workflows);
		await deleteDataTables(session, tables);
	};
}

/** Creates the data tables that a text names, unless n8n has them. Returns the names of those created. */
async function createTables(session: N8nSession, text: string): Promise<string[]> {
	const existing = (await session.dataTables()).map(({ name }) => name);
	const missing = exampleTables().filter(
		({ name }) => text.includes(`"${name}"`) && !existing.includes(name),
	);
	for (const table of missing) await session.createDataTable(table);
	return missing.map(({ name }) => name);
}

/** A node with this credential for the service, of the several in n8n with the same name. */
function withSandbox(node: JsonObject, id: string): JsonObject {
	const credentials = isRecord(node['credentials']) ? node['credentials'] : {};
	if (!(SANDBOX_CREDENTIAL_TYPE in credentials)) return node;
	const sandbox = { id, name: SANDBOX_CREDENTIAL };
	return { ...node, credentials: { ...credentials, [SANDBOX_CREDENTIAL_TYPE]: sandbox } };
}

const NEW_HOURS = '{"range":{"from":"08:00","to":"20:00","zone":"phone"}}';

/**
 * The tests run at night, too, when a node with the hours of a new one calls nobody. Their calls don't end
 * by themselves, and they call one phone again and again.
 */
function atAnyHour(node: JsonObject): JsonObject {
	const isOurs = String(node['type']).endsWith('.carrierLoadCommunications');
	if (!isOurs) return node;
	const { rules = {}, ...parameters } = Object(node['parameters']);
	const { hours, ...others } = rules;
	const isNew = JSON.stringify(hours) === NEW_HOURS;
	const kept = { samePhonePause: 0, ...(isNew ? others : rules) };
	return { ...node, parameters: { ...parameters, rules: kept } };
}

function toCreate({ id, name, description, nodes, connections, settings = {} }: Example) {
	return { id, name, description, nodes, connections, settings };
}

function changed(
	workflow: ReturnType<typeof toCreate>,
	{ of, as, node: name, set, settings }: Variant,
) {
	if (!workflow.nodes.some((node) => node['name'] === name)) {
		throw new Error(`The example ${of} has no node "${name}"`);
	}
	const values = typeof set === 'function' ? set() : set;
	const nodes = workflow.nodes.map((node) => {
		const parameters = isRecord(node['parameters']) ? node['parameters'] : {};
		if (node['name'] !== name) return node;
		return { ...node, ...settings, parameters: { ...parameters, ...values } };
	});
	return { ...workflow, nodes, ...(as !== undefined && { id: as, name: as }) };
}
