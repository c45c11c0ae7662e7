const DAY_MS = 86_400_000;

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

let knownDay = Number.NaN;
let knownDate = '';

/** Like `new Date(ms).toISOString()`, but several times faster for records of the same day. */
export function isoTime(ms: number): string {
	const day = Math.floor(ms / DAY_MS);
	if (day !== knownDay) {
		knownDay = day;
		knownDate = new Date(ms).toISOString().slice(0, 11);
	}
	const inDay = ms - day * DAY_MS;
	const hours = twoDigits[Math.floor(inDay / 3_600_000)];
	const minutes = twoDigits[Math.floor(inDay / 60_000) % 60];
	const seconds = twoDigits[Math.floor(inDay / 1000) % 60];
	const rest = inDay % 1000;
	const milliseconds = rest < 10 ? `00${rest}` : rest < 100 ? `0${rest}` : rest;
	return `${knownDate}${hours}:${minutes}:${seconds}.${milliseconds}Z`;
}
