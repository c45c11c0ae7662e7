import { joinRows, RowCache } from './json-rows.mts';

/** Records that follow from their index. Each is generated when it is read; none is stored. */
export interface History {
	size: number;
	/** Milliseconds since the epoch; never decreases with the index. */
	timeOf(index: number): number;
	/** The record as JSON text. */
	json(index: number): string;
}

/** A filter. Its key identifies it. */
export interface Filter<T> {
	key: string;
	/** Only records from `first` to before `end` can match. */
	first: number;
	end: number;
	history(index: number): boolean;
	added(record: T): boolean;
}

export interface SeriesQuery<T> {
	/** Milliseconds since the epoch, both inclusive. */
	from: number;
	to: number;
	filter?: Filter<T> | undefined;
	offset: number;
	limit: number;
	oldestFirst: boolean;
}

interface Added<T> {
	at: number;
	record: T;
}

/** A range of the filtered history, by position. */
interface MatchingRange {
	key: string;
	indexOf(position: number): number;
	/** `size` records, starting at `first`. */
	first: number;
	size: number;
}

/** The first position in 0..size whose value is at least `bound`. */
export function bisect(size: number, valueAt: (position: number) => number, bound: number): number {
	let low = 0;
	let high = size;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (valueAt(middle) < bound) low = middle + 1;
		else high = middle;
	}
	return low;
}

const KEPT_FILTERS = 64;

/** Pages this large are part of a walk, so the next one is generated while this one is sent. */
const WALKED_LIMIT = 100;

/** A list of records in order of time: the generated history, plus records added since. */
export class Series<T> {
	readonly #history: History;
	readonly #added: Added<T>[] = [];
	readonly #filtered = new Map<string, Int32Array>();
	readonly #blocks = new RowCache();

	constructor(history: History) {
		this.#history = history;
	}

	/** Adds a record that may still change. It is serialized when it is read. */
	add(record: T, at: number): void {
		const position = bisect(this.#added.length, (each) => this.#added[each]?.at ?? 0, at + 1);
		this.#added.splice(position, 0, { at, record });
	}

	/** The number of records between two times, both inclusive. */
	count(from: number, to: number): number {
		const { size, timeOf } = this.#history;
		const inHistory = bisect(size, timeOf, to + 1) - bisect(size, timeOf, from);
		return Math.max(0, inHistory) + this.#addedBetween(from, to).length;
	}

	/** One page, as comma-separated JSON texts, and the total number of records. */
	page(query: SeriesQuery<T>): { rows: Buffer; total: number } {
		const stretch = this.#stretch(query);
		const added = this.#addedBetween(query.from, query.to).filter(
			({ record }) => query.filter?.added(record) ?? true,
		);
		const total = stretch.size + added.length;
		if (added.length > 0) return { rows: joinRows(this.#mixed(query, stretch, added)), total };
		if (query.limit >= WALKED_LIMIT && query.offset + query.limit < total) {
			const next = { ...query, offset: query.offset + query.limit };
			setImmediate(() => this.#block(next, stretch));
		}
		return { rows: this.#block(query, stretch), total };
	}

	/** The part of the history in the query's range. */
	#stretch({ filter, from, to }: SeriesQuery<T>): MatchingRange {
		const picked = filter && this.#matching(filter);
		const indexOf = (position: number): number => (picked ? (picked[position] ?? 0) : position);
		const timeAt = (position: number): number => this.#history.timeOf(indexOf(position));
		const all = picked?.length ?? this.#history.size;
		const first = bisect(all, timeAt, from);
		const size = Math.max(0, bisect(all, timeAt, to + 1) - first);
		return { key: filter?.key ?? '', indexOf, first, size };
	}

	/** A page of the history only. */
	#block({ offset, limit, oldestFirst }: SeriesQuery<T>, stretch: MatchingRange): Buffer {
		const { first, size, indexOf } = stretch;
		const count = Math.max(0, Math.min(limit, size - offset));
		const start = oldestFirst ? first + offset : first + size - 1 - offset;
		const step = oldestFirst ? 1 : -1;
		return this.#blocks.read(`${start} ${step * count} ${stretch.key}`, () =>
			Array.from({ length: count }, (_, nth) => this.#history.json(indexOf(start + step * nth))),
		);
	}

	/** The rows of a page with added records among those of the history. */
	#mixed(
		{ offset, limit, oldestFirst }: SeriesQuery<T>,
		stretch: MatchingRange,
		added: Added<T>[],
	): string[] {
		const { first, size, indexOf } = stretch;
		const timeAt = (nth: number): number => this.#history.timeOf(indexOf(first + nth));
		// The position of each added record among all records, oldest first.
		const positions = added.map(({ at }, nth) => nth + bisect(size, timeAt, at + 1));
		const total = size + added.length;
		return Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, nth) => {
			const place = oldestFirst ? offset + nth : total - 1 - offset - nth;
			const before = bisect(positions.length, (each) => positions[each] ?? 0, place);
			const here = positions[before] === place ? added[before] : undefined;
			return here
				? JSON.stringify(here.record)
				: this.#history.json(indexOf(first + place - before));
		});
	}

	#addedBetween(from: number, to: number): Added<T>[] {
		const timeOf = (position: number): number => this.#added[position]?.at ?? 0;
		const first = bisect(this.#added.length, timeOf, from);
		return this.#added.slice(first, Math.max(first, bisect(this.#added.length, timeOf, to + 1)));
	}

	/** The history's indexes that match a filter; computed once. */
	#matching(filter: Filter<T>): Int32Array {
		const known = this.#filtered.get(filter.key);
		if (known) return known;
		const found: number[] = [];
		const end = Math.min(filter.end, this.#history.size);
		for (let index = filter.first; index < end; index++) {
			if (filter.history(index)) found.push(index);
		}
		const [oldest] = this.#filtered.keys();
		if (this.#filtered.size >= KEPT_FILTERS && oldest !== undefined) this.#filtered.delete(oldest);
		const indexes = Int32Array.from(found);
		this.#filtered.set(filter.key, indexes);
		return indexes;
	}
}
