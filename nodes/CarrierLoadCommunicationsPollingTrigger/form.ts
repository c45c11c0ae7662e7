import type { IPollFunctions } from 'n8n-workflow';

import { recordOutput } from '../shared/columns/records';
import { choice, number } from '../shared/fields/simpleFields';
import { collection, fields } from '../shared/fields/collection';
import { Parameters } from '../shared/fields/parameters';
import { moreNames, OUTCOME } from '../shared/outcome/moreNames';
import type { MoreNames } from '../shared/outcome/outcomeRecord';
import { laneFilters, recordFilters } from '../shared/fields/locator';
import { EVENT_NAMES, EVENTS, type EventName, type PollEvent } from './events';
import { isJsonObject } from '../shared/service/json';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const OUTCOME_OF_CALLS = {
	...OUTCOME,
	displayOptions: { show: { event: eventsWith(({ list }) => list === 'calls') } },
};

const form = fields({
	event: choice({
		label: 'Event',
		choices: EVENT_NAMES.map((value) => ({
			value,
			name: EVENTS[value].name,
			description: EVENTS[value].description,
		})),
		default: 'callOutcomeReady',
		about: 'Event that starts the workflow',
		editor: { noDataExpression: true },
	}),
	filters: collection('Filters', 'Add Filter', {
		...recordFilters,
		...laneFilters({ '/event': eventsWith(hasLaneFilters) }),
	}),
	output: recordOutput<'outcome'>({}, 'simplified', [OUTCOME_OF_CALLS]),
	moreNames,
	options: collection('Options', 'Add Option', {
		catchUpHours: number({
			label: 'Catch Up After a Pause (Hours)',
			about:
				'How far back polling goes after the workflow was unpublished or n8n was down. Without this option, a day, or longer with rare poll times.',
			...{ min: 1, max: 8760, prefill: 24 },
			unit: HOUR,
		}),
		giveUpHours: number({
			label: 'Give Up on a Call After (Hours)',
			about: 'How long a call may take to get its summary or transcript',
			...{ min: 1, max: 720, default: 24 },
			show: { '/event': eventsWith(({ outcome }) => outcome !== undefined) },
			unit: HOUR,
		}),
		overlapMinutes: number({
			label: 'Overlap (Minutes)',
			about:
				"How far back every poll reads again, for records the service lists late. This doesn't produce duplicates.",
			...{ min: 1, max: 1440, default: 60 },
			unit: MINUTE,
		}),
		historyDays: number({
			label: 'Start With the Last (Days)',
			about:
				'How far back the first poll goes. Without this option, only new records start the workflow.',
			...{ min: 0, max: 365, prefill: 1 },
			unit: DAY,
		}),
	}),
});

/** The polling trigger's form. n8n adds the poll times. */
export const pollingProperties = form.properties;

/** The polling trigger's settings. Times are in milliseconds. */
export interface PollSettings {
	event: EventName;
	output: 'simplified' | 'all' | 'outcome';
	moreNames: MoreNames;
	filters: Partial<Record<'loadId' | 'mcNumber' | 'origin' | 'destination', string>>;
	overlapMs: number;
	/** The age at which a call without an outcome is given up. */
	giveUpMs: number;
	/** How far back the first poll goes; 0 for new records only. */
	historyMs: number;
	/** After a longer pause, older records are skipped. */
	catchUpMs: number;
}

/** @throws InvalidParameter for the first invalid field */
export function readPollSettings(context: IPollFunctions): PollSettings {
	const { event, filters, output, moreNames: names, options } = form.read(new Parameters(context));
	const { loadId, mcNumber, origin, destination } = filters;
	const lane = hasLaneFilters(EVENTS[event]) ? { origin, destination } : {};
	const given = Object.entries({ loadId, mcNumber, ...lane });
	return {
		event,
		output,
		moreNames: names,
		filters: Object.fromEntries(given.filter(([, filter]) => filter !== undefined)),
		overlapMs: options.overlapMinutes,
		giveUpMs: options.giveUpHours,
		historyMs: options.historyDays ?? 0,
		catchUpMs: options.catchUpHours ?? usualPause(context.getNodeParameter('pollTimes', {})),
	};
}

/**
 * The longest time between two polls of rare poll times. n8n skips a day whose clocks have no such hour;
 * a custom schedule may be as rare as once a week.
 */
const RARE: Record<string, number> = {
	...{ everyDay: 2 * DAY, everyWeek: 8 * DAY, everyMonth: 32 * DAY },
	custom: 8 * DAY,
};

/** A day, or longer if n8n polls less often. */
function usualPause(pollTimes: unknown): number {
	const items = isJsonObject(pollTimes) && Array.isArray(pollTimes.item) ? pollTimes.item : [];
	const rarest = items.filter(isJsonObject).map(({ mode }) => RARE[String(mode)] ?? DAY);
	return Math.max(DAY, ...rarest);
}

/** Filters that only conversations have (contract 4.2). */
function hasLaneFilters({ list }: PollEvent): boolean {
	return list === 'conversations';
}

function eventsWith(matches: (event: PollEvent) => boolean): string[] {
	return EVENT_NAMES.filter((name) => matches(EVENTS[name]));
}
