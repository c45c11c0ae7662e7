import {
	NodeOperationError,
	type IDataObject,
	type INode,
	type IPollFunctions,
} from 'n8n-workflow';

import { inOrder, simplify, withLocalTime, type ShapeRow } from '../shared/columns/columns';
import { RECORDS, type RecordFields } from '../shared/columns/records';
import { withoutResumeUrl } from '../shared/events/resumeUrl';
import { connect } from '../shared/service/client';
import { outcomeRecord } from '../shared/outcome/outcomeRecord';
import { withDeadline } from '../shared/service/exchange';
import { ServiceFailure } from '../shared/service/failure';
import type { JsonObject } from '../shared/service/json';
import { timeOf } from '../shared/service/record';
import { CREDENTIAL_TYPE, DEFAULT_RETRY_BUDGET_MS } from '../shared/service/request';
import { collect, endOfList, overlapOf, type Polling } from './collect';
import { EVENTS, hasOutcome, type PollEvent } from './events';
import { readPollSettings, type PollSettings } from './form';
import { newState, readState, storedState, type PollState } from './state';

const HOUR = 60 * 60_000;

/**
 * n8n 2.41 gives a poll five minutes, or less with its durable scheduler. Older versions don't say.
 */
const DEFAULT_BUDGET_MS = 5 * 60_000;

/** A busy service is asked at least this often, so that n8n keeps showing that it is busy. */
const LONGEST_BUSY_MS = HOUR;

/** What this process knows of a node, besides what n8n stores. */
export interface NodeMemory {
	isPolling: boolean;
	/** When the service wants to be asked again, by n8n's clock. */
	busyUntil: number;
	pace: Polling['pace'];
	/**
	 * The state after the last poll. With durable cursors, n8n 2.41 doesn't store the one of the poll
	 * at publishing (poll-trigger-executor.js); and what it stores belongs to the node's name.
	 */
	state?: IDataObject;
}

/** By workflow and node. */
const memories = new Map<string, NodeMemory>();

/**
 * One poll: the undelivered records, oldest first, as the user chose to see them. In a test run,
 * samples.
 *
 * @throws the error of reading the service's list; what is remembered is then unchanged
 */
export async function poll(context: IPollFunctions): Promise<JsonObject[]> {
	const settings = readPollSettings(context);
	const event: PollEvent = EVENTS[settings.event];
	const shape = shapeOf(event, settings, context.getTimezone());
	if (context.getMode() === 'manual') {
		const polling = await pollingOf(context, settings, newMemory());
		return (await readSamples(context.getNode(), polling)).map(shape);
	}
	const memory = memoryOf(context);
	const polling = await pollingOf(context, settings, memory);
	const { id, name } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	const staticData = context.getWorkflowStaticData('node');
	const credential = String(id ?? name);
	return (await pollOnce({ settings, credential, staticData, polling, memory })).map(shape);
}

export interface Poll {
	settings: PollSettings;
	/** Identifies the credential. */
	credential: string;
	/** The node's, as n8n currently has it. */
	staticData: IDataObject;
	polling: Polling;
	memory: NodeMemory;
}

/**
 * Collects new records and remembers them. Returns nothing while another poll of the node runs: n8n
 * starts a poll while the last one still does, on the same static data (n8n-core 2.41,
 * active-workflow-triggers.js: `void executePollTrigger()`). Nor before the service wants to be asked
 * again.
 */
export async function pollOnce(poll: Poll): Promise<JsonObject[]> {
	const { staticData, memory } = poll;
	const last = readState(staticData.state) ?? readState(memory.state);
	// The first poll is part of publishing, which should not seem to succeed.
	if (memory.isPolling || (last && Date.now() < memory.busyUntil)) return [];
	memory.isPolling = true;
	try {
		const state = await resume(last, poll);
		const records = await collect(state, poll.polling);
		memory.state = storedState(state);
		staticData.state = memory.state;
		return records;
	} finally {
		memory.isPolling = false;
	}
}

/** Where this poll starts: where the last one ended, or now for another event or credential. */
async function resume(
	last: PollState | undefined,
	{ settings, credential, polling, memory }: Poll,
): Promise<PollState> {
	const { event, filters, overlapMs, historyMs, catchUpMs } = settings;
	const source = `${event} ${credential}`;
	const view = JSON.stringify([filters, overlapMs]);
	const overlap = overlapOf(polling);
	if (last?.source !== source) {
		const clockAheadMs = await clockAhead(polling);
		const to = endOfList(clockAheadMs, polling);
		const from = to - (historyMs || overlap);
		return newState({ source, view, clockAheadMs, isStarting: historyMs === 0 }, { from, to });
	}
	let { clockAheadMs } = last;
	const lastTo = last.reading?.to ?? last.readTo;
	const isPause = () => lastTo < endOfList(clockAheadMs, polling) - catchUpMs - overlap;
	// One of the clocks may have been set since.
	if (isPause()) clockAheadMs = await clockAhead(polling);
	const end = endOfList(clockAheadMs, polling);
	const earliest = end - catchUpMs;
	if (last.view !== view) {
		// Other filters show records that were never seen: only what is new counts. n8n stores the state
		// only when an execution starts, so this process may know better how far the list was read.
		const known = readState(memory.state);
		const isNewer = known?.source === source && known.readTo > last.readTo;
		const { reading, readTo, waiting } = isNewer ? known : last;
		const to = Math.max(reading?.from ?? readTo, earliest);
		const range = { from: to - overlap, to };
		return { ...newState({ source, view, clockAheadMs, isStarting: true }, range), waiting };
	}
	if (!isPause()) return { ...last, clockAheadMs };
	// Old records must not arrive as new.
	polling.warn(
		`The list was last read up to ${isoTime(lastTo)}. Records from before ${isoTime(earliest)} are skipped; to include more, set the option "Catch Up After a Pause (Hours)".`,
	);
	const reading = { from: earliest, to: end };
	return { ...last, clockAheadMs, readTo: earliest, reading, isStarting: false };
}

/** How far the service's clock is ahead of n8n's, in milliseconds; 0 if it doesn't say. */
async function clockAhead({ read }: Polling): Promise<number> {
	const now = Date.now();
	const { servedAt } = await read({ from: now - HOUR, to: now }, 1);
	return servedAt === undefined ? 0 : servedAt - Date.now();
}

function shapeOf(event: PollEvent, { output, moreNames }: PollSettings, zone: string): ShapeRow {
	if (output === 'all') return withoutResumeUrl;
	// Bids and conversations have no outcome; the editor doesn't offer it for them.
	if (output === 'simplified' || event.list !== 'calls') return simplifiedRecord(event, zone);
	return (row) => withoutResumeUrl(outcomeRecord(row, moreNames));
}

/** All known fields as one flat row, also those too long for a list. */
function simplifiedRecord({ list }: PollEvent, zone: string): ShapeRow {
	const { simplified, more, ...record }: RecordFields = RECORDS[list];
	const flatten = simplify(inOrder([...simplified, ...more]), record.idName);
	return (row) => flatten(withoutResumeUrl(withLocalTime(row, zone)));
}

async function pollingOf(
	context: IPollFunctions,
	settings: PollSettings,
	memory: NodeMemory,
): Promise<Polling> {
	const { overlapMs, giveUpMs, filters } = settings;
	const event: PollEvent = EVENTS[settings.event];
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : DEFAULT_BUDGET_MS;
	const startedAt = Date.now();
	// Retries end early enough to show within one poll.
	const retryBudgetMs = Math.min(DEFAULT_RETRY_BUDGET_MS, budgetMs / 3);
	const client = await connect(context, { retryBudgetMs });
	const { name } = context.getNode();
	return {
		...{ event, overlapMs, giveUpMs, stopAt: startedAt + budgetMs / 2, pace: memory.pace },
		warn: (message) => context.logger.warn(`"${name}": ${message}`),
		read: async ({ from, to }, limit) => {
			const range = { startTime: isoTime(from), endTime: isoTime(to) };
			const list = client.readList(event.list, { ...filters, ...range }, { limit });
			// With its durable scheduler, n8n drops a poll that takes longer, and only its log says so.
			const leftMs = startedAt + 0.9 * budgetMs - Date.now();
			return await withDeadline(leftMs, list, () => {
				memory.pace.rangeMs = (to - from) / 4;
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

function memoryOf(context: IPollFunctions): NodeMemory {
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const memory = memories.get(key) ?? newMemory();
	memories.set(key, memory);
	return memory;
}

export function newMemory(): NodeMemory {
	return { isPolling: false, busyUntil: 0, pace: {} };
}

/** Time ranges to search one after another for samples, until there are enough. */
const HOURS_BACK = [1, 24, 7 * 24, 30 * 24];

/** How many rows to search for the newest ones. */
const SEARCHED = 500;
const SHOWN = 5;

/**
 * The newest records, for a test run in the editor: real ones, so that users can map their fields.
 *
 * @throws NodeOperationError if there are none in the last 30 days
 */
async function readSamples(node: INode, { event, read }: Polling): Promise<JsonObject[]> {
	const time = (row: JsonObject) => timeOf(row)?.ms ?? 0;
	const now = Date.now();
	let samples: JsonObject[] = [];
	for (const hours of HOURS_BACK) {
		const { rows } = await read({ from: now - hours * HOUR, to: now }, SEARCHED);
		samples = rows.filter(
			(row) => !event.outcome || hasOutcome(row) === (event.outcome === 'ready'),
		);
		if (samples.length >= SHOWN) break;
	}
	if (samples.length > 0) {
		return samples.sort((one, other) => time(other) - time(one)).slice(0, SHOWN);
	}
	throw new NodeOperationError(node, `There are no ${event.records} in the last 30 days`, {
		description: 'Remove filters, or test again once there is a matching record.',
	});
}

function isoTime(ms: number): string {
	return new Date(ms).toISOString();
}
