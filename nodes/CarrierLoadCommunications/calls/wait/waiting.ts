import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../../shared/service/http/json';
import { isLevel, type Output } from '../../fields/output';

/** What a waiting node leaves in the run's data for the event that ends its wait. */
export interface Waiting extends Pick<Output, 'level' | 'selected'> {
	/** Identifies one wait of an execution: an event about an earlier call may come late. */
	waitId: string;
	row: IDataObject;
}

/** What `waitByWebhook` left; undefined for any other value. */
export function readWaiting(value: unknown): Waiting | undefined {
	if (!isJsonObject(value)) return undefined;
	const { waitId, row, level, selected } = value;
	if (!isJsonObject(row) || !isLevel(level) || !Array.isArray(selected)) return undefined;
	return { waitId: String(waitId), row, level, selected: selected.map(String) };
}
