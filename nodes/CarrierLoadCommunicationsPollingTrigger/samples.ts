import { NodeOperationError, type INode } from 'n8n-workflow';

import type { JsonObject } from '../shared/service/http/json';
import type { Watched } from './watched';
import type { ReadRange } from './windows';

const HOUR = 60 * 60 * 1000;

/** Ranges that are looked through, one after the other, until there is something to show. */
const HOURS_BACK = [1, 6, 24, 3 * 24, 7 * 24, 30 * 24];

/** Rows that are looked through for the newest ones. */
const LOOKED_AT = 500;
const SHOWN = 5;

/**
 * The newest records, for a test run in the editor: real ones, so that their fields can be mapped.
 *
 * @throws NodeOperationError when there are none in the last 30 days
 */
export async function readSamples(
	node: INode,
	read: ReadRange,
	watched: Watched,
	nowMs: number,
): Promise<JsonObject[]> {
	const time = (row: JsonObject) => watched.timeOf(row) ?? 0;
	let ready: JsonObject[] = [];
	for (const hours of HOURS_BACK) {
		const { rows } = await read(nowMs - hours * HOUR, nowMs, LOOKED_AT);
		ready = rows.filter(watched.isReady);
		if (ready.length >= SHOWN) break;
	}
	if (ready.length > 0) {
		return ready.sort((one, other) => time(other) - time(one)).slice(0, SHOWN);
	}
	throw new NodeOperationError(node, `There are no ${watched.about} of the last 30 days to show`, {
		description: 'Take filters away, or test again when the service has such a record.',
	});
}
