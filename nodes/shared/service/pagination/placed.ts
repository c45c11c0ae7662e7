import { MAX_PAGE_SIZE } from '../http/defaults';
import type { JsonObject } from '../http/json';
import type { Page, PageAsked } from './types';

interface PlacedPage {
	offset: number;
	rows: JsonObject[];
	/** Whether it was made sure that these rows belong here. */
	sure: boolean;
}

/**
 * Recognises rows that a service hands out at a second place, in lists whose rows have no id.
 *
 * Equal rows at two places may be right: two equal bids. To find out, the page is asked for again
 * from one row earlier. Where the same rows then come one place later, they belong there.
 */
export class PlacedPages {
	/** Whether a page was kept that turned out, or could not be proved not, to be another one's. */
	private doubted = false;

	/** Rows that are said to come before a place, which no page was there yet to confirm. */
	private readonly claims: Array<{ place: number; before: JsonObject }> = [];

	/** By the hash of a row; two rows may share one, which costs a look and nothing else. */
	private readonly pages = new Map<number, PlacedPage>();

	/** By the place after its last row. */
	private readonly pagesByEnd = new Map<number, PlacedPage>();

	constructor(private readonly readPage: (asked: PageAsked) => Promise<Page>) {}

	/** Whether pages may be kept that belong elsewhere. To be asked when all pages are there. */
	get doubtful(): boolean {
		return this.doubted || this.claims.some(({ place, before }) => this.denies(place, before));
	}

	/** Whether rows at an offset are those of another place; if not, they count as placed there. */
	async isRepeat(offset: number, rows: JsonObject[]): Promise<boolean> {
		const page = { offset, rows, sure: offset === 0 };
		const hashes = rows.map(hashOf);
		const compared = new Set<PlacedPage>();
		for (;;) {
			// Looked for anew each time: other pages come while this one is compared.
			const other = this.otherWithSameRow(hashes, offset, compared);
			if (other === undefined) break;
			compared.add(other);
			other.sure ||= await this.belongs(other);
			this.doubted ||= !other.sure;
			page.sure ||= await this.belongs(page);
			if (!page.sure) return true;
		}
		for (const hash of hashes) this.pages.set(hash, page);
		this.pagesByEnd.set(offset + rows.length, page);
		return false;
	}

	private otherWithSameRow(
		hashes: number[],
		offset: number,
		compared: Set<PlacedPage>,
	): PlacedPage | undefined {
		return hashes
			.map((hash) => this.pages.get(hash))
			.find((page) => page !== undefined && page.offset !== offset && !compared.has(page));
	}

	private async belongs({ offset, rows }: PlacedPage): Promise<boolean> {
		const shifted: JsonObject[] = [];
		while (shifted.length <= rows.length) {
			const limit = Math.min(MAX_PAGE_SIZE, rows.length + 1 - shifted.length);
			const page = await this.readPage({ offset: offset - 1 + shifted.length, limit });
			if (page.rows.length === 0) return false;
			// Not a row later than before: where only single rows come, this proves nothing.
			this.doubted ||= shifted.length === 0 && page.rows.length === 1;
			shifted.push(...page.rows);
		}
		const [before, ...same] = shifted;
		if (before === undefined || textOf(same.slice(0, rows.length)) !== textOf(rows)) return false;
		this.claims.push({ place: offset, before });
		return !this.denies(offset, before);
	}

	/** Whether the page that ends at a place has another last row. */
	private denies(place: number, before: JsonObject): boolean {
		const last = this.pagesByEnd.get(place)?.rows.at(-1);
		return last !== undefined && textOf([last]) !== textOf([before]);
	}
}

function textOf(rows: JsonObject[]): string {
	return JSON.stringify(rows);
}

/** FNV-1a, twice, as one number of 53 bits. */
function hashOf(row: JsonObject): number {
	const text = JSON.stringify(row);
	let low = 0x811c9dc5;
	let high = 0xc2b2ae35;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		low = Math.imul(low ^ code, 0x01000193);
		high = Math.imul(high ^ code, 0x85ebca6b);
	}
	return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
