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

const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

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
	return dayOfMonth === '*' ? longestGap(String(dayOfWeek)) : 31 * DAY;
}

/** The longest time between two days of a cron expression (`1-5`, `MON,THU`); a week if it can't be read. */
function longestGap(dayOfWeek: string): number {
	const days = dayOfWeek === '*' ? WEEKDAYS.map(dayOf) : dayOfWeek.split(',').flatMap(daysOf);
	if (days.length === 0 || days.includes(Number.NaN)) return 7 * DAY;
	const listed = [...new Set(days.map((day) => day % 7))].sort((one, other) => one - other);
	const [first = 0] = listed;
	const gaps = listed.map((day, index) => (listed[index + 1] ?? first + 7) - day);
	return Math.max(...gaps) * DAY;
}

/** The days of a range, which may go past the end of the week (`FRI-MON`), or a single day. */
function daysOf(range: string): number[] {
	const [from = Number.NaN, to = from, ...more] = range.split('-').map(dayOf);
	if (Number.isNaN(from + to) || more.length > 0) return [Number.NaN];
	return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, nth) => from + nth);
}

/** Sunday is both 0 and 7. */
function dayOf(text: string): number {
	const day = /^[0-7]$/.test(text) ? Number(text) : WEEKDAYS.indexOf(text.toUpperCase());
	return day < 0 ? Number.NaN : day;
}
