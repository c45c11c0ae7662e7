import { NodeOperationError, type IPollFunctions } from 'n8n-workflow';

import { isJsonObject } from '../shared/service/http/json';
import { WATCHED_EVENTS, type WatchedEvent } from './watched';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;

export interface PollSettings {
	event: WatchedEvent;
	/** Filters of the list (contract 4.1, 4.2). */
	filters: Partial<Record<'loadId' | 'mcNumber' | 'origin' | 'destination', string>>;
	overlapMs: number;
	giveUpMs: number;
	/** How far back the first poll goes; 0 for not at all. */
	historyMs: number;
	/** The filters as one text, to notice that they were changed. */
	filterText: string;
}

/** The polling trigger's fields. @throws NodeOperationError when the event is none of the list */
export function readPollSettings(context: IPollFunctions): PollSettings {
	const chosen: unknown = context.getNodeParameter('event', '');
	const event = WATCHED_EVENTS.find((candidate) => candidate === chosen);
	if (event === undefined) {
		throw new NodeOperationError(context.getNode(), `There is no event "${String(chosen)}"`, {
			description: 'Open the node and choose an event from the list.',
		});
	}
	const options: unknown = context.getNodeParameter('options', {});
	const amount = (name: string, fallback: number, min: number, max: number) => {
		const value = Number((isJsonObject(options) ? options[name] : undefined) ?? fallback);
		return Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : fallback;
	};
	const filters = readFilters(context, event);
	return {
		event,
		filters,
		overlapMs: amount('overlapMinutes', 60, 1, 24 * 60) * MINUTE,
		giveUpMs: amount('giveUpHours', 24, 24, 30 * 24) * HOUR,
		historyMs: amount('historyDays', 0, 0, 365) * 24 * HOUR,
		filterText: JSON.stringify(filters),
	};
}

function readFilters(context: IPollFunctions, event: WatchedEvent): PollSettings['filters'] {
	const given: unknown = context.getNodeParameter('filters', {});
	if (!isJsonObject(given)) return {};
	const names =
		event === 'newConversation'
			? (['loadId', 'mcNumber', 'origin', 'destination'] as const)
			: (['loadId', 'mcNumber'] as const);
	const entries = names.map((name) => [name, String(given[name] ?? '').trim()] as const);
	return Object.fromEntries(entries.filter(([, text]) => text !== ''));
}
