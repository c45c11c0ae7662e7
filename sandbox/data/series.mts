interface Dated<T> {
	/** Milliseconds since the epoch. */
	at: number;
	record: T;
}

export interface SeriesQuery<T> {
	/** Milliseconds since the epoch, both inclusive. */
	from: number;
	to: number;
	matches(record: T): boolean;
	offset: number;
	limit: number;
	oldestFirst: boolean;
}

/** A list of records in order of time: the history, made up when it is first read, and records added since. */
export class Series<T> {
	readonly #make: () => Dated<T>[];
	#history: Dated<T>[] | undefined;
	readonly #added: Dated<T>[] = [];

	/** @param make makes the history, oldest first */
	constructor(make: () => Dated<T>[]) {
		this.#make = make;
	}

	/** Adds a record that may still change. */
	add(record: T, at: number): void {
		this.#added.splice(firstFrom(this.#added, at + 1), 0, { at, record });
	}

	/** The number of records between two times, both inclusive. */
	count(from: number, to: number): number {
		return this.#between(from, to).length;
	}

	/** One page, and the total number of records. */
	page({ from, to, matches, offset, limit, oldestFirst }: SeriesQuery<T>) {
		const all = this.#between(from, to).filter(({ record }) => matches(record));
		const total = all.length;
		const page = oldestFirst
			? all.slice(offset, offset + limit)
			: all.slice(Math.max(0, total - offset - limit), Math.max(0, total - offset)).reverse();
		return { rows: page.map(({ record }) => record), total };
	}

	#between(from: number, to: number): Dated<T>[] {
		this.#history ??= this.#make();
		const [history, added] = [this.#history, this.#added].map((records) =>
			records.slice(firstFrom(records, from), firstFrom(records, to + 1)),
		);
		if (!history || !added || added.length === 0) return history ?? [];
		return [...history, ...added].sort((one, other) => one.at - other.at);
	}
}

/** The position of the first record that is not before this time. */
function firstFrom(records: Dated<unknown>[], at: number): number {
	let [low, high] = [0, records.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((records[middle]?.at ?? 0) < at) low = middle + 1;
		else high = middle;
	}
	return low;
}
