import { textIn } from '../../../../playground/n8n/rest.mts';
import type { N8nSession } from '../../../../playground/n8n/session.mts';

/** Deletes workflows with their executions. n8n unpublishes all of them meanwhile. */
export async function deleteWorkflows(session: N8nSession, ids: string[]): Promise<void> {
	for (const id of ids) await session.archiveWorkflow(id);
	for (const id of ids) await session.deleteWorkflow(id);
}

export async function deleteDataTables(session: N8nSession, names: string[]): Promise<void> {
	const tables = (await session.dataTables()).filter((table) =>
		names.includes(textIn(table, 'name')),
	);
	for (const table of tables) await session.deleteDataTable(textIn(table, 'id'));
}
