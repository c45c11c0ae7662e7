import type { IDataObject } from 'n8n-workflow';

import { isScalar } from '../../shared/events/event';
import { hasEnded, hasValue } from '../../shared/outcome/callOutcome';
import type { JsonObject } from '../../shared/service/json';
import { timeOf } from '../../shared/service/record';
import { loadKey, loadsIn } from '../../shared/service/loads';
import type { CallDetails, CallIdentity, PlannedCall } from './call';
import { callIdOf } from './keys';
import { lastDigits, matchNumber, type Match } from './phone';
import { callRow } from './rows';

export type RecentCall = ReturnType<typeof recentCallOf>;

/** What is kept of each of up to 50,000 listed calls, to know later whom it called about what. */
export function recentCallOf(call: JsonObject) {
	const { toPhone, createdAt, status, loadIds, contentTags } = call;
	const [id, time] = [callIdOf(call), timeOf(call)];
	return {
		...{ id, callId: call.id, toPhone, createdAt, status, loadIds, dotNumber: dotNumberOf(call) },
		contentTags: [contentTags].flat().filter(isScalar).join().slice(0, 100),
		isEnded: hasEnded(call),
		key: id ?? JSON.stringify([toPhone, createdAt, loadIds]),
		/** The number's last digits; empty if they can't be read. */
		digits: lastDigits(toPhone) ?? '',
		/** When it was placed (Unix milliseconds), if that can be read; without a zone, as if in UTC. */
		placedAt: time?.ms,
		/** When it was placed at the latest: without a zone, at any time of the range that was read. */
		latest: time?.toleranceMs === 0 ? time.ms : Number.POSITIVE_INFINITY,
	};
}

/** How far the service's clock may differ at a request. A larger tolerance would match earlier calls. */
export const CLOCK_SKEW_MS = 10_000;

/** Whether a call placed at that time, by the service's clock, can come from this time's request. */
export function isInTime(
	createdAt: number | undefined,
	{ from, until }: { from: number; until: number },
): boolean {
	if (createdAt === undefined) return false;
	return createdAt >= from - CLOCK_SKEW_MS && createdAt <= until + CLOCK_SKEW_MS;
}

/** Whether a listed call is a row's: with another base URL or token, its ID may be another organization's. */
export function isCallOfRow(call: JsonObject, row: IDataObject): boolean {
	const id = callIdOf(call);
	if (id === undefined || id !== callIdOf({ id: row.callId })) return false;
	const [theirs, own] = [lastDigits(call.toPhone), lastDigits(row.toPhone)];
	return theirs === undefined || own === undefined || theirs === own;
}

/** The loads that a listed call names, as the service writes them. */
export function loadText({ loadIds }: IDataObject): string {
	return [loadIds].flat().filter(isScalar).join(', ').slice(0, 200);
}

/** Unclear if it may be another spelling: "48213" for "LD-48213", but neither "PO-48213" nor "48213-2". */
export function matchLoad(load: string, keys: readonly string[]): Match {
	if (keys.includes(loadKey(load))) return 'same';
	const mine = spellingOf(loadKey(load));
	const isSpelling = keys.map(spellingOf).some(({ letters, digits }) => {
		const hasPrefix = letters === '' || mine.letters === '' || letters === mine.letters;
		return hasPrefix && digits !== '' && digits === mine.digits;
	});
	return isSpelling ? 'unclear' : 'other';
}

function spellingOf(load: string): { letters: string; digits: string } {
	const text = load.slice(0, 200).toLowerCase();
	const digits = text.replace(/\D/g, '').replace(/^0+/, '');
	return { letters: text.replace(/\P{L}/gu, ''), digits };
}

/** The carrier that a listed call was about, if it says so. */
function dotNumberOf({ dotNumber }: JsonObject): number | undefined {
	const carrier = isScalar(dotNumber) ? Number(dotNumber) : 0;
	return Number.isSafeInteger(carrier) && carrier > 0 ? carrier : undefined;
}

/**
 * Whether a listed call may be about the load and carrier of a request. Agent calls have none
 * (contract 4.8), and a call in progress may not have a load yet: then its number and time decide.
 */
export function mayConcern(
	{ load, dotNumber }: Pick<CallIdentity, 'load' | 'dotNumber'>,
	listed: JsonObject,
): Match {
	// One dispatcher may answer for several carriers.
	const carrier = dotNumberOf(listed);
	if (dotNumber !== undefined && carrier !== undefined && carrier !== dotNumber) return 'other';
	const loads = loadsIn(listed.loadIds);
	return load === undefined || loads.length === 0 ? 'same' : matchLoad(load, loads);
}

/** Whether a listed call can come from a request in that time; unclear if a part of it can't be read. */
export function matchListed(
	{ toPhone, identity }: Pick<PlannedCall, 'toPhone' | 'identity'>,
	request: { from: number; until: number },
	listed: JsonObject,
): Match {
	const about = mayConcern(identity, listed);
	const time = timeOf(listed);
	const isOutside = !isInTime(time?.ms, request);
	// A time without a zone may be hours off; the service listed it for the range all the same.
	if (about === 'other' || (isOutside && time?.toleranceMs === 0)) return 'other';
	const number = matchNumber(toPhone, listed.toPhone);
	if (number === 'unclear') {
		const namesLoad = identity.load !== undefined && loadsIn(listed.loadIds).length > 0;
		return namesLoad && about === 'same' ? 'unclear' : 'other';
	}
	if (number === 'other') return 'other';
	return isOutside || callIdOf(listed) === undefined ? 'unclear' : about;
}

/** A listed call's status; the service may show none of a call that has ended (contract 2.3). */
export function statusOf(status: JsonObject[string], isEnded: boolean): JsonObject[string] {
	if (hasValue(status)) return status;
	return isEnded ? 'COMPLETED' : null;
}

/** Fields of a listed call (contract 2.3) that describe its outcome. */
const OUTCOME_FIELDS = ['summary', 'transcript', 'contentTags', 'recordingUrl'] as const;

/** A call found in the list (contract 2.3). @param placementReason a sentence for a dispatcher */
export function reconciledRow(call: CallDetails, listed: JsonObject, placementReason: string) {
	const { id, toPhone, fromPhone, createdAt } = listed;
	const status = statusOf(listed.status, hasEnded(listed));
	const shown = { id, toPhone, fromPhone, createdAt, status };
	const row = callRow(call, shown, 'reconciled', placementReason);
	return { ...row, ...outcomeOf(listed), listedCall: listed };
}

/** What a listed call or an event says about the outcome, without empty fields. */
export function outcomeOf(call: JsonObject): IDataObject {
	const filled = OUTCOME_FIELDS.filter((name) => hasValue(call[name]));
	return Object.fromEntries(filled.map((name) => [name, call[name]]));
}
