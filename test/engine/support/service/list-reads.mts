/** A time range that contains every record. */
export const always = { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };

/** How many records to read. */
export interface Paging {
	limit?: number | undefined;
}
