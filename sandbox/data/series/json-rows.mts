const COMMA = 44;

/**
 * Joins JSON texts with commas, as bytes. Building one string of half a megabyte first would take
 * ten times as long.
 */
export function joinRows(rows: readonly string[]): Buffer {
	const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row) + 1, 0);
	const joined = Buffer.allocUnsafe(bytes);
	let end = 0;
	for (const row of rows) {
		end += joined.write(row, end);
		joined[end++] = COMMA;
	}
	return joined.subarray(0, Math.max(0, end - 1));
}

const KEPT_BYTES = 128 * 1024 * 1024;

/** A cache of blocks of rows, which never change: the last 128 MB that were read. */
export class RowCache {
	readonly #kept = new Map<string, Buffer>();
	#bytes = 0;

	/** Returns the block with this key; generates it with `rows` if it isn't cached. */
	read(key: string, rows: () => string[]): Buffer {
		const known = this.#kept.get(key);
		if (known) return known;
		const block = joinRows(rows());
		this.#kept.set(key, block);
		this.#bytes += block.length;
		for (const [oldest, { length }] of this.#kept) {
			if (this.#bytes <= KEPT_BYTES) break;
			this.#kept.delete(oldest);
			this.#bytes -= length;
		}
		return block;
	}
}
