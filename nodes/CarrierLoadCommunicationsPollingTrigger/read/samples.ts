import { NodeOperationError, type INode } from 'n8n-workflow';

import type { JsonObject } from '../../shared/service/http/json';
import { timeOf } from '../../shared/service/recordTime';
import type { PollEvent } from '../events';
import type { ReadRange } from './windows';

const HOUR = 60 * 60 * 1000;

/** Time ranges to search one after another, until there is something to show. */
const HOURS_BACK = [1, 6, 24, 3 * 24, 7 * 24, 30 * 24];

/** How many rows to search for the newest ones. */
const SEARCHED = 500;
const SHOWN = 5;

/**
 * The newest records, for a test run in the editor: real ones, so that users can map their fields.
 *
 * @throws NodeOperationError if there are none in the last 30 days
 */
export async function readSamples(
	node: INode,
	event: PollEvent,
	read: ReadRange,
	nowMs: number,
): Promise<JsonObject[]> {
	const time = (row: JsonObject) => timeOf(row)?.ms ?? 0;
	const isReady = (row: JsonObject) =>
		(event.readiness?.(row, nowMs - time(row), 0) ?? 'ready') === 'ready';
	let ready: JsonObject[] = [];
	for (const hours of HOURS_BACK) {
		const { rows } = await read(nowMs - hours * HOUR, nowMs, SEARCHED);
		ready = rows.filter(isReady);
		if (ready.length >= SHOWN) break;
	}
	if (ready.length > 0) {
		return ready.sort((one, other) => time(other) - time(one)).slice(0, SHOWN);
	}
	throw new NodeOperationError(node, `There are no ${event.records} in the last 30 days`, {
		description: 'Remove filters, or test again once there is a matching record.',
	});
}
