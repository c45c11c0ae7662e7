import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isJsonObject } from '../../../shared/service/http/json';
import { loadOf, type WantedCall } from '../output/callRow';
import { withoutExtension } from '../plan/phoneNumber';

/**
 * What this execution knows of one item's call.
 *
 * - `dialling`: the request was sent, or was just about to be; it is never sent again
 * - `done`: the item has its call
 */
export type Remembered = { state: 'dialling'; since: string } | { state: 'done'; row: IDataObject };

/** A call of this node in this execution, as the other items see it. */
export interface OwnCall {
	/** Number and load, as `targetOf` gives them. */
	target: string;
	/** The number without its extension. */
	phone: string;
	/** The load that it is about; undefined for an agent call. */
	load: string | undefined;
	/** The item's fields; undefined while it is not known whether the call was placed. */
	row: IDataObject | undefined;
}

/**
 * What this node has done in this execution, so that nothing is dialled twice when it runs again.
 *
 * It lies in the run's own data, which Retry On Fail and the editor's retry keep (n8n-core 2.41:
 * `getContext('node')`).
 */
export class CallMemo {
	private readonly context: IDataObject;

	constructor(context: IExecuteFunctions) {
		this.context = context.getContext('node');
	}

	recall(key: string): Remembered | undefined {
		const found = this.calls()[key];
		if (!isJsonObject(found)) return undefined;
		if (isJsonObject(found.row)) return { state: 'done', row: { ...found.row } };
		return { state: 'dialling', since: String(found.since) };
	}

	dialling(key: string, wanted: WantedCall, since: string): void {
		this.calls()[key] = { ...aboutOf(wanted), since };
	}

	done(key: string, wanted: WantedCall, row: IDataObject): void {
		this.calls()[key] = { ...aboutOf(wanted), row: { ...row } };
	}

	forget(key: string): void {
		delete this.calls()[key];
	}

	/** The calls of all items but one, in any turn of a loop. */
	others(key: string): OwnCall[] {
		return Object.entries(this.calls())
			.filter(([other]) => other !== key)
			.map(([, entry]) => entry)
			.filter(isJsonObject)
			.map(({ target, phone, load, row }) => ({
				target: String(target),
				phone: String(phone),
				load: typeof load === 'string' ? load : undefined,
				row: isJsonObject(row) ? row : undefined,
			}));
	}

	private calls(): IDataObject {
		if (!isJsonObject(this.context.calls)) this.context.calls = {};
		return isJsonObject(this.context.calls) ? this.context.calls : {};
	}
}

/**
 * Which call of this node a call is: the turn of the loop, the item, who is called about what.
 * Metadata and names do not count: an expression in them (`$now`) would make every try another call.
 */
export function callKey(runIndex: number, itemIndex: number, wanted: WantedCall): string {
	const { kind, toPhone, subject } = wanted;
	const about = Object.entries(subject).sort(([one], [other]) => (one < other ? -1 : 1));
	return digest([runIndex, itemIndex, kind, toPhone, about]);
}

/** Number and load of a call: what must not be called twice within the minutes of the guard. */
export function targetOf(wanted: WantedCall): string {
	return digest([wanted.toPhone, loadOf(wanted) ?? null]);
}

function aboutOf(wanted: WantedCall): IDataObject {
	return {
		target: targetOf(wanted),
		phone: withoutExtension(wanted.toPhone),
		load: loadOf(wanted) ?? null,
	};
}

/** A short fingerprint of plain values. */
export function digest(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
