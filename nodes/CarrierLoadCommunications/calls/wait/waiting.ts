import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../../shared/service/http/json';

/** Tells one wait of an execution from another: an event about an earlier call may come late. */
export const WAIT_ID_QUERY = 'wait';

/** What the node leaves behind for the event, or for the end of the wait. */
export interface Waiting {
	waitId: string;
	runIndex: number;
	row: IDataObject;
	/** Names of the fields to put out. */
	fields: string[];
	/** The item that n8n hands on by itself when it does not run the node again. */
	prepared: IDataObject;
}

/** What was left behind by `restUntilEvent`; undefined when that is not what it is. */
export function readWaiting(value: unknown): Waiting | undefined {
	if (!isJsonObject(value)) return undefined;
	const { waitId, runIndex, row, fields, prepared } = value;
	if (!isJsonObject(row) || !isJsonObject(prepared) || !Array.isArray(fields)) return undefined;
	return {
		waitId: String(waitId),
		runIndex: Number(runIndex),
		row,
		fields: fields.map(String),
		prepared,
	};
}

/** The fields that the user wants of a row. */
export function pickFields(row: IDataObject, fields: string[]): IDataObject {
	return Object.fromEntries(
		fields.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]),
	);
}
