import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { connect } from '../shared/service/client';
import {
	DEFAULT_PAGES_IN_PARALLEL,
	DEFAULT_PAGE_SIZE,
	DEFAULT_RETRY_BUDGET_MS,
	DEFAULT_TIMEOUT_MS,
} from '../shared/service/http/defaults';
import type { JsonObject } from '../shared/service/http/json';
import { withDeadline } from '../shared/service/http/stream';
import { collect } from './collect';
import { EVENTS, type PollEvent } from './events';
import { noteLookedTo, resumeState } from './resume';
import { readSamples } from './samples';
import { readPollSettings, type PollSettings } from './form';
import { readState, writeState } from './state';
import { OutOfTime, type ReadRange, type Reading } from './windows';

/**
 * n8n 2.41 gives a poll five minutes, or less with its durable scheduler. Older versions don't say.
 */
const DEFAULT_BUDGET_MS = 5 * 60 * 1000;

/** A poll that runs longer than this is reported, in milliseconds. */
const STUCK_MS = 15 * 60 * 1000;

/** When the poll that runs now was started, per node. */
const running = new Map<string, number>();

/**
 * One poll: the undelivered records, oldest first. In a test run, samples. Returns nothing while an
 * earlier poll of this node is running, because that one delivers.
 *
 * @throws the error of reading the service's list; the state is then unchanged
 */
export async function poll(context: IPollFunctions): Promise<JsonObject[]> {
	const startMs = Date.now();
	const settings = readPollSettings(context);
	const event = EVENTS[settings.event];
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : DEFAULT_BUDGET_MS;
	const read = await rangeReader(context, event, settings, { startMs, budgetMs });
	if (context.getMode() === 'manual') {
		return await readSamples(context.getNode(), event, read, startMs);
	}
	const { logger } = context;
	return await pollOnce({
		...{ settings, event, read, nodeKey: `${context.getWorkflow().id}:${context.getNode().id}` },
		staticData: () => context.getWorkflowStaticData('node'),
		hasTime: () => Date.now() - startMs < budgetMs / 2,
		warn: (message) => logger.warn(`"${context.getNode().name}": ${message}`),
	});
}

export interface Poll extends Reading {
	/** Identifies the node within this n8n. */
	nodeKey: string;
	settings: PollSettings;
	/** The node's static data, as n8n currently has it. */
	staticData: () => IDataObject;
}

/** Collects new records and remembers them, unless an earlier poll of the node is running. */
export async function pollOnce(poll: Poll): Promise<JsonObject[]> {
	const { nodeKey, settings, warn } = poll;
	const records = await skipIfRunning(nodeKey, async () => {
		const nowMs = Date.now();
		const staticData = poll.staticData();
		const stored = readState(staticData, settings.event);
		const state = resumeState(stored, settings, { nodeKey, nowMs, warn });
		const found = await collect(state, { ...settings, ...poll, nowMs });
		for (const forgotten of writeState(staticData, state)) warn(forgotten);
		noteLookedTo(nodeKey, state);
		return found;
	});
	return records ?? [];
}

/**
 * Runs a task unless one with the same key still runs: n8n starts a poll while the last one still
 * runs, on the same static data (n8n-core 2.41, active-workflow-triggers.js: `void
 * executePollTrigger()`), and both would deliver the same records.
 *
 * @returns the task's result, or undefined when it did not run
 * @throws when the other task seems to be stuck, so that n8n shows it
 */
async function skipIfRunning<Result>(
	key: string,
	task: () => Promise<Result>,
): Promise<Result | undefined> {
	const startedAt = running.get(key);
	if (startedAt !== undefined) {
		const minutes = Math.floor((Date.now() - startedAt) / 60_000);
		if (Date.now() - startedAt < STUCK_MS) return undefined;
		throw new Error(`The previous poll has been running for ${minutes} minutes.`);
	}
	running.set(key, Date.now());
	try {
		return await task();
	} finally {
		running.delete(key);
	}
}

/**
 * Reads the event's list between two times, as long as there is time: with its durable scheduler
 * n8n drops a poll that takes longer than its budget, and only its log says so.
 */
async function rangeReader(
	context: IPollFunctions,
	{ list }: PollEvent,
	{ filters }: PollSettings,
	{ startMs, budgetMs }: { startMs: number; budgetMs: number },
): Promise<ReadRange> {
	const client = await connect(context, {
		timeoutMs: Math.min(DEFAULT_TIMEOUT_MS, budgetMs / 3),
		retryBudgetMs: Math.min(DEFAULT_RETRY_BUDGET_MS, budgetMs / 3),
	});
	const paging = {
		pageSize: DEFAULT_PAGE_SIZE,
		pagesInParallel: DEFAULT_PAGES_IN_PARALLEL,
		onPageFailure: 'error' as const,
	};
	return async (fromMs, toMs, limit) => {
		const range = { startTime: isoTime(fromMs), endTime: isoTime(toMs) };
		const reading = client.readList(list.name, { ...filters, ...range }, { ...paging, limit });
		let isLate = false;
		const leftMs = startMs + 0.9 * budgetMs - Date.now();
		return await withDeadline(leftMs, reading, () => void (isLate = true)).catch(
			async (error: unknown) => await Promise.reject(isLate ? new OutOfTime() : error),
		);
	};
}

function isoTime(ms: number): string {
	return new Date(ms).toISOString();
}
