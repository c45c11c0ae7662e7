import type { IPollFunctions } from 'n8n-workflow';

import { moreNames, OUTCOME, recordOutput } from '../shared/columns/records';
import { collection, fields } from '../shared/fields/collection';
import { laneFilters, recordFilters } from '../shared/fields/locator';
import { Parameters } from '../shared/fields/parameters';
import { choice, number } from '../shared/fields/simpleFields';
import { isJsonObject } from '../shared/service/json';
import { EVENTS, type EventName, type PollEvent } from './events';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const AWAITING: EventName[] = ['callEndedWithoutOutcome', 'callOutcomeReady'];
const CALLS: EventName[] = [...AWAITING, 'newCall'];

function option<Name extends EventName>(value: Name) {
	const { name, description } = EVENTS[value];
	return { value, name, description };
}

const form = fields({
	event: choice({
		label: 'Event',
		choices: [
			...[option('callEndedWithoutOutcome'), option('callOutcomeReady'), option('newBid')],
			...[option('newCall'), option('newConversation')],
		],
		default: 'callOutcomeReady',
		about: 'Event that starts the workflow',
		editor: { noDataExpression: true },
	}),
	filters: collection('Filters', 'Add Filter', {
		...recordFilters,
		...laneFilters({ '/event': ['newConversation'] }),
	}),
	output: recordOutput<'outcome'>({}, 'simplified', [
		{ ...OUTCOME, displayOptions: { show: { event: CALLS } } },
	]),
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
			show: { '/event': AWAITING },
			unit: HOUR,
		}),
	}),
});

export const pollingProperties = form.properties;

/** The polling trigger's settings. Times are in milliseconds. */
export type PollSettings = ReturnType<typeof readPollSettings>;

/** @throws InvalidParameter for the first invalid field */
export function readPollSettings(context: IPollFunctions) {
	const { event, filters, output, moreNames: names, options } = form.read(new Parameters(context));
	const { loadId, mcNumber, origin, destination } = filters;
	// Only conversations have those of a lane (contract 4.2).
	const lane = event === 'newConversation' ? { origin, destination } : {};
	const given = Object.entries({ loadId, mcNumber, ...lane });
	const { outcome }: PollEvent = EVENTS[event];
	const isMissing = outcome === 'missing';
	return {
		event,
		output,
		moreNames: names,
		filters: Object.fromEntries(given.filter(([, filter]) => filter !== undefined)),
		giveUpMs: options.giveUpHours,
		/** How far back every poll reads again: the service may list records late. Calls become due on time. */
		overlapMs: isMissing ? 5 * MINUTE : HOUR,
		lagMs: isMissing ? options.giveUpHours : 0,
		/** After a longer pause, older records are skipped. */
		catchUpMs: options.catchUpHours ?? usualPause(context.getNodeParameter('pollTimes', {})),
	};
}

/** Days of rare poll times. n8n skips a day whose clocks have no such hour; a custom schedule may be weekly. */
const RARE: Record<string, number> = { everyDay: 2, everyWeek: 8, everyMonth: 32, custom: 8 };

/** A day, or longer if n8n polls less often. */
function usualPause(pollTimes: unknown): number {
	const items = isJsonObject(pollTimes) && Array.isArray(pollTimes.item) ? pollTimes.item : [];
	return Math.max(1, ...items.map((item) => RARE[String(Object(item).mode)] ?? 1)) * DAY;
}
