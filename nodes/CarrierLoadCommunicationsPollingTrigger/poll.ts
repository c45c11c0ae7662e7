import type { IPollFunctions } from 'n8n-workflow';

import { connect } from '../shared/service/client';
import { DEFAULT_PAGE_SIZE } from '../shared/service/http/defaults';
import type { JsonObject } from '../shared/service/http/json';
import { beginNow, collect, type Rules } from './collect';
import { readSamples } from './samples';
import { readPollSettings, type PollSettings } from './settings';
import { readState, writeState, type PollState } from './state';
import { WATCHED } from './watched';
import { EDGE_MS, type ReadRange } from './windows';

/** n8n 2.41 gives a poll five minutes; older versions do not say. */
const DEFAULT_BUDGET_MS = 5 * 60 * 1000;

/** One poll: what was not handed on before, oldest first; in a test run, samples. */
export async function poll(context: IPollFunctions): Promise<JsonObject[]> {
	const settings = readPollSettings(context);
	const watched = WATCHED[settings.event];
	const nowMs = Date.now();
	const read = await reader(context, settings);
	if (context.getMode() === 'manual') {
		return await readSamples(context.getNode(), read, watched, nowMs);
	}

	const { overlapMs, giveUpMs } = settings;
	const warn = (message: string) => context.logger.warn(`"${context.getNode().name}": ${message}`);
	const hasTime = timer(context, nowMs);
	const rules: Rules = { watched, overlapMs, giveUpMs, nowMs, hasTime, warn };
	const staticData = context.getWorkflowStaticData('node');
	const known = readState(staticData, settings);
	const state = known ?? firstState(settings, nowMs);
	const begins = known === undefined && settings.historyMs === 0;
	const records = begins ? await begin(read, state, rules) : await collect(read, state, rules);
	const forgotten = writeState(staticData, state, overlapMs + 2 * EDGE_MS);
	if (forgotten > 0) warn(`${forgotten} calls without an outcome are too many to wait for`);
	return records;
}

async function begin(read: ReadRange, state: PollState, rules: Rules): Promise<JsonObject[]> {
	await beginNow(read, state, rules);
	return [];
}

/** No record from before the first poll comes out, or only those that were asked for. */
function firstState(settings: PollSettings, nowMs: number): PollState {
	const { event, filterText, historyMs, overlapMs } = settings;
	const floor = nowMs - (historyMs === 0 ? overlapMs : historyMs);
	const watermark = historyMs === 0 ? nowMs : floor;
	const nothing = { seen: new Map<string, number>(), waiting: new Map<string, number>() };
	return { event, filterText, watermark, floor, ...nothing, recheckedAt: nowMs };
}

async function reader(context: IPollFunctions, settings: PollSettings): Promise<ReadRange> {
	const client = await connect(context);
	const paging = {
		pageSize: DEFAULT_PAGE_SIZE,
		pagesInParallel: 2,
		onPageFailure: 'error' as const,
	};
	return async (fromMs, toMs, limit) => {
		const range = { startTime: isoTime(fromMs), endTime: isoTime(toMs) };
		const query = { ...settings.filters, ...range };
		return await WATCHED[settings.event].list(client, query, { ...paging, limit });
	};
}

function isoTime(ms: number): string {
	return new Date(ms).toISOString();
}

function timer(context: IPollFunctions, startMs: number): () => boolean {
	const budget = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : DEFAULT_BUDGET_MS;
	return () => Date.now() - startMs < budget / 2;
}
