import { isJsonObject } from '../shared/service/http/json';

export const MINUTE = 60 * 1000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The longest time between two polls for each mode of n8n's poll times, in milliseconds. */
const LONGEST: Record<string, number> = {
	everyMinute: MINUTE,
	everyHour: HOUR,
	everyDay: DAY,
	everyWeek: 7 * DAY,
	everyMonth: 31 * DAY,
};

/**
 * The longest time, in milliseconds, between two polls of the "Poll Times" that n8n adds to a
 * polling node (n8n-workflow: `toCronExpression`).
 */
export function longestInterval(pollTimes: unknown): number {
	const items = isJsonObject(pollTimes) ? pollTimes.item : undefined;
	const intervals = Array.isArray(items) ? items.filter(isJsonObject).map(intervalOf) : [];
	return intervals.length === 0 ? MINUTE : Math.min(...intervals);
}

function intervalOf({ mode, value, unit, cronExpression }: Record<string, unknown>): number {
	if (mode === 'everyX') return Number(value) * (unit === 'hours' ? HOUR : MINUTE) || HOUR;
	if (mode !== 'custom') return LONGEST[String(mode)] ?? MINUTE;
	// The last three fields are day of month, month and day of week.
	const [dayOfMonth, month, dayOfWeek] = String(cronExpression).trim().split(/\s+/).slice(-3);
	if (month !== '*') return 366 * DAY;
	return dayOfMonth === '*' && dayOfWeek === '*' ? DAY : 31 * DAY;
}
