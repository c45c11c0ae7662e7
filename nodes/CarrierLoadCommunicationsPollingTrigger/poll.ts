import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';

import { simplify, withLocalTime, type ShapeRow } from '../shared/columns/columns';
import { inOrder } from '../shared/columns/columnNames';
import { RECORDS, type RecordFields } from '../shared/columns/records';
import { withoutResumeUrl } from '../shared/events/resumeUrl';
import { outcomeRecord } from '../shared/outcome/outcomeRecord';
import { connect } from '../shared/service/client';
import { withDeadline } from '../shared/service/exchange';
import { ServiceFailure } from '../shared/service/failure';
import type { JsonObject } from '../shared/service/json';
import { timeOf } from '../shared/service/record';
import { CREDENTIAL_TYPE, DEFAULT_RETRY_BUDGET_MS } from '../shared/service/contract';
import { collect, isoTime, resume, type NodeMemory, type Polling } from './collect';
import { EVENTS, hasOutcome, type PollEvent } from './events';
import { readPollSettings, type PollSettings } from './form';
import { readState, storedState } from './state';

const HOUR = 60 * 60_000;
/** n8n 2.41 gives a poll five minutes, or less with its durable scheduler. Older versions don't say. */
const DEFAULT_BUDGET_MS = 5 * 60_000;
/** A busy service is asked at least this often, so that n8n keeps showing that it is busy. */
const LONGEST_BUSY_MS = HOUR;

/** By workflow and node. */
const memories = new Map<string, NodeMemory>();

/**
 * One poll: the undelivered records, oldest first, as the user chose to see them. In a test run,
 * samples.
 * @throws the error of reading the service's list; what is remembered is then unchanged
 */
export async function poll(context: IPollFunctions): Promise<JsonObject[]> {
	const settings = readPollSettings(context);
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const isTest = context.getMode() === 'manual';
	const memory = (isTest ? undefined : memories.get(key)) ?? { isPolling: false, busyUntil: 0 };
	if (!isTest) memories.set(key, memory);
	const polling = await pollingOf(context, settings, memory);
	const rows = isTest
		? await readSamples(context.getNode(), polling)
		: await pollOnce(polling, context.getWorkflowStaticData('node'));
	return rows.map(shapeOf(settings, context.getTimezone()));
}

/**
 * Collects new records and remembers them. Returns nothing while another poll of the node runs: n8n
 * starts a poll while the last one still does, on the same static data (n8n-core 2.41,
 * active-workflow-triggers.js: `void executePollTrigger()`). Nor before the service wants to be asked
 * again.
 * @param staticData the node's, as n8n currently has it
 */
export async function pollOnce(polling: Polling, staticData: IDataObject): Promise<JsonObject[]> {
	const { memory } = polling;
	const last = readState(staticData.state) ?? readState(memory.state);
	// The first poll is part of publishing, which should not seem to succeed.
	if (memory.isPolling || (last && Date.now() < memory.busyUntil)) return [];
	memory.isPolling = true;
	try {
		const state = await resume(last, polling);
		const records = await collect(state, polling);
		memory.state = storedState(state);
		staticData.state = memory.state;
		return records;
	} finally {
		memory.isPolling = false;
	}
}

function shapeOf({ event, output, moreNames }: PollSettings, zone: string): ShapeRow {
	const { list } = EVENTS[event];
	if (output === 'all') return withoutResumeUrl;
	// Bids and conversations have no outcome; the editor doesn't offer it for them.
	if (output === 'outcome' && list === 'calls') {
		return (row) => withoutResumeUrl(outcomeRecord(row, moreNames));
	}
	// All known fields as one flat row, also those too long for a list.
	const { simplified, more, idName }: RecordFields = RECORDS[list];
	const flatten = simplify(inOrder([...simplified, ...more]), idName);
	return (row) => flatten(withoutResumeUrl(withLocalTime(row, zone)));
}

async function pollingOf(
	context: IPollFunctions,
	settings: PollSettings,
	memory: NodeMemory,
): Promise<Polling> {
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : DEFAULT_BUDGET_MS;
	const startedAt = Date.now();
	// Retries end early enough to show within one poll.
	const retryBudgetMs = Math.min(DEFAULT_RETRY_BUDGET_MS, budgetMs / 3);
	const client = await connect(context, { retryBudgetMs });
	const { name, credentials } = context.getNode();
	const { id, name: credentialName } = credentials?.[CREDENTIAL_TYPE] ?? {};
	return {
		...{ settings, memory, credential: String(id ?? credentialName) },
		stopAt: startedAt + budgetMs / 2,
		warn: (message) => context.logger.warn(`"${name}": ${message}`),
		read: async ({ from, to }, limit) => {
			const query = { ...settings.filters, startTime: isoTime(from), endTime: isoTime(to) };
			const list = client.readList(EVENTS[settings.event].list, query, limit);
			// With its durable scheduler, n8n drops a poll that takes longer, and only its log says so.
			const leftMs = startedAt + 0.9 * budgetMs - Date.now();
			return await withDeadline(leftMs, list, () => {
				memory.rangeMs = (to - from) / 4;
				throw new Error(
					`n8n lets a poll run for ${Math.round(budgetMs / 1000)} seconds, and the service took longer to return its list. The next poll reads a shorter time range. If this continues, ask the service operator why it is slow.`,
				);
			}).catch((error: unknown) => {
				throw notingBusy(memory, error);
			});
		},
	};
}

/** Notes how long the service asks to wait (`Retry-After`); the error then says when polling goes on. */
function notingBusy(memory: NodeMemory, error: unknown): unknown {
	if (!(error instanceof ServiceFailure)) return error;
	const { retryAfterMs = 0 } = error.details;
	if (retryAfterMs === 0) return error;
	const now = Date.now();
	memory.busyUntil = now + Math.min(retryAfterMs, LONGEST_BUSY_MS);
	const asked = `The service asks to wait until ${isoTime(now + retryAfterMs)}`;
	return error.with({ advice: `${asked}. Polling continues at ${isoTime(memory.busyUntil)}` });
}

/** How far back to look for samples, how many rows to search for the newest ones, and how many to show. */
const SAMPLES = { days: 30, searched: 500, shown: 5 };

/** Real ones, so that users can map their fields. @throws NodeOperationError if there are none in 30 days */
async function readSamples(node: INode, { settings, read }: Polling): Promise<JsonObject[]> {
	const { outcome, records }: PollEvent = EVENTS[settings.event];
	const now = Date.now();
	const range = { from: now - SAMPLES.days * 24 * HOUR, to: now };
	const { rows } = await read(range, SAMPLES.searched);
	const time = (row: JsonObject) => timeOf(row)?.ms ?? 0;
	const samples = rows
		.filter((row) => !outcome || hasOutcome(row) === (outcome === 'ready'))
		.sort((one, other) => time(other) - time(one));
	if (samples.length > 0) return samples.slice(0, SAMPLES.shown);
	throw new NodeOperationError(node, `There are no ${records} in the last ${SAMPLES.days} days`, {
		description: 'Remove filters, or test again once there is a matching record.',
	});
}
