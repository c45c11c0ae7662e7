import type { JsonObject } from '../http/json';
import type { Gate } from './gate';
import { Pages } from './pages';
import { withoutRepeats } from './repeats';
import type { Identity, PageAsked, ReadPage } from './types';

export interface WalkSettings {
	/** How many rows are wanted; Infinity for all. */
	wanted: number;
	pageSize: number;
	identity: Identity;
	gate: Gate;
	/** Whether the rows before a page that failed are wanted. */
	keepsGoing: boolean;
}

/** Rows that lie next to each other in the list, in the pages in which they came. */
interface Piece {
	pages: JsonObject[][];
	failure?: unknown;
}

/**
 * One walk over a list. The first page tells the total; the rest is cut into pieces of a page each,
 * which are read at the same time. Where the service hands out less than was asked for (it may
 * clamp `limit`), a piece goes on from what came.
 */
export class Walk {
	readonly pages: Pages;

	/** In the order of the list. */
	private readonly pieces: Piece[] = [];

	/** Where the next piece starts. */
	private next = 0;

	private stride: number;

	private failed = false;

	/** The pieces that are being read at the same time. */
	private running: Set<Promise<void>> | undefined;

	constructor(
		readPage: ReadPage,
		private readonly settings: WalkSettings,
	) {
		this.stride = settings.pageSize;
		this.pages = new Pages(readPage, { ...settings, onRoom: () => this.startPieces() });
	}

	/** Walks as far as wanted, or to the first failure. Never throws: see `failure`. */
	async run(): Promise<void> {
		do {
			if (this.next === 0 || this.plausibleTotal === undefined) await this.readNext();
			else await this.readInParallel();
		} while (!this.failed && this.next < this.goal);
	}

	/** The rows in order, each id once; up to the page that failed. */
	get rows(): JsonObject[] {
		const stop = this.pieces.findIndex((piece) => 'failure' in piece);
		const pieces = stop < 0 ? this.pieces : this.pieces.slice(0, stop + 1);
		const pages = pieces.flatMap((piece) => piece.pages);
		return this.pages.wasted === 0 ? pages.flat() : withoutRepeats(pages);
	}

	/** What the first page that failed failed of. */
	get failure(): unknown {
		return this.pieces.find((piece) => 'failure' in piece)?.failure;
	}

	/** A total that is below what came is none. */
	private get plausibleTotal(): number | undefined {
		const { total } = this.pages;
		return total !== undefined && total >= this.next ? total : undefined;
	}

	/** Up to where pieces are worth reading; places that brought nothing new are made up for. */
	private get goal(): number {
		const { end, wasted } = this.pages;
		const total = this.plausibleTotal ?? Number.POSITIVE_INFINITY;
		return Math.min(end, total, this.settings.wanted + wasted);
	}

	private async readNext(): Promise<void> {
		const { pageSize } = this.settings;
		const limit = Math.min(pageSize, this.goal - this.next);
		const came = await this.take({ offset: this.next, limit }, this.newPiece(), Infinity);
		this.next += came;
		const isClamped = came > 0 && came < limit && this.next < (this.pages.total ?? 0);
		this.stride = isClamped ? came : Math.max(pageSize, came);
	}

	private async readInParallel(): Promise<void> {
		const running = new Set<Promise<void>>();
		this.running = running;
		for (;;) {
			this.startPieces();
			if (running.size === 0 || this.isOver) break;
			await Promise.race(running);
		}
		this.running = undefined;
	}

	/**
	 * Starts as many pieces as may be asked for. A page that is there and not yet looked into does
	 * not count, so that the service is not idle meanwhile; but not more of those than are asked for.
	 */
	private startPieces(): void {
		const { running } = this;
		const { gate } = this.settings;
		if (running === undefined) return;
		while (gate.hasRoom && running.size < 2 * gate.allowed && this.hasMorePieces()) {
			const from = this.next;
			this.next = Math.min(from + this.stride, this.goal);
			const piece = this.fill(from, this.next, this.newPiece());
			const task: Promise<void> = piece.then(() => void running.delete(task));
			running.add(task);
		}
	}

	private get isOver(): boolean {
		return this.failed && !this.settings.keepsGoing;
	}

	private hasMorePieces(): boolean {
		return !this.failed && this.plausibleTotal !== undefined && this.next < this.goal;
	}

	private async fill(from: number, to: number, piece: Piece): Promise<void> {
		let offset = from;
		while (offset < Math.min(to, this.pages.end) && !this.isOver) {
			const limit = Math.min(this.settings.pageSize, to - offset);
			const came = await this.take({ offset, limit }, piece, to - offset);
			if (came === 0) return;
			offset += came;
		}
	}

	/** Reads a page into a piece that has room. Gives back by how many places it went on. */
	private async take(asked: PageAsked, piece: Piece, room: number): Promise<number> {
		try {
			const { rows, advance } = await this.pages.take(asked, room);
			piece.pages.push(rows);
			return advance;
		} catch (error) {
			this.failed = true;
			piece.failure = error;
			return 0;
		}
	}

	private newPiece(): Piece {
		const piece: Piece = { pages: [] };
		this.pieces.push(piece);
		return piece;
	}
}
