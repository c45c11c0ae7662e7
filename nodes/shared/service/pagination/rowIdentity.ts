import { idOf, type JsonObject } from '../http/json';
import type { Identity } from './types';

/** What identifies the rows of a list: their IDs or, without one, their content. */
export class RowIdentity {
	constructor(private readonly identity: Identity) {}

	/** A row's ID; undefined if the list's rows have none. */
	idOf(row: JsonObject | undefined): number | string | undefined {
		return row && this.identity === 'id' ? idOf(row) : undefined;
	}

	isSame(one: JsonObject | undefined, other: JsonObject | undefined): boolean {
		if (one === undefined || other === undefined) return false;
		const [id, otherId] = [this.idOf(one), this.idOf(other)];
		if (id !== undefined || otherId !== undefined) return id === otherId;
		return textOf(one) === textOf(other);
	}

	/** Whether two pages have the same rows. */
	areSame(one: JsonObject[], other: JsonObject[]): boolean {
		if (one.length !== other.length) return false;
		return one.every((row, index) => this.isSame(row, other[index]));
	}

	/** What identifies a row of a page: its ID, or else its content and the previous row's. */
	keyOf(page: JsonObject[], index: number, offset: number): string | undefined {
		const id = this.idOf(page[index]);
		if (id !== undefined) return `${typeof id} ${id}`;
		if (index === 0) return offset === 0 ? `first ${textOf(page[0])}` : undefined;
		const [before, text] = [textOf(page[index - 1]), textOf(page[index])];
		return before === text ? undefined : `${before} ${text}`;
	}
}

function textOf(row: JsonObject | undefined): string {
	return JSON.stringify(row);
}
