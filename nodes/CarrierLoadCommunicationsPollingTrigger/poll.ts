import type { IPollFunctions } from 'n8n-workflow';

import { simplify, type ShapeRow } from '../shared/columns/columns';
import { RECORDS, type RecordFields } from '../shared/columns/records';
import { withoutResumeUrl } from '../shared/events/resumeUrl';
import { connect } from '../shared/service/client';
import {
	DEFAULT_PAGES_IN_PARALLEL,
	DEFAULT_PAGE_SIZE,
	DEFAULT_RETRY_BUDGET_MS,
} from '../shared/service/http/defaults';
import type { JsonObject } from '../shared/service/http/json';
import { accountOf } from './memory/account';
import { pollOnce } from './collections';
import { EVENTS, type PollEvent } from './events';
import { isoTime } from './read/records';
import { readSamples } from './read/samples';
import { readPollSettings, type PollSettings } from './form';
import type { ReadRange } from './read/windows';

/**
 * n8n 2.41 gives a poll five minutes, or less with its durable scheduler. Older versions don't say.
 */
const DEFAULT_BUDGET_MS = 5 * 60 * 1000;

/**
 * One poll: the undelivered records, oldest first, as the user chose to see them. In a test run,
 * samples.
 *
 * @throws the error of reading the service's list; the state is then unchanged
 */
export async function poll(context: IPollFunctions): Promise<JsonObject[]> {
	const given = readPollSettings(context);
	const settings = { ...given, account: await accountOf(context) };
	const event = EVENTS[settings.event];
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : DEFAULT_BUDGET_MS;
	const read = await rangeReader(context, event, settings, budgetMs);
	const shape = settings.output === 'all' ? withoutResumeUrl : simplifiedRecord(event);
	if (context.getMode() === 'manual') {
		return (await readSamples(context.getNode(), event, read, Date.now())).map(shape);
	}
	const { logger } = context;
	const { id, name } = context.getNode();
	const records = await pollOnce({
		...{ settings, event, read, node: { key: `${context.getWorkflow().id}:${id}`, name } },
		staticData: context.getWorkflowStaticData('node'),
		// With its durable scheduler, n8n drops a poll that takes longer, and only its log says so.
		waitMs: 0.9 * budgetMs,
		warn: (message) => logger.warn(`"${name}": ${message}`),
	});
	return records.map(shape);
}

/** All known fields as one flat row, also those too long for a list. */
function simplifiedRecord({ list }: PollEvent): ShapeRow {
	const { simplified, more, ...record }: RecordFields = RECORDS[list];
	const flatten = simplify([...simplified, ...more], record.idName);
	return (row) => flatten(withoutResumeUrl(row));
}

/** Reads the event's list between two times. Retries end early enough to show within one poll. */
async function rangeReader(
	context: IPollFunctions,
	{ list }: PollEvent,
	{ filters }: PollSettings,
	budgetMs: number,
): Promise<ReadRange> {
	const retryBudgetMs = Math.min(DEFAULT_RETRY_BUDGET_MS, budgetMs / 3);
	const client = await connect(context, { retryBudgetMs });
	const paging = {
		pageSize: DEFAULT_PAGE_SIZE,
		pagesInParallel: DEFAULT_PAGES_IN_PARALLEL,
		onPageFailure: 'error' as const,
	};
	return async (fromMs, toMs, limit) => {
		const range = { startTime: isoTime(fromMs), endTime: isoTime(toMs) };
		return await client.readList(list, { ...filters, ...range }, { ...paging, limit });
	};
}
