import { OUTCOME_TABLE, sampleEvent } from '../../../playground/demo/sample-check-call.mts';
import type { JsonObject } from '../../../playground/n8n/rest.mts';
import type { N8nSession } from '../../../playground/n8n/session.mts';

/**
 * The rows of sample check calls, newest first. On the hour, the workflow that keeps outcomes adds rows of calls that
 * it had not heard of: those of the sandbox's own history.
 */
export async function sampleRows(session: N8nSession): Promise<JsonObject[]> {
	const rows = await session.dataTableRows(OUTCOME_TABLE);
	return rows.filter(({ phone }) => phone === sampleEvent('').driver.phone);
}
