import { InvalidParameter } from '../../../../shared/fields/invalidParameter';

/** In Luxon's order: Monday is day 1. */
export const DAYS = [
	'Monday',
	'Tuesday',
	'Wednesday',
	'Thursday',
	'Friday',
	'Saturday',
	'Sunday',
] as const;

const TIME = /^(\d{1,2})(?::(\d{2}))?\s*(am|pm)?\.?$/i;

/** Minutes after midnight, at most `latest`, for "08:00" or "8:30 pm". @throws InvalidParameter */
export function readTime(label: string, written: string, latest: number): number {
	const [, hours, rest = '0', half] = TIME.exec(written) ?? [];
	const minutes = hourOf(Number(hours), half?.toLowerCase()) * 60 + Number(rest);
	if (Number(rest) < 60 && minutes <= latest) return minutes;
	throw new InvalidParameter(label, 'must be a time such as 08:00', written);
}

function hourOf(hour: number, half: string | undefined): number {
	if (half === undefined) return hour;
	if (hour < 1 || hour > 12) return NaN;
	return (hour % 12) + (half === 'pm' ? 12 : 0);
}

/** "08:00" for minutes after midnight. */
export function timeOf(minutes: number): string {
	const two = (part: number) => String(part).padStart(2, '0');
	return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
