/**
 * A time zone in which it is between 8 AM and 7 PM. A sample event about a stop there places a call at
 * any hour; the sandbox wakes nobody.
 */
export function daytimeZone(now: Date): string {
	const hour = now.getUTCHours();
	if (hour < 2 || hour >= 15) return 'America/Phoenix';
	return hour < 10 ? 'Asia/Tokyo' : 'Asia/Dubai';
}
