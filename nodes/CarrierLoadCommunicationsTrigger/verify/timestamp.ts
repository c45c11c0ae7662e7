/** From here on a number counts milliseconds: as seconds it would be the year 5138. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** A timestamp header's time in milliseconds: Unix seconds, Unix milliseconds, or ISO 8601. */
export function readTimestamp(text: string): number | undefined {
	if (/^\d{1,16}(\.\d{1,9})?$/.test(text)) {
		const number = Number(text);
		return number < FIRST_MILLISECONDS ? number * 1000 : number;
	}
	const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isFinite(time) ? time : undefined;
}
