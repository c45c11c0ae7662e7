import { N8nApiError, textIn } from '../../../../playground/n8n/rest.mts';
import type { N8nSession } from '../../../../playground/n8n/session.mts';
import { waitUntil } from '../../../support/wait-until.mts';

/** Deletes workflows with their executions. n8n 2 deletes only what is archived and no longer published. */
export async function deleteWorkflows({ rest }: N8nSession, ids: string[]): Promise<void> {
	for (const id of ids) {
		await rest.send(`archive the workflow ${id}`, 'POST', `/rest/workflows/${id}/archive`, {});
	}
	for (const id of ids) {
		await waitUntil(`the end of the workflow ${id}`, async () => {
			try {
				await rest.send(`delete the workflow ${id}`, 'DELETE', `/rest/workflows/${id}`);
				return true;
			} catch (error) {
				// n8n 2.41: "Workflow is still being unpublished".
				if (error instanceof N8nApiError && error.status === 409) return false;
				throw error;
			}
		});
	}
}

export async function deleteDataTables(session: N8nSession, names: string[]): Promise<void> {
	const tables = (await session.dataTables()).filter((table) =>
		names.includes(textIn(table, 'name')),
	);
	for (const table of tables) {
		const path = `/rest/projects/${session.projectId}/data-tables/${textIn(table, 'id')}`;
		await session.rest.send('delete a data table', 'DELETE', path);
	}
}
