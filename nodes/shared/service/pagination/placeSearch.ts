/** Maximum number of searches for where the list continues, besides one per two pages. */
const MAX_SEARCHES = 20;

/** Searches for the place where a list continues after rows have moved, farther back each time. */
export class PlaceSearch {
	private searches = 0;

	/** How far back the last search went, in rows; 0 while pages connect. */
	private distance = 0;

	get isOn(): boolean {
		return this.distance > 0;
	}

	/** A page connects. */
	found(): void {
		this.distance = 0;
	}

	/**
	 * The offset to look at next; undefined to give up.
	 *
	 * @param failed offset of the page that doesn't connect
	 * @param expected where the list continues if nothing has moved
	 * @param known rows and pages read so far, and rows of a page
	 */
	next(
		failed: number,
		expected: number,
		{ rows, pages, pageSize }: { rows: number; pages: number; pageSize: number },
	): number | undefined {
		if (failed === 0 || ++this.searches > MAX_SEARCHES + pages / 2) return undefined;
		if (expected < failed) return expected;
		this.distance = this.distance === 0 ? Math.ceil(pageSize / 2) : 4 * this.distance;
		return Math.max(0, Math.min(expected, rows, failed - 1) - this.distance);
	}
}
