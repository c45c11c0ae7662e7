import { DateTime } from 'luxon';
import type { INodeListSearchItems } from 'n8n-workflow';

import type { JsonObject } from '../service/http/json';
import { timeOf, type RecordTime } from '../service/recordTime';

/** How a row becomes an entry of the list that a user chooses from. */
export interface RowEntry {
	/**
	 * @param time such as "Oct 3, 14:05"; empty if the row has none
	 * @returns the entry's value, what is shown of it, and what else can be typed to find it
	 */
	entryOf(row: JsonObject, time: string): { value: string; shown: string[]; hidden?: string[] };
}

interface Entry extends INodeListSearchItems {
	/** Unix milliseconds; 0 if the row has none. */
	at: number;
}

/** The entries that match what the user typed, each value once, with its newest row. */
export class Entries {
	private readonly entries = new Map<string, Entry>();
	private readonly words: string[];

	/** @param zone IANA name of the time zone in which times are shown */
	constructor(
		private readonly rowEntry: RowEntry,
		filter: string,
		private readonly zone: string,
	) {
		this.words = filter.toLowerCase().split(/\s+/);
	}

	get count(): number {
		return this.entries.size;
	}

	add(row: JsonObject): void {
		const time = timeOf(row);
		const at = time?.ms ?? 0;
		const entry = this.rowEntry.entryOf(row, time === undefined ? '' : this.shown(time));
		const { value, shown, hidden = [] } = entry;
		if (value === '' || at < (this.entries.get(value)?.at ?? 0)) return;
		const name = shown.filter(Boolean).join(' · ');
		const searched = [name, value, ...hidden].join(' ').toLowerCase();
		if (this.words.every((word) => searched.includes(word))) {
			this.entries.set(value, { name, value, at });
		}
	}

	/** A time without a zone is shown as the service writes it. */
	private shown({ ms, toleranceMs }: RecordTime): string {
		const zone = toleranceMs > 0 ? 'utc' : this.zone;
		return DateTime.fromMillis(ms, { zone, locale: 'en-US' }).toFormat('LLL d, HH:mm');
	}

	newestFirst(): INodeListSearchItems[] {
		const sorted = [...this.entries.values()].sort((one, other) => other.at - one.at);
		return sorted.map(({ name, value }) => ({ name, value }));
	}
}

/** A row's field as text; the texts of a list with commas between them. */
export function shownText(value: unknown): string {
	const values: unknown[] = Array.isArray(value) ? value : [value];
	const texts = values.filter((part) => typeof part === 'string' || typeof part === 'number');
	return texts.join(', ').trim();
}
