import type { IPollFunctions } from 'n8n-workflow';

import { recordOutput } from '../shared/columns/recordOutput';
import { choice } from '../shared/fields/choice';
import { collection } from '../shared/fields/collection';
import { fields } from '../shared/fields/form';
import { number } from '../shared/fields/number';
import { Parameters } from '../shared/fields/parameters';
import { laneFilters, recordFilters } from '../shared/fields/recordFilters';
import { EVENT_NAMES, EVENTS, type EventName, type PollEvent } from './events';
import { DAY, HOUR, longestInterval, MINUTE } from './pollTimes';

const form = fields({
	event: choice({
		label: 'Event',
		choices: EVENT_NAMES.map((value) => ({
			value,
			name: EVENTS[value].name,
			description: EVENTS[value].description,
		})),
		default: 'callOutcomeReady',
		about: 'What to watch for',
		editor: { noDataExpression: true },
	}),
	filters: collection('Filters', 'Add Filter', {
		...recordFilters,
		...laneFilters({ '/event': eventsWith(hasLaneFilters) }),
	}),
	output: recordOutput(),
	options: collection('Options', 'Add Option', {
		catchUpHours: number({
			label: 'Catch Up After a Pause (Hours)',
			about:
				'How far to go back when polling resumes after the workflow was unpublished or n8n was down. Older records are skipped.',
			...{ min: 1, max: 8760, default: 24 },
			unit: HOUR,
		}),
		giveUpHours: number({
			label: 'Give Up on a Call After (Hours)',
			about: 'How long a call may take to get its summary or transcript',
			...{ min: 1, max: 720, default: 24 },
			show: { '/event': eventsWith(({ readiness }) => readiness !== undefined) },
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
	/** The account that is polled. */
	account: string;
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
export function readPollSettings(
	context: IPollFunctions,
): Omit<PollSettings, 'account'> & { output: 'simplified' | 'all' } {
	const { event, filters, output, options } = form.read(new Parameters(context));
	const { readiness, startsWhenGivenUp }: PollEvent = EVENTS[event];
	const { loadId, mcNumber, origin, destination } = filters;
	const lane = hasLaneFilters(EVENTS[event]) ? { origin, destination } : {};
	const given = Object.entries({ loadId, mcNumber, ...lane });
	const { catchUpHours: pauseMs, giveUpHours: giveUpMs } = options;
	// Polling once a week is not a pause, and an outcome may arrive until the trigger gives up on the
	// call.
	const intervalMs = longestInterval(context.getNodeParameter('pollTimes', {}));
	const backMs = Math.max(pauseMs, 2 * intervalMs, readiness ? giveUpMs : 0);
	return {
		event,
		output,
		filters: Object.fromEntries(given.filter(([, filter]) => filter !== undefined)),
		overlapMs: options.overlapMinutes,
		giveUpMs,
		historyMs: options.historyDays ?? 0,
		// A call that is given up during a pause was made that long before it.
		catchUpMs: backMs + (startsWhenGivenUp ? giveUpMs : 0),
	};
}

/** Filters that only conversations have (contract 4.2). */
function hasLaneFilters({ list }: PollEvent): boolean {
	return list === 'conversations';
}

function eventsWith(matches: (event: PollEvent) => boolean): string[] {
	return EVENT_NAMES.filter((name) => matches(EVENTS[name]));
}
