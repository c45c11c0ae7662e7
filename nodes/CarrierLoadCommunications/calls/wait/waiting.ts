import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../../shared/service/http/json';

/** What a waiting node leaves in the run's data for the event that ends its wait. */
export interface Waiting {
	/** Identifies one wait of an execution: an event about an earlier call may come late. */
	waitId: string;
	row: IDataObject;
	/** Names of the fields to return. */
	fields: string[];
}

/** What `waitByWebhook` left; undefined for any other value. */
export function readWaiting(value: unknown): Waiting | undefined {
	if (!isJsonObject(value)) return undefined;
	const { waitId, row, fields } = value;
	if (!isJsonObject(row) || !Array.isArray(fields)) return undefined;
	return { waitId: String(waitId), row, fields: fields.map(String) };
}
