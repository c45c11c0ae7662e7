/** A time zone for n8n in which it is noon, so that no test's "today" ends during the test. */
export function whereItIsNoon(): string {
	const hours = 12 - new Date().getUTCHours();
	// The sign is reversed: Etc/GMT-3 is three hours ahead.
	return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}
