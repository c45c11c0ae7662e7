import { ServiceFailure } from '../http/failure';
import type { JsonObject } from '../http/json';
import type { Gate } from './gate';
import { pageName } from './page';
import { PlacedPages } from './placed';
import { haveIds, SeenIds } from './repeats';
import type { Identity, Page, PageAsked, ReadPage } from './types';

/** What a page brought to a walk. */
export interface Taken {
	rows: JsonObject[];
	/** By how many places of the list the walk goes on; 0 when the list ended here. */
	advance: number;
}

/** Reads the pages of one walk, tells new rows from repeated ones and keeps count. */
export class Pages {
	/** As reported last. */
	total: number | undefined;

	totalChanged = false;

	totalShrank = false;

	/** Places of the list that brought no new row. */
	wasted = 0;

	/** Where the list ends: a page there was empty, or repeated for the second time. */
	end = Number.POSITIVE_INFINITY;

	private readonly ids = new SeenIds();

	private readonly placed: PlacedPages;

	private repeatedPages = 0;

	constructor(
		private readonly readPage: ReadPage,
		private readonly settings: { gate: Gate; identity: Identity; onRoom: () => void },
	) {
		this.placed = new PlacedPages(async (asked) => await this.ask(asked));
	}

	/** Whether the service repeated pages, so that others may be missing. */
	get repeated(): boolean {
		return this.repeatedPages > 0 || this.placed.doubtful;
	}

	/**
	 * Reads a page; one that is a repetition is asked for once more.
	 *
	 * @param room rows beyond so many are left to whoever asks for their place
	 * @throws ServiceFailure that names the page
	 */
	async take(asked: PageAsked, room: number): Promise<Taken> {
		let { rows } = await this.ask(asked);
		if (await this.isRepeat(asked, rows)) {
			({ rows } = await this.ask(asked));
			if (await this.isRepeat(asked, rows)) return this.passOver(asked, rows.length);
		}
		if (rows.length === 0) this.end = Math.min(this.end, asked.offset);
		const kept = rows.length > room ? rows.slice(0, room) : rows;
		if (this.settings.identity === 'id') this.wasted += kept.length - this.ids.add(kept);
		return { rows: kept, advance: kept.length };
	}

	private async ask(asked: PageAsked): Promise<Page> {
		const { rows, total } = await this.countedWhileAsking(asked).catch((error) => {
			throw error instanceof ServiceFailure ? error.with({ page: pageName(asked) }) : error;
		});
		this.settings.gate.passed();
		if (total !== undefined) {
			this.totalChanged ||= total !== (this.total ?? total);
			this.totalShrank ||= total < (this.total ?? total);
			this.total = total;
		}
		return { rows, total };
	}

	private async countedWhileAsking(asked: PageAsked): Promise<Page> {
		const { gate, onRoom } = this.settings;
		await gate.enter();
		let isAsking = true;
		const leave = () => {
			if (isAsking) gate.leave();
			isAsking = false;
		};
		const onAnswered = () => {
			leave();
			onRoom();
		};
		try {
			return await this.readPage(asked, { onThrottled: gate.throttled, onAnswered });
		} finally {
			leave();
		}
	}

	private async isRepeat({ offset }: PageAsked, rows: JsonObject[]): Promise<boolean> {
		if (rows.length === 0) return false;
		const byId = this.settings.identity === 'id' && haveIds(rows);
		return byId ? this.ids.hasAll(rows) : await this.placed.isRepeat(offset, rows);
	}

	/** One repeated page may be a slip; at the second, or without a total, the list ends. */
	private passOver({ offset }: PageAsked, advance: number): Taken {
		this.repeatedPages++;
		this.wasted += advance;
		if (this.repeatedPages > 1 || this.total === undefined) this.end = Math.min(this.end, offset);
		return { rows: [], advance };
	}
}
